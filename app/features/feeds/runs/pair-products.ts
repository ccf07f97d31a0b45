import { createHash } from 'node:crypto';
import { cutId, linkKey } from '../formats/product-key.ts';

interface Product {
  external_id: string;
  title: string;
  deal_url: string;
  gtin: string | null;
  is_used: boolean;
}

/** A row of the feed. `has_id` is false if its id is its link. */
export interface UnknownRow extends Product {
  n: number;
  has_id: boolean;
}

/** A deal of the merchant. Preferred deals come first. */
export type KnownDeal = Product;

/** Rows with the `external_id` of their product, and the id that the product's deal will get. */
export interface PairedRows {
  rows: number[];
  external_id: string;
  becomes: string | null;
}

interface Entity extends Keys {
  rows: number[];
  id: string;
  title: string;
  hasId: boolean;
  isSplit: boolean;
}

interface Keys {
  /** The GTIN combined with the condition, since a used product is a different offer. */
  code: string | null;
  link: string;
  whole: string;
}

interface Known extends Keys {
  id: string;
  title: string;
  isTaken: boolean;
}

/**
 * Finds the deals of rows with no id or a new one among the merchant's deals: by GTIN and
 * condition, else by the link. No deal is given to two products. Deals that a row of the feed names
 * by its id must not be among `deals`.
 */
export function pairProducts(
  rows: readonly UnknownRow[],
  deals: readonly KnownDeal[],
): PairedRows[] {
  const entities = [...entitiesOf(rows)];
  const known = deals.map((deal) => ({
    ...keysOf(deal),
    id: deal.external_id,
    title: plain(deal.title),
    isTaken: false,
  }));
  const found = new Map<Entity, Known>();
  const nameless = entities.filter(({ hasId }) => !hasId);
  pairAll(nameless, known, found);
  const derived = known.filter(({ id }) => isDerived(id));
  pairAll(
    entities.filter(({ hasId }) => hasId),
    derived,
    found,
  );
  const taken = new Set([...found.values()].map(({ id }) => id));
  return entities.flatMap((entity): PairedRows[] => {
    const deal = found.get(entity);
    if (entity.hasId) {
      return deal ? [{ rows: entity.rows, external_id: deal.id, becomes: entity.id }] : [];
    }
    const id = deal?.id ?? freeId(entity, taken);
    taken.add(id);
    return [{ rows: entity.rows, external_id: id, becomes: null }];
  });
}

/** If more products than this share a link, the link does not distinguish them. */
const mostCandidates = 50;

/** Whether an id was made from a link or code, as opposed to the shop's own ids. */
function isDerived(id: string): boolean {
  return /^(?:https?:\/\/|gtin:|link:)/i.test(id) || id.length === 255;
}

function pairAll(entities: readonly Entity[], deals: readonly Known[], found: Map<Entity, Known>) {
  const both = ({ code, link }: Keys) => code && `${code} ${link}`;
  const pair = (
    keyOf: (one: Entity | Known) => string | null,
    rule: { isAlone: boolean; mayDiffer?: boolean },
  ) => {
    const open = Map.groupBy(
      deals.filter(({ isTaken }) => !isTaken),
      (deal) => keyOf(deal) ?? '',
    );
    const waiting = entities.filter((entity) => !found.has(entity));
    const alike = Map.groupBy(waiting, (entity) => keyOf(entity) ?? '');
    for (const entity of waiting) {
      const key = keyOf(entity);
      if (!key || (rule.isAlone && (alike.get(key)?.length ?? 0) > 1)) continue;
      const candidates = open.get(key)?.slice(0, mostCandidates) ?? [];
      const deal = candidates.find((one) => !one.isTaken && agree(one, entity));
      if (!deal) continue;
      deal.isTaken = true;
      found.set(entity, deal);
    }
  };
  pair(both, { isAlone: false });
  pair(({ code }) => code, { isAlone: true });
  pair(({ whole }) => whole, { isAlone: false });
  pair(({ link, title }) => `${link} ${title}`, { isAlone: false });
  pair(({ link }) => link, { isAlone: true });
}

/** Whether the codes do not contradict each other. */
const agree = (a: Keys, b: Keys) => a.code === null || b.code === null || a.code === b.code;

/**
 * Groups the rows of each product. Rows with the same link are one product unless their codes
 * differ, or both their titles and the ignored parameters of their links differ.
 */
function* entitiesOf(rows: readonly UnknownRow[]): Generator<Entity> {
  const byId = Map.groupBy(
    rows.filter(({ has_id }) => has_id),
    ({ external_id }) => external_id,
  );
  for (const [id, [first, ...more]] of byId) {
    if (first) yield makeEntity(first, [first, ...more], { id, hasId: true, isSplit: false });
  }
  const nameless = rows.filter(({ has_id }) => !has_id).map((row) => ({ row, ...keysOf(row) }));
  const byKey = Map.groupBy(nameless, ({ code, link }) => `${code ?? ''} ${link}`);
  for (const alike of byKey.values()) {
    const isSplit =
      new Set(alike.map(({ row }) => plain(row.title))).size > 1 &&
      new Set(alike.map(({ whole }) => whole)).size > 1;
    const parts = isSplit ? Map.groupBy(alike, ({ whole }) => whole).values() : [alike];
    for (const part of parts) {
      const own = part.map(({ row }) => row);
      const [first] = own;
      if (first) yield makeEntity(first, own, { id: first.external_id, hasId: false, isSplit });
    }
  }
}

function makeEntity(
  first: UnknownRow,
  rows: readonly UnknownRow[],
  more: Pick<Entity, 'id' | 'hasId' | 'isSplit'>,
): Entity {
  return { ...keysOf(first), title: plain(first.title), rows: rows.map(({ n }) => n), ...more };
}

function keysOf({ deal_url, gtin, is_used }: Product): Keys {
  const link = linkKey(deal_url);
  return {
    code: gtin && `gtin:${gtin}${is_used ? ':used' : ''}`,
    link,
    whole: /[?#;]/.test(deal_url) ? linkKey(deal_url, true) : link,
  };
}

const plain = (title: string) => title.toLowerCase();

function freeId({ id, code, whole, isSplit }: Entity, taken: ReadonlySet<string>): string {
  const wished = isSplit ? [cutId(whole)] : [id];
  if (code) wished.push(code);
  const free = wished.find((one) => !taken.has(one));
  if (free !== undefined) return free;
  const hash = createHash('sha256').update(`${code ?? ''} ${whole}`);
  return `link:${hash.digest('hex').slice(0, 32)}`;
}

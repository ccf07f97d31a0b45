import { readGtin } from '#app/features/feeds/formats/read-gtin.ts';
import { linkId, linkKey } from '#app/features/feeds/formats/product-key.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceCells } from './read-prices.server.ts';

/** A deal that a row names, which may be in the trash. */
export interface PricedDeal {
  id: number;
  currency: string;
}
export type FoundDeal = PricedDeal | 'no-deal' | 'several-deals';

type NamingCells = Pick<PriceCells, 'deal' | 'sku' | 'link' | 'gtin' | 'store'>;

/** A way in which a row identifies its deal. A row may have several, best first. */
interface DealName {
  kind: 'id' | 'slug' | 'sku' | 'link' | 'gtin';
  keys: string[];
}

const mostKept = 20_000;
/** The maximum number of deals in the trash that are recognized. */
const mostTrashed = 10_000;

/** Finds the deals of rows, and caches them while a file is read. */
export function dealFinder(db: Db) {
  const kept = new Map<string, FoundDeal>();
  let trash: Promise<TrashedDeal[]> | null = null;
  return async (rows: readonly NamingCells[]): Promise<FoundDeal[]> => {
    if (kept.size > mostKept) kept.clear();
    const wanted = new Map<string, NamingCells>();
    for (const row of rows) {
      const key = keyOf(row);
      if (!kept.has(key)) wanted.set(key, row);
    }
    const candidates = await findCandidates(db, [...wanted.values()]);
    for (const [n, [key, row]] of [...wanted].entries()) {
      let found = choose(namesOf(row), candidates.get(n) ?? []);
      if (found === 'no-deal') {
        trash ??= listTrashed(db);
        found = choose(namesOf(row), await inTrash(trash, row));
      }
      kept.set(key, found);
    }
    return rows.map((row) => kept.get(keyOf(row)) ?? 'no-deal');
  };
}

const keyOf = ({ deal, sku, link, gtin, store }: NamingCells) =>
  JSON.stringify([deal, sku, link, gtin, store]);

/** Returns the ways in which a row identifies its deal, best first. */
export function namesOf({ deal, sku, link, gtin }: NamingCells): DealName[] {
  const names: DealName[] = [];
  const path = /^(?:https?:\/\/[^/]+)?\/deals\/([^/?#]+)/i.exec(deal)?.[1];
  if (path !== undefined) names.push({ kind: 'slug', keys: [path] });
  else if (/^https?:\/\//i.test(deal)) names.push(linkName(deal));
  else if (deal !== '') {
    if (/^\d{1,11}$/.test(deal)) names.push({ kind: 'id', keys: [String(Number(deal))] });
    names.push({ kind: 'slug', keys: [deal] });
    names.push(...gtinName(deal));
  }
  if (sku !== '') names.push({ kind: 'sku', keys: [sku] });
  if (/^https?:\/\//i.test(link)) names.push(linkName(link));
  names.push(...gtinName(gtin));
  return names;
}

function gtinName(text: string): DealName[] {
  const gtin = readGtin(text, []);
  return gtin === null ? [] : [{ kind: 'gtin', keys: [gtin] }];
}

/** Links are compared ignoring protocol, `www` and tracking parameters. */
function linkName(link: string): DealName {
  const bare = linkKey(link).slice('https://'.length);
  const forms = ['https://', 'http://', 'https://www.', 'http://www.'].flatMap((start) => [
    `${start}${bare}`,
    `${start}${bare}/`,
  ]);
  return { kind: 'link', keys: [link, ...forms, linkId(link)] };
}

type Candidate = PricedDeal & { kind: DealName['kind'] };

/** Chooses the deal by the best of the names that match one. */
function choose(names: readonly DealName[], candidates: readonly Candidate[]): FoundDeal {
  for (const { kind } of names) {
    const byId = new Map(
      candidates.filter((one) => one.kind === kind).map(({ id, currency }) => [id, currency]),
    );
    if (byId.size > 1) return 'several-deals';
    const [only] = byId;
    if (only) return { id: only[0], currency: only[1] };
  }
  return 'no-deal';
}

/** Returns candidate deals by the position of their row. A store narrows the choice. */
async function findCandidates(
  db: Db,
  rows: readonly NamingCells[],
): Promise<Map<number, Candidate[]>> {
  const given = rows.flatMap((row, n) =>
    namesOf(row).flatMap(({ kind, keys }) =>
      keys.map((key) => ({ n, kind, key, store: row.store })),
    ),
  );
  if (given.length === 0) return new Map();
  const found = await ask(db).rows<Candidate & { n: number }>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (n integer, kind text, key text, store text)
    ), named as (
      select g.n, g.kind, g.store, g.key::bigint as deal_id from given g where g.kind = 'id'
      union all
      select g.n, g.kind, g.store, d.id from given g join deals d on d.slug = g.key where g.kind = 'slug'
      union all
      select g.n, g.kind, g.store, r.target_id from given g join slug_redirects r on r.kind = 'deal' and r.slug = g.key
       where g.kind = 'slug' and not exists (select from deals d where d.slug = g.key)
      union all
      select g.n, g.kind, g.store, d.id from given g join deals d on d.external_id = g.key where g.kind in ('sku', 'link')
      union all
      select g.n, g.kind, g.store, d.id from given g join deals d on d.deal_url = g.key where g.kind = 'link'
      union all
      select g.n, g.kind, g.store, d.id from given g join deals d on d.gtin = g.key where g.kind = 'gtin'
    )
    select distinct o.n, o.kind, d.id, d.currency
      from named o join deals d on d.id = o.deal_id join merchants m on m.id = d.merchant_id
     where o.kind in ('id', 'slug') or o.store = '' or lower(o.store) in (lower(m.name), m.slug)`;
  return Map.groupBy(found, ({ n }) => n);
}

type TrashedDeal = PricedDeal & Record<'slug' | 'external_id' | 'deal_url' | 'gtin', string | null>;

function listTrashed(db: Db): Promise<TrashedDeal[]> {
  return ask(db).rows<TrashedDeal>`
    select deal_id as id, coalesce(snapshot #>> '{deals,0,currency}', currency) as currency, snapshot #>> '{deals,0,slug}' as slug,
           snapshot #>> '{deals,0,external_id}' as external_id, snapshot #>> '{deals,0,deal_url}' as deal_url,
           snapshot #>> '{deals,0,gtin}' as gtin
      from deleted_deals order by deleted_at desc limit ${mostTrashed}`;
}

async function inTrash(trash: Promise<TrashedDeal[]>, row: NamingCells): Promise<Candidate[]> {
  const names = namesOf(row);
  const deals = await trash;
  return names.flatMap(({ kind, keys }) =>
    deals
      .filter((deal) => keys.some((key) => isNamed(deal, kind, key)))
      .map(({ id, currency }) => ({ id, currency, kind })),
  );
}

function isNamed(deal: TrashedDeal, kind: DealName['kind'], key: string): boolean {
  if (kind === 'id') return String(deal.id) === key;
  if (kind === 'slug') return deal.slug === key;
  if (kind === 'gtin') return deal.gtin === key;
  return deal.external_id === key || (kind === 'link' && deal.deal_url === key);
}

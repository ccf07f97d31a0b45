import { sql } from 'kysely';
import { lockProducts } from '#app/features/deals/lock-products.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { addProducts, shortestTitle } from './add-products.server.ts';
import { type Candidate, chooseOffers, pairKey } from './choose-offers.ts';
import { readText } from './find-contradiction.ts';
import { productGtin } from './product-gtin.ts';

/** GTINs per batch; a batch takes 0.2 s */
const batchSize = 1_000;
/** maximum number of deals with one GTIN, and of offers of a product, that are compared */
const mostCompared = 200;

export const areProductsDue = () => sql`(select true from match_checks order by id limit 1)`;

/** Compares the deals of changed GTINs, and links those that are certainly the same product. */
export function matchProducts(db: Db, signal?: AbortSignal): Promise<void> {
  return inBatches(signal, () => db.transaction().execute(matchBatch));
}

interface Row extends Omit<Candidate, 'facts' | 'isLinked'> {
  gtin: string | null;
  /** The product that has this GTIN, or `null` for a new or shared GTIN. */
  owner: number | null;
  /** The GTIN, unless a product has it. */
  number: string | null;
  isShared: boolean;
  product: number | null;
}

/** The decision on the deals of a product, or of a GTIN without a product. */
interface Match {
  product: number | null;
  title: string;
  joining: Row[];
  leaving: Row[];
}

async function matchBatch(tx: Tx): Promise<boolean> {
  await lockProducts(tx);
  const gtins = await ask(tx).column<string>`
    with taken as (select id from match_checks order by id limit ${batchSize} for update skip locked)
    delete from match_checks c using taken where c.id = taken.id returning c.gtin`;
  if (gtins.length === 0) return false;
  await returnConfirmed(tx, gtins);
  await writeMatches(tx, await findMatches(tx, gtins));
  return true;
}

/**
 * Restores links by staff that ended when the GTIN changed, if the GTIN is back, for example after
 * a rollback.
 */
async function returnConfirmed(tx: Tx, gtins: string[]): Promise<void> {
  const found = await ask(tx).rows<{ id: number; product: number; gtin: string }>`
    select d.id, current_product(l.from_product) as product, d.gtin
      from deals d
      cross join lateral (
        select * from product_links l
         where l.deal_id = d.id and l.returns_with is not null order by l.id desc limit 1) l
     where d.gtin = any(${gtins}) and l.returns_with = d.gtin and not d.product_confirmed
       and not exists (
         select from product_links n where n.deal_id = d.id and n.id > l.id and n.actor is not null)`;
  await writeLinks(
    tx,
    found.map(({ id, product, gtin }) => ({ id, gtin, product, isConfirmed: true })),
  );
}

async function findMatches(tx: Tx, gtins: string[]): Promise<Match[]> {
  const facts = sql`d.id, d.gtin, d.title, d.brand, d.merchant_id, d.sale_price, d.currency, d.status, d.product_id, d.product_confirmed`;
  const rows = await ask(tx).rows<Row>`
    with asked as (
      select distinct g.product_id as owner, g.gtin is not null and g.product_id is null as "isShared",
             case when g.product_id is null then a.gtin end as number
        from unnest(${gtins}::text[]) a (gtin) left join product_gtins g on g.gtin = a.gtin
    )
    select a.*, d.id, d.gtin, d.title, d.brand, d.merchant_id as "merchantId", d.sale_price as price, d.currency,
           d.status = 'new' as "isNew", d.product_id as product, d.product_confirmed as "isConfirmed",
           m.matches_freely as "matchesFreely"
      from asked a
      cross join lateral (
        (select ${facts} from deals d where d.product_id = a.owner limit ${mostCompared})
        union all
        (select ${facts} from product_gtins g join deals d on d.gtin = g.gtin
          where g.product_id = a.owner and d.product_id is null limit ${mostCompared})
        union all
        (select ${facts} from deals d where d.gtin = a.number and not d.product_confirmed limit ${mostCompared})) d
      join merchants m on m.id = d.merchant_id
     order by d.id`;
  const groups = [
    ...Map.groupBy(rows, ({ owner, number }) => owner ?? number ?? '').values(),
  ].filter((deals) => deals.length > 1 || deals.some(({ product }) => product !== null));
  const refused = await findRefused(
    tx,
    groups.flatMap((deals) => deals.map(({ id }) => id)),
  );
  return groups.flatMap((deals) => {
    const match = decide(deals, refused);
    return match.joining.length + match.leaving.length > 0 ? [match] : [];
  });
}

function decide(rows: readonly Row[], refused: ReadonlySet<string>): Match {
  const [first] = rows;
  const isNumberOfGoods =
    first?.number == null || (!first.isShared && productGtin(first.number) !== null);
  const candidates = rows.map((row) => ({
    ...row,
    ...readText(row),
    isLinked: row.product !== null,
  }));
  const chosen = new Set(isNumberOfGoods ? chooseOffers(candidates, refused) : []);
  const offers = rows.filter(({ id }) => chosen.has(id));
  return {
    product: first?.owner ?? null,
    title: shortestTitle(offers.map(({ title }) => title)),
    joining: offers.filter(({ product }) => product === null),
    leaving: rows.filter(({ id, product }) => product !== null && !chosen.has(id)),
  };
}

/** Returns the pairs among these deals that staff declared different. */
async function findRefused(tx: Tx, ids: number[]): Promise<Set<string>> {
  const pairs = await ask(tx).rows<{ deal_id: number; other_id: number }>`
    select deal_id, other_id from duplicate_dismissals where deal_id = any(${ids}::bigint[])`;
  return new Set(pairs.map((pair) => pairKey(pair.deal_id, pair.other_id)));
}

async function writeMatches(tx: Tx, matches: readonly Match[]): Promise<void> {
  const isNew = ({ product, joining }: Match) => product === null && joining.length > 0;
  const added = await addProducts(
    tx,
    matches.filter(isNew).map(({ title, joining }) => ({ title, gtin: joining[0]?.gtin ?? '' })),
  );
  await writeLinks(
    tx,
    matches.flatMap(({ product, joining, leaving }) => [
      ...joining.flatMap(({ id, gtin }) => {
        const to = product ?? added.get(gtin ?? '') ?? null;
        return to === null ? [] : [{ id, gtin, product: to, isConfirmed: false }];
      }),
      ...leaving.map(({ id, gtin }) => ({ id, gtin, product: null, isConfirmed: false })),
    ]),
  );
}

interface Link {
  id: number;
  /**
   * The GTIN on which the decision is based. A deal that now has another GTIN is skipped, since it
   * has its own check.
   */
  gtin: string | null;
  product: number | null;
  isConfirmed: boolean;
}

async function writeLinks(tx: Tx, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const ids = links.map(({ id }) => id);
  // Rows are locked in the same order as by imports, which would otherwise deadlock with this
  // update.
  await sql`select from deals where id = any(${ids}::bigint[]) order by id for no key update`.execute(
    tx,
  );
  await sql`
    update deals d set product_id = l.product, product_confirmed = l.confirmed
      from unnest(${ids}::bigint[], ${links.map(({ gtin }) => gtin)}::text[], ${links.map(({ product }) => product)}::bigint[],
                  ${links.map(({ isConfirmed }) => isConfirmed)}::boolean[]) l (id, gtin, product, confirmed)
     where d.id = l.id and d.gtin is not distinct from l.gtin`.execute(tx);
}

import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { addProducts } from './add-products.server.ts';
import { type Candidate, chooseOffers, pairKey } from './choose-offers.ts';
import { readText } from './find-contradiction.ts';
import { productGtin } from './product-gtin.ts';

/** GTINs per batch; takes 0.2 s */
const batchSize = 1_000;

export const areProductsDue = () => sql`(select true from match_checks order by id limit 1)`;

/** Compares the deals of changed GTINs, and links those that are certainly one product. */
export function matchProducts(db: Db, signal?: AbortSignal): Promise<void> {
  return inBatches(signal, () => db.transaction().execute(matchBatch));
}

interface Row extends Omit<Candidate, 'facts' | 'isLinked'> {
  gtin: string;
  product: number | null;
}

/** The decision on a GTIN: the deals that are offers, and those that are no longer. */
interface Match {
  gtin: string;
  title: string;
  joining: number[];
  leaving: number[];
}

async function matchBatch(tx: Tx): Promise<boolean> {
  const gtins = await ask(tx).column<string>`
    with taken as (select id from match_checks order by id limit ${batchSize} for update skip locked)
    delete from match_checks c using taken where c.id = taken.id returning c.gtin`;
  if (gtins.length === 0) return false;
  const matches = await findMatches(tx, [...new Set(gtins)]);
  await writeMatches(tx, matches);
  return true;
}

async function findMatches(tx: Tx, gtins: string[]): Promise<Match[]> {
  const rows = await ask(tx).rows<Row>`
    select d.id, d.gtin, d.title, d.brand, d.merchant_id as "merchantId", d.sale_price as price, d.currency,
           d.status = 'new' as "isNew", d.product_id as product, m.matches_freely as "matchesFreely",
           d.product_id is not null and coalesce(
             (select l.actor is not null from product_links l where l.deal_id = d.id order by l.id desc limit 1), false) as "isConfirmed"
      from deals d join merchants m on m.id = d.merchant_id
     where d.gtin = any(${gtins}) order by d.id`;
  const groups = [...Map.groupBy(rows, ({ gtin }) => gtin)].filter(
    ([, deals]) => deals.length > 1 || deals.some(({ product }) => product !== null),
  );
  const refused = await findRefused(
    tx,
    groups.flatMap(([, deals]) => deals.map(({ id }) => id)),
  );
  return groups.flatMap(([gtin, deals]) => {
    const match = decide(gtin, deals, refused);
    return match.joining.length + match.leaving.length > 0 ? [match] : [];
  });
}

function decide(gtin: string, deals: readonly Row[], refused: ReadonlySet<string>): Match {
  const candidates = deals.map((row) => ({
    ...row,
    ...readText(row),
    isLinked: row.product !== null,
  }));
  const chosen = new Set(productGtin(gtin) === null ? [] : chooseOffers(candidates, refused));
  const offers = candidates.filter(({ id }) => chosen.has(id));
  const [first, ...rest] = offers.map(({ title }) => title);
  return {
    gtin,
    // The shortest title has the least advertising.
    title: rest.reduce((best, one) => (one.length < best.length ? one : best), first ?? ''),
    joining: offers.filter(({ isLinked }) => !isLinked).map(({ id }) => id),
    leaving: candidates
      .filter(({ id, isLinked }) => isLinked && !chosen.has(id))
      .map(({ id }) => id),
  };
}

/** Returns the pairs among these deals that staff declared different. */
async function findRefused(tx: Tx, ids: number[]): Promise<Set<string>> {
  const pairs = await ask(tx).rows<{ deal_id: number; other_id: number }>`
    select deal_id, other_id from duplicate_dismissals where deal_id = any(${ids}::bigint[])`;
  return new Set(pairs.map((pair) => pairKey(pair.deal_id, pair.other_id)));
}

async function writeMatches(tx: Tx, matches: readonly Match[]): Promise<void> {
  const joining = matches.filter((match) => match.joining.length > 0);
  await addProducts(tx, joining);
  const pairs = joining.flatMap(({ gtin, joining: ids }) => ids.map((id) => ({ gtin, id })));
  const leaving = matches.flatMap((match) => match.leaving);
  const ids = [...pairs.map(({ id }) => id), ...leaving];
  // Locked in the order of imports, which would otherwise deadlock with the update.
  await sql`select from deals where id = any(${ids}::bigint[]) order by id for update`.execute(tx);
  await sql`
    update deals d set product_id = j.product_id
      from (select p.id as product_id, j.id, j.gtin
              from unnest(${pairs.map(({ id }) => id)}::bigint[], ${pairs.map(({ gtin }) => gtin)}::text[]) j (id, gtin)
              join products p on p.gtin = j.gtin
            union all
            select null, id, null from unnest(${leaving}::bigint[]) id) j
     where d.id = j.id and (j.gtin is null or d.gtin = j.gtin)`.execute(tx);
}

import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { isLinkId, linkId, pathId } from '../formats/product-key.ts';
import { type KnownDeal, pairProducts, type UnknownRow } from './pair-products.ts';

/** The maximum number of deals to match; those that expired earliest are left out. */
const mostDeals = 200_000;

/**
 * Finds the deals of staged rows that have no id or a new one, by GTIN or link. Such a row gets the
 * `external_id` of its deal, by which the plan finds the deal.
 */
export async function matchProducts(db: Db, merchantId: number | null): Promise<void> {
  const staged = await ask(db).row<{ nameless: boolean; refused: boolean; derived: boolean }>`
    select exists (select from pg_temp.import_rows r where ${isDerived('r')}) as nameless,
           exists (select from pg_temp.import_refused r where ${isDerived('r')}) as refused,
           exists (select from deals d where d.merchant_id = ${merchantId}::bigint and ${isDerived('d')}) as derived`;
  const { nameless = false, refused = false, derived = false } = staged ?? {};
  if (!nameless && !refused && !derived) return;
  const { rows, knownIds } = await listUnknown(db, merchantId, derived);
  if (rows.length === 0 && !refused) return;
  const deals = await listKnown(db, merchantId, !nameless && !refused);
  await giveIds(
    db,
    pairProducts(
      rows,
      deals.filter(({ external_id }) => !knownIds.has(external_id)),
    ),
  );
  if (refused) await markRefused(db, deals);
}

/**
 * Whether an id may consist of a link or a code. An id of 255 characters may be the end of a link.
 */
function isDerived(alias: 'r' | 'd') {
  const id = sql.ref(`${alias}.external_id`);
  return sql`(${id} like any (array['http%', 'gtin:%', 'link:%', '/%', 'www.%', '{shop}%']) or length(${id}) = 255)`;
}

type StagedRow = Omit<UnknownRow, 'has_id'> & { is_known: boolean };

/**
 * Returns rows without an id or with a new one, and the known ids that only look like links or
 * codes.
 */
async function listUnknown(db: Db, merchantId: number | null, hasDerived: boolean) {
  const staged = await ask(db).rows<StagedRow>`
    select r.n, r.external_id, r.title, r.deal_url, r.gtin, coalesce(r.status = 'used', false) as is_used, d.id is not null as is_known
      from pg_temp.import_rows r
      left join deals d on d.merchant_id = ${merchantId}::bigint and d.external_id = r.external_id
     where ${isDerived('r')} or (${hasDerived} and d.id is null) order by r.n`;
  const rows: UnknownRow[] = [];
  const knownIds = new Set<string>();
  for (const { is_known, ...row } of staged) {
    const has_id = !isLinkId(row.external_id, row.deal_url);
    if (has_id && is_known) knownIds.add(row.external_id);
    else rows.push({ ...row, has_id });
  }
  return { rows, knownIds };
}

/** Returns the merchant's deals that no row names by its own id, live ones first. */
function listKnown(db: Db, merchantId: number | null, isDerivedOnly: boolean) {
  return ask(db).rows<KnownDeal>`
    select d.external_id, d.title, d.deal_url, d.gtin, d.status = 'used' as is_used from deals d
     where d.merchant_id = ${merchantId}::bigint and d.external_id is not null and (not ${isDerivedOnly} or ${isDerived('d')})
       and not exists (select from pg_temp.import_rows r where r.external_id = d.external_id and not ${isDerived('r')})
       and not exists (select from pg_temp.import_refused r where r.external_id = d.external_id)
     order by d.is_active and not d.is_expired desc, case when d.is_active and not d.is_expired then d.id else -d.id end
     limit ${mostDeals}`;
}

async function giveIds(db: Db, pairs: ReturnType<typeof pairProducts>): Promise<void> {
  const given = pairs.flatMap(({ rows, ...ids }) => rows.map((n) => ({ n, ...ids })));
  if (given.length === 0) return;
  await sql`
    update pg_temp.import_rows r set external_id = g.external_id, becomes = g.becomes
      from json_to_recordset(${JSON.stringify(given)}::json) as g(n int, external_id text, becomes text)
     where r.n = g.n and (r.external_id, r.becomes) is distinct from (g.external_id, g.becomes)`.execute(
    db,
  );
}

/** Prevents rejected rows without an id from ending the deals that have their links. */
async function markRefused(db: Db, deals: readonly KnownDeal[]): Promise<void> {
  const refused = new Set(
    await ask(db).column<string>`
      select external_id from pg_temp.import_refused r where ${isDerived('r')}`,
  );
  const kept = deals
    .filter(({ deal_url }) => refused.has(linkId(deal_url)) || refused.has(pathId(deal_url)))
    .map(({ external_id }) => external_id);
  await sql`insert into pg_temp.import_refused select unnest(${kept}::text[])`.execute(db);
}

import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { runCurrency } from './import-plan-queries.server.ts';
import { type ImportIssue, type ImportStep, mostIssues } from './import-steps.ts';

/**
 * Completes the staged rows of a supplemental feed with the values of their deals. The plan then
 * changes only the fields in the feed. Rows without a deal are removed and reported.
 */
export async function* completeSupplement(
  db: Db,
  merchantId: number | null,
): AsyncGenerator<ImportStep> {
  yield { issues: await removeUnknown(db, merchantId), mayStop: true };
  if (merchantId === null) return;
  yield { issues: await removeUnpriced(db, merchantId), mayStop: true };
  await sql`
    update pg_temp.import_rows r set
        title = coalesce(r.title, d.title),
        deal_url = coalesce(r.deal_url, d.deal_url),
        expires_at = coalesce(r.expires_at, d.expires_at),
        category_id = null, new_category = null,
        sale_price = ${salePrice}, original_price = ${originalPrice}
      from deals d
     where d.merchant_id = ${merchantId} and d.external_id = r.external_id`.execute(db);
}

/** A note in the report if a feed was recognized as supplemental. */
export const supplementNote: ImportIssue = {
  kind: 'note',
  line: null,
  external_id: null,
  reason: 'the feed has ids, but neither titles nor links: it only updates existing deals',
};

const isSameCurrency = sql`d.currency = ${runCurrency}`;
/** The regular price is still that of the deal, so its discount is kept. */
const isKnownRegular = sql`(r.given_prices = 'regular' and ${isSameCurrency}
  and d.original_price = r.sale_price and d.original_price > d.sale_price)`;

/** If the row has no price, a held or rejected price is unchanged. */
const salePrice = sql`case
  when r.given_prices = 'none' then coalesce(d.held_price, d.refused_price, d.sale_price)
  when ${isKnownRegular} then d.sale_price
  else r.sale_price end`;

/** A sale price alone is a discount on the deal's regular price. */
const originalPrice = sql`case
  when r.given_prices = 'none' or ${isKnownRegular} then d.original_price
  when r.given_prices = 'both' or not ${isSameCurrency} then r.original_price
  when r.given_prices = 'sale' then (
    select regular from (select greatest(d.original_price, d.sale_price) as regular) as known
     where regular > r.sale_price)
  when d.original_price > r.sale_price then d.original_price end`;

async function removeUnknown(db: Db, merchantId: number | null): Promise<ImportIssue[]> {
  const rows = await ask(db).rows<{ line: number; external_id: string }>`
    with unknown as (
      delete from pg_temp.import_rows r
       where not exists (select from deals d
               where d.merchant_id = ${merchantId}::bigint and d.external_id = r.external_id)
      returning line, external_id)
    select line, external_id from unknown order by line limit ${mostIssues}`;
  const reason = 'no deal has this id, and the feed only updates existing deals';
  return rows.map((row) => ({ kind: 'note', ...row, reason }));
}

/** Removes rows that would change the currency of a deal's price without a new amount. */
async function removeUnpriced(db: Db, merchantId: number): Promise<ImportIssue[]> {
  const rows = await ask(db).rows<{ line: number; external_id: string; currency: string }>`
    with other as (
      delete from pg_temp.import_rows r using deals d
       where d.merchant_id = ${merchantId} and d.external_id = r.external_id
         and r.given_prices = 'none' and not ${isSameCurrency}
      returning r.line, r.external_id, d.currency)
    select line, external_id, currency from other order by line limit ${mostIssues}`;
  return rows.map(({ currency, ...row }) => {
    return { kind: 'note', ...row, reason: `unchanged: the deal's price is in ${currency}` };
  });
}

import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '#database/connect.ts';

const mostNames = 30;

/**
 * Returns the facts about earnings for the "How we rank and earn" page, from the current settings.
 * Also returns the names of stores that have an affiliate link, forbid a price history, or require
 * old prices to be hidden.
 */
export async function summariseProgrammes(db: Db) {
  const [counts, names, withoutHistory, hidingPrices] = await Promise.all([
    db
      .selectFrom('merchants')
      .select(({ fn }) => [
        fn.countAll<number>().as('total'),
        fn.count<number>('affiliate_template').as('withAffiliateLink'),
      ])
      .executeTakeFirstOrThrow(),
    listNames(db, sql`affiliate_template is not null`),
    listNames(db, sql`not keep_history`),
    listNames(db, sql`hide_price_after_hours is not null`),
  ]);
  return { ...counts, names, withoutHistory, hidingPrices };
}

async function listNames(db: Db, condition: RawBuilder<SqlBool>): Promise<string[]> {
  const merchants = db.selectFrom('merchants').select('name').where(condition);
  const rows = await merchants.orderBy('name').limit(mostNames).execute();
  return rows.map(({ name }) => name);
}

/** Returns whether this merchant's program allows logging its prices. */
export async function keepsPriceHistory(db: Db, merchantId: number): Promise<boolean> {
  const row = await db
    .selectFrom('merchants')
    .select('keep_history')
    .where('id', '=', merchantId)
    .executeTakeFirst();
  return row?.keep_history ?? false;
}

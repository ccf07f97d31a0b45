import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '#database/connect.ts';

export interface ProgrammeSummary {
  total: number;
  withAffiliateLink: number;
  /** Up to 30 names of stores with an affiliate link, alphabetical. */
  names: string[];
  /** Up to 30 names of stores whose programme forbids a price history (P35d). */
  withoutHistory: string[];
  /** Up to 30 names of stores whose programme wants old prices hidden. */
  hidingPrices: string[];
}

const mostNames = 30;

/** What the "How we rank and earn" page says of money, from the merchants' real settings. */
export async function summariseProgrammes(db: Db): Promise<ProgrammeSummary> {
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

/** Whether this merchant's programme allows its prices to be logged (P35d). */
export async function keepsPriceHistory(db: Db, merchantId: number): Promise<boolean> {
  const row = await db
    .selectFrom('merchants')
    .select('keep_history')
    .where('id', '=', merchantId)
    .executeTakeFirst();
  return row?.keep_history ?? false;
}

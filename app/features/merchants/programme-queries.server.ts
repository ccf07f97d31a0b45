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
  const [counts, earning, unlogged, hiding] = await Promise.all([
    db
      .selectFrom('merchants')
      .select(({ fn }) => [
        fn.countAll<number>().as('total'),
        fn.count<number>('affiliate_template').as('withAffiliateLink'),
      ])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('merchants')
      .select('name')
      .where('affiliate_template', 'is not', null)
      .orderBy('name')
      .limit(mostNames)
      .execute(),
    db
      .selectFrom('merchants')
      .select('name')
      .where('keep_history', '=', false)
      .orderBy('name')
      .limit(mostNames)
      .execute(),
    db
      .selectFrom('merchants')
      .select('name')
      .where('hide_price_after_hours', 'is not', null)
      .orderBy('name')
      .limit(mostNames)
      .execute(),
  ]);
  return {
    ...counts,
    names: earning.map((merchant) => merchant.name),
    withoutHistory: unlogged.map((merchant) => merchant.name),
    hidingPrices: hiding.map((merchant) => merchant.name),
  };
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

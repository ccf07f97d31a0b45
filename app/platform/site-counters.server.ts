import type { Db } from '#database/connect.ts';

/**
 * Returns the number of rows of each kind from counters that triggers maintain, without counting
 * rows. A kind without a counter has 0.
 */
export async function readCounters(
  db: Db,
  what: 'deals' | 'users' | 'subscriptions',
): Promise<(sort: string) => number> {
  const rows = await db
    .selectFrom('site_counters')
    .select(['name', 'value'])
    .where('name', 'like', `%\\_${what}`)
    .execute();
  const counters = new Map(rows.map(({ name, value }) => [name, value]));
  return (sort) => counters.get(`${sort}_${what}`) ?? 0;
}

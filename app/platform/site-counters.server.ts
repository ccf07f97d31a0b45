import type { Db } from '#database/connect.ts';

/** How many there are of each sort, as triggers keep it: nothing is counted. Of a sort without a counter there are 0. */
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

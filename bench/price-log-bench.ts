import { sql } from 'kysely';
import { listDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import type { Db } from '#database/connect.ts';
import { durationOf, type Measured, ms, table, timingOf, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';

const mostRatio = 1.1;
const pages = 10;

/**
 * Measures the database time for the cards of ten list pages whose deals had a daily price for a
 * week. Alternates with ten pages whose deals had a daily price for a year. All transactions are
 * rolled back.
 */
export async function benchPriceLog(
  serverUrl: string,
  deals: number,
  rounds: number,
  report: (line: string) => void,
): Promise<Measured> {
  const limits = { maxConnections: 2, statementTimeout: 0 };
  const connection = await openShop(serverUrl, deals, report, limits);
  const shops = [
    await openDays(connection.db, 7, 1),
    await openDays(connection.db, 365, 1 + pages),
  ];
  try {
    const times: number[][] = shops.map(() => []);
    for (let round = 0; round <= rounds; round++) {
      for (const [n, { tx, shown }] of shops.entries()) {
        const cards = shown[round % pages] ?? [];
        const spent = await durationOf(() => priceDeals(tx, cards, defaultSettings, new Date()));
        if (round >= pages) times[n]?.push(spent); // The first round of pages is only a warm-up.
      }
    }
    const [week = 0, year = 0] = times.map((one) => timingOf(one).median);
    const ratio = year / week;
    const isMet = ratio <= mostRatio;
    const target = `${mostRatio.toFixed(2)}, ${verdictOn(isMet)}`;
    const text = table([
      ['ms, median', 'a week', 'a year', 'ratio', 'target'],
      ['prices of 24 cards', ms(week), ms(year), ratio.toFixed(2), target],
    ]);
    return { results: { week, year, ratio }, text, isMet };
  } finally {
    for (const { tx } of shops) await tx.rollback().execute();
    await connection.close();
  }
}

/**
 * Opens ten pages of a list, whose deals had a different price on each of the last days. The rows
 * stay in an uncommitted transaction.
 */
async function openDays(db: Db, days: number, firstPage: number) {
  const tx = await db.startTransaction().execute();
  const shown = [];
  for (let page = firstPage; page < firstPage + pages; page++) {
    shown.push((await listDeals({ db: tx }, { filter: {}, sort: 'newest', page })).deals);
  }
  await sql`
    insert into price_log (deal_id, at, sale_price, original_price, availability, source)
      select d.id, now() - day * interval '1 day', d.sale_price * (90 + (d.id * 7 + day * 13) % 40) / 100, d.original_price,
             'in_stock', 'feed'
        from deals d, generate_series(${days}::int, 1, -1) day
       where d.id = any(${shown.flat().map(({ id }) => id)}) order by day desc`.execute(tx);
  return { tx, shown };
}

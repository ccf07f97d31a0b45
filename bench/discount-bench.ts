import { sql } from 'kysely';
import { stepForecasts } from '#app/features/prices/forecast-prices.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { durationOf, type Measured, table, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';

const mostMinutes = 15;
/**
 * The prices of one deal in twenty change each day. Half of the changes are announced as discounts.
 */
const changedOf = 20;

/**
 * Measures the discount check and the forecasts: a first pass over a year of prices, a day of price
 * changes, and the next night's pass. Runs in a transaction that is rolled back. The time for a
 * million deals is extrapolated.
 */
export async function benchDiscounts(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const connection = await openShop(serverUrl, deals, report, { statementTimeout: 0 });
  const tx = await connection.db.startTransaction().execute();
  try {
    await announceHalf(tx);
    const lines = await ask(tx).value<number>`select count(*) from price_log`;
    const first = await durationOf(() => passOver(tx, report));
    const change = await durationOf(() => changePrices(tx));
    const night = await durationOf(() => passOver(tx, report));
    const forecasts = await durationOf(async () => {
      // The very first run takes two passes, since there are no rates yet.
      while (await stepForecasts(tx, new Date()));
    });
    const checks = await ask(tx).value<number>`select count(*) from reduction_checks`;
    const said = await ask(tx).value<number>`select count(*) from deal_forecasts`;
    const forMillion = (ms: number) => (ms / 60_000) * (1_000_000 / deals);
    const isMet = forMillion(night + forecasts / 2) <= mostMinutes;
    const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);
    const text = table([
      [`${deals} deals, ${lines} lines`, 'seconds', 'minutes for a million', 'target'],
      ['first pass, everything recomputed', inSeconds(first), forMillion(first).toFixed(1), ''],
      [`change of ${deals / changedOf} prices`, inSeconds(change), '', ''],
      ['pass of a night', inSeconds(night), forMillion(night).toFixed(1), ''],
      [
        `forecasts of ${said} deals`,
        inSeconds(forecasts / 2),
        forMillion(forecasts / 2).toFixed(1),
        '',
      ],
      [
        'both',
        inSeconds(night + forecasts / 2),
        forMillion(night + forecasts / 2).toFixed(1),
        `${mostMinutes}, ${verdictOn(isMet)}`,
      ],
    ]);
    return { results: { lines, checks, said, first, change, night, forecasts }, text, isMet };
  } finally {
    await tx.rollback().execute();
    await connection.close();
  }
}

/** Gives the price log lines of every second deal a struck price that is 20% higher. */
async function announceHalf(tx: Db): Promise<void> {
  await sql`alter table price_log disable trigger user`.execute(tx);
  await sql`update price_log set original_price = sale_price * 6 / 5 where deal_id % 2 = 0 and id % 2 = 0`.execute(
    tx,
  );
  await sql`alter table price_log enable trigger user`.execute(tx);
}

async function changePrices(tx: Db): Promise<void> {
  await sql`
    update deals set sale_price = greatest(1, sale_price * 9 / 10), original_price = case when id % 2 = 0 then sale_price end
     where id % ${changedOf} = 0`.execute(tx);
}

async function passOver(tx: Db, report: (line: string) => void): Promise<void> {
  await sql`select begin_discount_check()`.execute(tx);
  const spent: number[] = [];
  const step = { isLast: false };
  while (!step.isLast) {
    spent.push(
      await durationOf(async () => {
        step.isLast = (await ask(tx).value<boolean>`select step_discount_check()`) !== true;
      }),
    );
  }
  report(`${spent.length} steps, the longest ${Math.round(Math.max(...spent))} ms`);
}

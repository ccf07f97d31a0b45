import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { errorCode } from '#database/error-code.ts';
import { collectCouponsOnce } from './collect-new-coupons.server.ts';

/** The time limit of each step; the next run continues. */
const stepMs = 20_000;
/** A normal query takes a second. */
const matchTimeoutMs = 10_000;
const searchesPerBatch = 2_000;
const productsPerBatch = 200;

type Log = Pick<AppServices['log'], 'warn'>;

/**
 * Finds the filters that new deals and new prices match, then notifies the searches with these
 * filters, and the watches of products whose low fell. All queries come first, so that a search is
 * notified once. The job can be killed at any point.
 */
export async function matchSearches(db: Db, log: Log, signal?: AbortSignal): Promise<void> {
  const steps = [matchOnce, spreadOnce, collectCouponsOnce, checkProductsOnce, spreadLowsOnce];
  for (const step of steps) {
    const end = Date.now() + stepMs;
    await inBatches(signal, async () => Date.now() < end && (await step(db, log)) > 0);
  }
}

/**
 * Returns 0 if nothing is new. A query that takes too long is retried with half as many rows. A
 * single row that takes too long is skipped.
 */
export async function matchOnce(db: Db, log?: Log, timeoutMs = matchTimeoutMs): Promise<number> {
  const lot = (await ask(db).value<number>`select lot from watch_marks`) ?? 1;
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx);
      return matchBatch(tx, lot, true);
    });
  } catch (error) {
    if (errorCode(error) !== '57014') throw error;
    if (lot > 1) {
      await sql`update watch_marks set lot = ${Math.floor(lot / 2)}`.execute(db);
      return lot;
    }
    const skipped = await ask(db).row`select seen_log, seen_deal from watch_marks`;
    log?.warn({ err: error, after: skipped }, 'watched searches were not notified of a deal');
    return matchBatch(db, 1, false);
  }
}

async function matchBatch(db: Db, lot: number, judges: boolean): Promise<number> {
  return (await ask(db).value<number>`select find_for_searches(${lot}, ${judges})`) ?? 0;
}

export async function spreadOnce(db: Db): Promise<number> {
  return (await ask(db).value<number>`select spread_finds(${searchesPerBatch})`) ?? 0;
}

/** Compares the offers of watched products that changed. */
export async function checkProductsOnce(db: Db): Promise<number> {
  return (await ask(db).value<number>`select check_products(${productsPerBatch})`) ?? 0;
}

/** Notifies the watches of a product whose low fell. */
export async function spreadLowsOnce(db: Db): Promise<number> {
  return (await ask(db).value<number>`select spread_lows(${searchesPerBatch})`) ?? 0;
}

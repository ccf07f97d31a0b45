import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';

/** ms; leaves time for other work; the next hourly run continues */
const mostMilliseconds = 10 * 60_000;

/**
 * Compares announced reductions with the price log, in steps. Each step is a transaction that
 * stores its position.
 */
export async function checkDiscounts(
  { db }: Pick<AppServices, 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  const until = performance.now() + mostMilliseconds;
  await sql`select begin_discount_check()`.execute(db);
  const mayGoOn = () => !signal?.aborted && performance.now() < until;
  while (mayGoOn() && (await ask(db).value<boolean>`select step_discount_check()`));
}

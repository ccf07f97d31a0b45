import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';

/** Leaves room for other work; the next hour goes on. */
const mostMilliseconds = 10 * 60_000;

/**
 * Holds announced reductions against the price log (decision 059), in steps of a transaction each, which know how far they
 * came.
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

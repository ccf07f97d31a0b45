import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';

const dealsAtATime = 2_000;

/**
 * Recomputes how far each price is below its usual one, which changes even if the price does not.
 */
export async function ageStandings(db: Db, signal?: AbortSignal): Promise<void> {
  let last: number | null = 0;
  await inBatches(signal, async () => {
    last = await ask(db).value<number>`select age_standings(${last}, ${dealsAtATime})`;
    return last !== null;
  });
}

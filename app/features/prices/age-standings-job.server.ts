import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

const dealsAtATime = 2_000;

/** Looks again how far each price is below its usual one, which changes with time alone. */
export async function ageStandings(db: Db, signal?: AbortSignal): Promise<void> {
  const mayGoOn = () => !signal?.aborted;
  let last: number | null | undefined = 0;
  while (typeof last === 'number' && mayGoOn()) {
    last = await ask(db).value<number | null>`select age_standings(${last}, ${dealsAtATime})`;
  }
}

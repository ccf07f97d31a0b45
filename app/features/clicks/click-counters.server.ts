import type { Db } from '#database/connect.ts';
import { ClickCounter } from './click-counter.server.ts';

const counters = new WeakMap<Db, ClickCounter>();

/** Returns the counter of this process for a database. */
export function clickCounter(db: Db, onError: (error: unknown) => void): ClickCounter {
  let counter = counters.get(db);
  if (!counter) {
    counter = new ClickCounter(db, onError);
    counters.set(db, counter);
  }
  return counter;
}

/** Writes the clicks of the last second before the site stops. */
export async function flushClicks(db: Db): Promise<void> {
  await counters.get(db)?.flush();
}

import type { Db } from '#database/connect.ts';
import { ClickCounter } from './click-counter.server.ts';
import { addClicks } from './click-queries.server.ts';

const counters = new WeakMap<Db, Map<typeof addClicks, ClickCounter>>();

/**
 * Returns this process's counter for a database: of clicks on deals, or of the clicks that `write`
 * stores.
 */
export function clickCounter(
  db: Db,
  onError: (error: unknown) => void,
  write = addClicks,
): ClickCounter {
  const ofDatabase = counters.get(db) ?? new Map<typeof addClicks, ClickCounter>();
  counters.set(db, ofDatabase);
  const counter = ofDatabase.get(write) ?? new ClickCounter(db, onError, write);
  ofDatabase.set(write, counter);
  return counter;
}

/** Writes the clicks of the last second before the site stops. */
export async function flushClicks(db: Db): Promise<void> {
  for (const counter of counters.get(db)?.values() ?? []) await counter.flush();
}

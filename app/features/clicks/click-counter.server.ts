import { isProgram } from '#app/platform/is-visit.ts';
import type { Db } from '#database/connect.ts';
import { RecentVisits } from './recent-visits.server.ts';
import { addClicks, type Clicks } from './click-queries.server.ts';

const flushAfter = 1_000;

/** A person or bot that follows a link to a store. */
export interface Follower {
  address: string;
  userAgent: string | null;
}

/**
 * Counts clicks without a cookie, an IP address or a delay. Clicks are collected for a second, then
 * added up in one write.
 */
export class ClickCounter {
  readonly #visits = new RecentVisits();
  #counts = new Map<string, Clicks>();
  #timer: NodeJS.Timeout | undefined;
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #write: (db: Db, clicks: Clicks[]) => Promise<void>;

  /** `write` stores the counts, by default as clicks on deals. */
  constructor(db: Db, onError: (error: unknown) => void, write = addClicks) {
    this.#db = db;
    this.#onError = onError;
    this.#write = write;
  }

  /** Records one click. `at` decides its day (UTC). Bots and repeated clicks do not count. */
  count({ address, userAgent }: Follower, dealId: number, at: Date): void {
    if (userAgent === null || isProgram(userAgent)) return;
    if (!this.#visits.isNew({ address, userAgent }, dealId, at)) return;
    this.#add({ dealId, day: at.toISOString().slice(0, 10), count: 1 });
    this.#timer ??= setTimeout(() => void this.flush(), flushAfter).unref();
  }

  /** Writes the collected clicks. Called by the timer and at shutdown. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#counts.values()];
    this.#counts.clear();
    if (entries.length === 0) return;
    try {
      await this.#write(this.#db, entries);
    } catch (error) {
      this.#onError(error);
      for (const entry of entries) this.#add(entry);
    }
  }

  #add({ dealId, day, count }: Clicks): void {
    const key = `${dealId} ${day}`;
    const before = this.#counts.get(key)?.count ?? 0;
    this.#counts.set(key, { dealId, day, count: before + count });
  }
}

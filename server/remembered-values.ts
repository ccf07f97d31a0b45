import type { KeepValue } from '#app/platform/app-context.server.ts';
import { PageCache } from '#server/page-cache.ts';
import type { PageListener } from '#server/page-invalidation.ts';

interface Kept {
  value: unknown;
  bytes: number;
}

/** As long as a page, for what changes because time passes. */
const secondsKept = 60;
/** About a kilobyte each. */
const mostValues = 4_000;

/**
 * What pages read again and again though it hardly changes (decision 042). It is a page cache of its own, which is strict: a value
 * that is outdated or too old stands in for nothing, and without the news of changes all is read from the database.
 */
export class KeptValues implements PageListener {
  readonly #cache: PageCache<Kept>;
  #hearsNews = false;

  constructor(now?: () => number) {
    const times = { stale: 0, standIn: 0 };
    this.#cache = new PageCache({ maxBytes: mostValues, times, ...(now && { now }) });
  }

  readonly keep: KeepValue = async <Value>(
    name: string,
    tags: readonly string[],
    read: () => Promise<Value>,
  ) => {
    if (!this.#hearsNews) return read();
    const kept = await this.#cache.read(name, async () => {
      return { page: { value: await read(), bytes: 1 }, keep: { seconds: secondsKept, tags } };
    });
    return kept?.value as Value;
  };

  empty(tags: readonly string[]): void {
    this.#cache.empty(tags);
  }

  trust(isTrusted: boolean): void {
    this.#hearsNews = isTrusted;
  }
}

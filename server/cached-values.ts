import type { ReadCached } from '#app/platform/app-context.server.ts';
import { PageCache } from '#server/page-cache.ts';
import type { PageListener } from '#server/page-invalidation.ts';

interface CachedValue {
  value: unknown;
  bytes: number;
}

/** seconds; some values change with time only */
const secondsCached = 60;
/** values of about 1 kB each */
const mostValues = 4_000;

/**
 * Caches rarely changing values between renders. Never returns stale values: while notifications
 * are missing, reads everything from the database.
 */
export class CachedValues implements PageListener {
  readonly #cache: PageCache<CachedValue>;
  #isConnected = false;

  constructor(now?: () => number) {
    const times = { stale: 0, staleIfError: 0 };
    this.#cache = new PageCache({ maxBytes: mostValues, times, ...(now && { now }) });
  }

  readonly read: ReadCached = async <Value>(
    name: string,
    tags: readonly string[],
    read: () => Promise<Value>,
  ) => {
    if (!this.#isConnected) return read();
    const cached = await this.#cache.read(name, async () => {
      return { page: { value: await read(), bytes: 1 }, policy: { seconds: secondsCached, tags } };
    });
    return cached?.value as Value;
  };

  invalidate(tags: readonly string[]): void {
    this.#cache.invalidate(tags);
  }

  trust(isTrusted: boolean): void {
    this.#isConnected = isTrusted;
  }
}

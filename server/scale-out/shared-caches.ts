import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#app/platform/log.server.ts';
import type { PageListener } from '#server/page-invalidation.ts';
import type { HeaderSet } from '#server/security-headers.ts';

/** The tag of every page, in addition to its own tags. */
const everyPage = 'all';
/** bytes of all keys of a page or purge; half of Varnish's limit for a header */
const longestKeys = 4_000;
/**
 * Seconds for which a stale page may be shown while it is renewed or the site is down. The page
 * cache uses the same limit.
 */
const staleSeconds = { renewed: 60, down: 600 };

interface KeptBy {
  tags: readonly string[];
  seconds: number;
  until?: Date | null;
}

/**
 * Returns headers for shared caches in front of the site. Only these caches read
 * `CDN-Cache-Control` (RFC 9213), so browsers and other proxies still revalidate. Returns none if
 * the keys do not fit into a header, because the page could not be purged. Also returns none if the
 * page would expire while a cache may still show it.
 */
export function sharedCacheHeaders({ tags, seconds, until }: KeptBy, now = Date.now()): HeaderSet {
  if (until && until.getTime() < now + (seconds + staleSeconds.renewed) * 1000) return {};
  const keys = [...new Set([everyPage, ...tags])].join(' ');
  if (keys.length > longestKeys || !/^[\w: -]+$/.test(keys)) return {};
  const { renewed, down } = staleSeconds;
  const lasting = `max-age=${seconds}, stale-while-revalidate=${renewed}, stale-if-error=${down}`;
  return { 'cdn-cache-control': lasting, 'surrogate-key': keys };
}

export const sharedCacheHeaderNames = ['cdn-cache-control', 'surrogate-key'] as const;

const patienceInMs = 2_000;

/**
 * Makes a cache drop the pages with any of these keys, by `PURGE` as in docs/varnish.vcl. Rejects
 * unless the status is 200.
 */
export async function purge(url: string, keys: string): Promise<void> {
  const response = await fetch(url, {
    method: 'PURGE',
    headers: { 'surrogate-key': keys },
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceInMs),
  }).catch((error: unknown) => {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  });
  await response.body?.cancel();
  if (response.status !== 200) throw new Error(`the cache responded with ${response.status}`);
}

/** Delays in milliseconds. */
const usualPauses = { between: 500, again: 2_000, firstRetry: 1_000, lastRetry: 10_000 };

/**
 * Sends purges to the caches in `SHARED_CACHES`. Every process that serves pages does this after it
 * has received the change. Pages sent earlier are dropped; later ones are new or uncacheable.
 * Repeats each purge after two seconds, in case an old page was in flight to the cache.
 */
export class SharedCaches implements PageListener {
  readonly #caches: readonly Cache[];
  readonly #again: number;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(urls: readonly string[], log: Log, pauses: Partial<typeof usualPauses> = {}) {
    const all = { ...usualPauses, ...pauses };
    this.#again = all.again;
    this.#caches = urls.map((url) => new Cache(url, log, all));
  }

  invalidate(tags: readonly string[]): void {
    this.#tell(tags);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#tell(tags);
    }, this.#again).unref();
    this.#timers.add(timer);
  }

  /** Does nothing, because pages are marked as uncacheable while notifications are missing. */
  trust(): void {}

  /** Sends pending purges once more, because no other process may be left to do it. */
  async stop(): Promise<void> {
    this.#timers.forEach(clearTimeout);
    await Promise.all(this.#caches.map((cache) => cache.stop()));
  }

  #tell(tags: readonly string[]): void {
    for (const cache of this.#caches) cache.tell(tags);
  }
}

/** One cache. Receives at most two purges per second, with retries until one is accepted. */
class Cache {
  readonly #url: string;
  readonly #log: Log;
  readonly #pauses: typeof usualPauses;
  #untold = new Set<string>();
  #isTelling = false;
  #isStopped = false;

  constructor(url: string, log: Log, pauses: typeof usualPauses) {
    this.#url = url;
    this.#log = log;
    this.#pauses = pauses;
  }

  tell(tags: readonly string[]): void {
    for (const tag of tags) this.#untold.add(tag);
    if (!this.#isTelling) void this.#tellAll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#untold.size > 0) await purge(this.#url, this.#takeKeys()).catch(() => {});
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    let failures = 0;
    while (this.#untold.size > 0 && !this.#isStopped) {
      const keys = this.#takeKeys();
      try {
        await purge(this.#url, keys);
        if (failures > 0)
          this.#log.info({ cache: this.#url }, 'a shared cache accepts invalidations again');
        failures = 0;
      } catch (error) {
        // The oldest changes come first, before those announced during the attempt.
        this.#untold = new Set([...keys.split(' '), ...this.#untold]);
        const words = 'a shared cache does not accept invalidations: it may serve outdated pages';
        if (failures === 0) this.#log.warn({ cache: this.#url, err: error }, words);
        failures++;
      }
      await wait(this.#pauseAfter(failures), null, { ref: false });
    }
    this.#isTelling = false;
  }

  #pauseAfter(failures: number): number {
    const { between, firstRetry, lastRetry } = this.#pauses;
    return failures === 0 ? between : Math.min(firstRetry * 2 ** (failures - 1), lastRetry);
  }

  /** Returns the pending keys, or the key of all pages if the keys do not fit into a header. */
  #takeKeys(): string {
    const keys = [...this.#untold].join(' ');
    this.#untold = new Set();
    return keys.length > longestKeys ? everyPage : keys;
  }
}

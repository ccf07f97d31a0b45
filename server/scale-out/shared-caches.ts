import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#app/platform/log.server.ts';
import type { PageListener } from '#server/page-invalidation.ts';
import type { HeaderSet } from '#server/security-headers.ts';

/** What every page is tagged with, beside its own tags. */
const everyPage = 'all';
/** Of all keys of a page, or of a purge: half of what Varnish takes in one header. */
const longestKeys = 4_000;
/** While a page is renewed it may be shown for so long, and while the site is down: as the page cache has it. */
const staleSeconds = { renewed: 60, down: 600 };

interface KeptBy {
  tags: readonly string[];
  seconds: number;
  until?: Date | null;
}

/**
 * How shared caches in front of the site may keep a page (decision 076): `CDN-Cache-Control` (RFC 9213) is read by them alone, so
 * browsers and other proxies ask each time as ever. Empty where the keys do not fit, since nobody could be told of a change, and
 * where the page becomes wrong by itself while a cache may still show it.
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

/** Has a cache drop the pages with one of these keys, by `PURGE` as docs/varnish.vcl takes it. Rejects when it does not say 200. */
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
  if (response.status !== 200) throw new Error(`it answered ${response.status}`);
}

/** In milliseconds. */
const usualPauses = { between: 500, again: 2_000, firstRetry: 1_000, lastRetry: 10_000 };

/**
 * Tells the shared caches of `SHARED_CACHES` what has changed. Every process that sends pages does, after it has heard of the
 * change itself: what it sent before is dropped, and what it sends from then on is new, or not for keeping. Each purge is sent
 * once more two seconds later, for an old page that was on its way to the cache meanwhile.
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

  empty(tags: readonly string[]): void {
    this.#tell(tags);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#tell(tags);
    }, this.#again).unref();
    this.#timers.add(timer);
  }

  /** Pages say themselves that they are not for keeping while no news is heard. */
  trust(): void {}

  /** What is still to be said is said once more, for there may be nobody left to say it. */
  async stop(): Promise<void> {
    this.#timers.forEach(clearTimeout);
    await Promise.all(this.#caches.map((cache) => cache.stop()));
  }

  #tell(tags: readonly string[]): void {
    for (const cache of this.#caches) cache.tell(tags);
  }
}

/** One cache, told at most twice a second, and again until it has heard. */
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
        if (failures > 0) this.#log.info({ cache: this.#url }, 'a shared cache is told again');
        failures = 0;
      } catch (error) {
        // Oldest change first, also before what was announced during the try.
        this.#untold = new Set([...keys.split(' '), ...this.#untold]);
        const words = 'a shared cache is not told what has changed: its pages may be old';
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

  /** Where they do not fit, every page is meant. */
  #takeKeys(): string {
    const keys = [...this.#untold].join(' ');
    this.#untold = new Set();
    return keys.length > longestKeys ? everyPage : keys;
  }
}

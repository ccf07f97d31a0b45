import { type CachedPage, pageCacheKeys } from '#app/platform/page-cache-rules.ts';
import { normalisePath } from '#server/normalise-path.ts';

const mostKnown = 5_000;
/** characters; longer targets are rarely requested twice */
const longestKnown = 256;

/**
 * Caches the page cache's key for each request target. The key is `null` if the path is not
 * canonical, rejected or never shared. The key depends on the target only; host, method and cookies
 * are checked for each request.
 */
export class KnownTargets {
  readonly #keys = new Map<string, string | null>();
  readonly #keyOf: ReturnType<typeof pageCacheKeys>;

  constructor(pages: readonly CachedPage[]) {
    this.#keyOf = pageCacheKeys(pages);
  }

  keyOf(target: string): string | null {
    const known = this.#keys.get(target);
    if (known !== undefined) return known;
    const normal = normalisePath(target);
    const key = normal.ok ? this.#keyOf(normal.pathname, new URLSearchParams(normal.search)) : null;
    if (target.length > longestKnown) return key;
    if (this.#keys.size >= mostKnown) this.#keys.clear();
    this.#keys.set(target, key);
    return key;
  }
}

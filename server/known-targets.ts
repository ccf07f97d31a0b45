import { pageCacheKey } from '#app/platform/page-cache-rules.ts';
import { normalisePath } from '#server/normalise-path.ts';

const mostKnown = 5_000;
/** Longer ones are seldom asked twice. */
const longestKnown = 256;

/**
 * The page cache's key of a request target, remembered for targets asked before: `null` for those whose path has
 * another spelling, is refused or is never shared. It depends on the target alone, so nothing about a visitor can
 * be wrong in it; host, method and cookies are looked at each time.
 */
export class KnownTargets {
  readonly #keys = new Map<string, string | null>();

  keyOf(target: string): string | null {
    const known = this.#keys.get(target);
    if (known !== undefined) return known;
    const key = findKey(target);
    if (target.length > longestKnown) return key;
    if (this.#keys.size >= mostKnown) this.#keys.clear();
    this.#keys.set(target, key);
    return key;
  }
}

function findKey(target: string): string | null {
  const normal = normalisePath(target);
  return normal.ok ? pageCacheKey(normal.pathname, new URLSearchParams(normal.search)) : null;
}

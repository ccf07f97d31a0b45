/**
 * Which addresses may be answered from the shared page cache, and which of their query parameters make a
 * different page (R19). Free-text search and deep pages stay out: they would fill the cache with pages seen once.
 */
const cacheablePaths =
  /^\/(?:$|_root\.data$|(?:deals|categories|merchants)(?:\/[a-z0-9-]+)?(?:\.data)?$|blog(?:\/[a-z0-9-]+)?(?:\.data)?$|about$|contact$|help$|faq$|privacy$|terms$|cookies$|disclaimer$|how-we-rank$|feeds$|developers$)/;
const listParameters = new Set(['page', 'sort', 'status', 'seller', 'type', 'min', 'max', 'days']);
const deepestCachedPage = 20;

/** The normalised key of a shareable page, or null when this address is never shared. */
export function pageCacheKey(pathname: string, query: URLSearchParams): string | null {
  if (!cacheablePaths.test(pathname)) return null;
  if (query.has('search') || query.has('category') || query.has('_routes')) return null;
  if (Number(query.get('page') ?? 1) > deepestCachedPage) return null;
  const kept = [...query].filter(([name, value]) => listParameters.has(name) && value !== '');
  kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return kept.length > 0 ? `${pathname}?${new URLSearchParams(kept)}` : pathname;
}

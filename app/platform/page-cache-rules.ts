/** A page whose response signed-out visitors may share, and the query parameters that it reads. */
export interface CachedPage {
  /** The path as in `app/routes.ts`, such as `/deals/:slug`, or `/*` for any number of segments. */
  path: string;
  /**
   * Parameters that select another page. The key contains no others, so the render sees no others.
   */
  reads?: readonly string[];
  /**
   * Parameters that make a page unique, such as free text. Caching such a page would only fill the
   * cache.
   */
  rendersOwn?: readonly string[];
  /** Returns whether the URL belongs to another route that the pattern matches too. */
  except?: (pathname: string) => boolean;
}

const deepestCachedPage = 20;

/**
 * Returns the normalized key of a shareable page's URL, or null if this URL is never
 * shared.
 */
export function pageCacheKeys(
  pages: readonly CachedPage[],
): (pathname: string, query: URLSearchParams) => string | null {
  const known = pages.map((page) => ({ ...page, pattern: patternOf(page.path) }));
  return (pathname, query) => {
    const page = known.find(({ pattern, except }) => matches(pathname, pattern, except));
    if (!page || query.has('_routes') || page.rendersOwn?.some((name) => query.has(name)))
      return null;
    if (Number(query.get('page') ?? 1) > deepestCachedPage) return null;
    const kept = [...query].filter(([name, value]) => page.reads?.includes(name) && value !== '');
    kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return kept.length > 0 ? `${pathname}?${new URLSearchParams(kept)}` : pathname;
  };
}

function matches(pathname: string, pattern: RegExp, except: CachedPage['except']): boolean {
  return pattern.test(pathname) && !except?.(pathname.replace(/\.data$/, ''));
}

/** Matches the page and its data, which React Router requests under the same name. */
function patternOf(path: string): RegExp {
  if (path === '/') return /^\/(?:_root\.data)?$/;
  const pattern = path.replaceAll(/:\w+/g, '[a-z0-9-]+').replace('*', '[a-z0-9-]+(?:/[a-z0-9-]+)*');
  return new RegExp(`^${pattern}(?:\\.data)?$`);
}

/**
 * Public paths in addition to these pages: the API, feeds and files for search engines. None of
 * them reads what the same client has just written.
 */
const readByAnybody = /^\/(?:api\/v1\/|api\/suggest$|feeds\/|sitemap\.xml$|sitemaps\/)/;

/** Returns a predicate for URLs of these pages. */
export function cachedPaths(pages: readonly CachedPage[]): (pathname: string) => boolean {
  const known = pages.map(({ path, except }) => ({ pattern: patternOf(path), except }));
  return (pathname) => known.some(({ pattern, except }) => matches(pathname, pattern, except));
}

/** Returns a predicate for URLs at which all signed-out visitors get the same content. */
export function publicPaths(pages: readonly CachedPage[]): (pathname: string) => boolean {
  const isCached = cachedPaths(pages);
  return (pathname) => readByAnybody.test(pathname) || isCached(pathname);
}

/** A page whose answer signed-out visitors may share (R19), and the query parameters that it reads. */
export interface KeptPage {
  /** As in `app/routes.ts`: `/deals/:slug`. */
  path: string;
  /** What makes another page of it. Nothing else stands in the key, so the render sees nothing else. */
  reads?: readonly string[];
  /** What makes a page that is seen once, such as a free text: it would only fill the cache. */
  rendersOwn?: readonly string[];
}

const deepestCachedPage = 20;

/** Answers the normalised key of a shareable page's address, or null when this address is never shared. */
export function pageCacheKeys(
  pages: readonly KeptPage[],
): (pathname: string, query: URLSearchParams) => string | null {
  const known = pages.map((page) => ({ ...page, pattern: patternOf(page.path) }));
  return (pathname, query) => {
    const page = known.find(({ pattern }) => pattern.test(pathname));
    if (!page || query.has('_routes') || page.rendersOwn?.some((name) => query.has(name)))
      return null;
    if (Number(query.get('page') ?? 1) > deepestCachedPage) return null;
    const kept = [...query].filter(([name, value]) => page.reads?.includes(name) && value !== '');
    kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return kept.length > 0 ? `${pathname}?${new URLSearchParams(kept)}` : pathname;
  };
}

/** The page and its data, which React Router asks for under the same name. */
export function patternOf(path: string): RegExp {
  if (path === '/') return /^\/(?:_root\.data)?$/;
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[a-z0-9-]+')}(?:\\.data)?$`);
}

/** What anybody reads beside those pages: the API, feeds and what search engines ask for. None of them writes what it reads. */
const readByAnybody = /^\/(?:api\/v1\/|api\/suggest$|feeds\/|sitemap\.xml$|sitemaps\/)/;

/** Whether what stands at this address is everybody's, for whoever is signed out. */
export function publicPaths(pages: readonly KeptPage[]): (pathname: string) => boolean {
  const patterns = [...pages.map(({ path }) => patternOf(path)), readByAnybody];
  return (pathname) => patterns.some((pattern) => pattern.test(pathname));
}

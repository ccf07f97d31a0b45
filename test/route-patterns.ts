import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';

export interface RoutePattern {
  /** The URL pattern of the route, such as `/deals/:slug`. */
  pattern: string;
  /** The module that handles the route, below `app/`. */
  file: string;
  /** The router's id: the module's name, unless `routes.ts` sets another. */
  id: string;
}

/** Returns every URL pattern of the site, from `routes.ts`. */
export function routePatterns(
  entries: readonly RouteConfigEntry[] = routes,
  above = '',
): RoutePattern[] {
  return entries.flatMap(({ path, index, children, file, id = file.replace(/\.tsx?$/, '') }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const own = path !== undefined || index ? [{ pattern: pattern || '/', file, id }] : [];
    return [...own, ...routePatterns(children ?? [], pattern)];
  });
}

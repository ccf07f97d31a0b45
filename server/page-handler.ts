import {
  createRequestHandler,
  createStaticHandler,
  type EntryContext,
  isRouteErrorResponse,
  type RouteObject,
  type RouterContextProvider,
  type ServerBuild,
  type StaticHandlerContext,
} from 'react-router';
import { cachedPaths } from '#app/platform/page-cache-rules.ts';
import { entryOf } from '#server/site-app.ts';

/**
 * Renders visitor pages: responds to GET requests for pages that load no router in the browser.
 * Returns null for other requests.
 */
type MakeVisitorsPage = (
  request: Request,
  context: RouterContextProvider,
) => Promise<Response | null>;

/**
 * Creates the router's own handler, with a fast path for visitor pages. React Router encodes a
 * page's data for a client-side router, which these pages do not have, and searches all routes
 * three times per URL.
 */
export const createPageHandler: typeof createRequestHandler = (build, mode) => {
  if (typeof build === 'function') {
    return createRequestHandler(async () => withCaughtActs(await build()), mode);
  }
  const make = createRequestHandler(withCaughtActs(build), mode);
  const makeVisitorsPage = visitorsPages(build);
  return async (request, context) => {
    const page = context && (await makeVisitorsPage(request, context));
    return page ?? (await make(request, context));
  };
};

/** Wraps the build so that forms and actions handle their own errors. */
function withCaughtActs(build: ServerBuild): ServerBuild {
  return { ...build, routes: entryOf(build).catchFailedActs(build.routes) };
}

function visitorsPages(build: ServerBuild): MakeVisitorsPage {
  const isKnown = cachedPaths(entryOf(build).cachedPages);
  const { query } = createStaticHandler(visitorsRoutes(build));
  const render = renderer(build);

  return async (request, context) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || !isKnown(url.pathname) || url.pathname.endsWith('.data'))
      return null;
    try {
      const answer = await query(request, {
        requestContext: context,
        normalizePath: () => ({ pathname: url.pathname, search: searchOf(url), hash: '' }),
        async generateMiddlewareResponse(ask) {
          const found = await ask(request);
          return found instanceof Response ? found : render(request, found, context);
        },
      });
      return answer instanceof Response ? answer : null;
    } catch {
      return null; // The router's own handler fails in the same way, and shows the error page.
    }
  };
}

function searchOf({ searchParams }: URL): string {
  return searchParams.size > 0 ? `?${searchParams}` : '';
}

function renderer({ entry, routes, assets, future, ssr, routeDiscovery }: ServerBuild) {
  const modules = Object.values(routes).map((route) => [route?.id, route?.module]);
  const shared: Omit<EntryContext, 'staticHandlerContext'> = {
    manifest: assets,
    routeModules: Object.fromEntries(modules),
    branches: [],
    future,
    ssr,
    routeDiscovery,
    isSpaMode: false,
  };
  return (request: Request, found: StaticHandlerContext, context: RouterContextProvider) => {
    const { matches, errors, loaderHeaders, statusCode } = found;
    const args = { request, context, params: matches[0]?.params ?? {} };
    for (const [id, error] of Object.entries(errors ?? {})) {
      if (isRouteErrorResponse(error)) continue;
      entry.module.handleError?.(error, args);
      // Error details belong in the log only.
      if (errors && error instanceof Error) errors[id] = new Error('Unexpected Server Error');
    }
    const headers = new Headers();
    for (const given of Object.values(loaderHeaders)) {
      for (const cookie of given.getSetCookie()) headers.append('set-cookie', cookie);
    }
    const entryContext = { ...shared, renderMeta: {}, staticHandlerContext: found };
    return entry.module.default(request, statusCode, headers, entryContext, context);
  };
}

/** Returns the root route, the layout whose pages hydrate in parts, and all routes below that. */
function visitorsRoutes({ routes }: ServerBuild): RouteObject[] {
  const below = (parentId: string | undefined): RouteObject[] =>
    Object.values(routes).flatMap((route) => {
      if (!route || route.parentId !== parentId) return [];
      const { id, path, index, caseSensitive, module } = route;
      const { loader, action, handle } = module;
      if (parentId === 'root' && !isOfVisitors(handle)) return [];
      const own = {
        id,
        path,
        caseSensitive,
        loader,
        action,
        handle,
        middleware: module.middleware as RouteObject['middleware'],
        // Only the existence of an error boundary matters here.
        ...(id === 'root' || module.ErrorBoundary ? { ErrorBoundary: () => null } : {}),
      };
      return [index ? { ...own, index } : { ...own, children: below(id) }];
    });
  return below(undefined);
}

function isOfVisitors(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && 'islands' in handle;
}

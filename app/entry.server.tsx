import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { isForVisitors } from '#app/visitor-routes.ts';
import { PageBody } from '#app/platform/page-body.server.ts';
import { NonceContext } from '#app/ui/nonce-context.ts';
import { mails } from '#app/mails.server.ts';
import {
  type AppServices,
  appServices,
  createLoadContext as createContext,
  type RequestFacts,
  requestFacts,
} from '#app/platform/app-context.server.ts';
import { mailKindsContext } from '#app/platform/mail/mail-kind.server.ts';

// The server lives outside this bundle and has contexts of its own: it gets ours from here.
export { readCachePolicy } from '#app/platform/app-context.server.ts';
export { jobs } from '#app/jobs.server.ts';
export { keptPages } from '#app/kept-pages.ts';
export { mails } from '#app/mails.server.ts';
// Called before the site stops.
export { flushClicks } from '#app/features/clicks/click-counters.server.ts';

export function createLoadContext(
  services: AppServices,
  facts: RequestFacts,
): RouterContextProvider {
  const context = createContext(services, facts);
  context.set(mailKindsContext, mails);
  return context;
}

/** Milliseconds after which a page stops waiting for deferred data. */
export const streamTimeout = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> | Response {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const { nonce, isForCache } = requestFacts(context);
  const waitForAll = isForCache || isbot(request.headers.get('user-agent') ?? '');

  return new Promise((resolve, reject) => {
    let isShellSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext value={nonce || undefined}>
        <ServerRouter
          context={withFewerRoutes(entry)}
          url={request.url}
          nonce={nonce || undefined}
        />
      </NonceContext>,
      {
        nonce: nonce || undefined,
        // What is ready stays in its place: sent later, it would need script to get there.
        progressiveChunkSize: Infinity,
        [waitForAll ? 'onAllReady' : 'onShellReady']() {
          isShellSent = true;
          const body = new PageBody(() => clearTimeout(timer));
          pipe(body);
          resolve(new Response(body.stream, { status, headers }));
        },
        onShellError: reject,
        onError(error: unknown) {
          status = 500;
          // Until the shell is sent the router reports errors itself; after that nobody else would.
          if (isShellSent) appServices(context).log.error({ err: error }, 'render failed');
        },
      },
    );
    const timer = setTimeout(() => abort(), streamTimeout + 1_000);
  });
}

/** A visitors' page gets the shorter list of routes if that has all of its own. */
function withFewerRoutes(entry: EntryContext): EntryContext {
  const { matches } = entry.staticHandlerContext;
  if (import.meta.env.DEV || !matches.every(({ route }) => isForVisitors(route.id))) return entry;
  const url = entry.manifest.url.replace(/\.js$/, '-visitor.js');
  return { ...entry, manifest: { ...entry.manifest, url } };
}

/** Logs what went wrong, once, with the request's id. A 404 or a visitor who left is no error. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  appServices(context).log.error(
    { err: error, requestId: requestFacts(context).id },
    'request failed',
  );
};

import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { accountIslands } from '#app/account-islands.ts';
import { islands } from '#app/islands.ts';
import { isAccessRefusal } from '#app/features/accounts/access-refusal.ts';
import { islandRenderer } from '#app/islands/render-island.server.ts';
import { IslandPageContext } from '#app/islands/island-page.ts';
import { wantsJson } from '#app/platform/wants-json.ts';
import { PageBody } from '#app/platform/page-body.server.ts';
import { renderPage } from '#app/ui/render-page.server.ts';
import { MadeOnceContext } from '#app/ui/made-once.ts';
import { NonceContext } from '#app/ui/nonce-context.ts';
import { speculationRules } from '#app/ui/speculation-rules.ts';
import { themeScript } from '#app/ui/theme.ts';
import { mails } from '#app/mails.server.ts';
import {
  type AppServices,
  appServices,
  createLoadContext as createContext,
  type RequestFacts,
  requestFacts,
} from '#app/platform/app-context.server.ts';
import { mailKindsContext } from '#app/platform/mail/mail-kind.server.ts';

// The server is outside this bundle and has separate contexts, so this bundle exports its own.
export { readCachePolicy } from '#app/platform/app-context.server.ts';
export { catchFailedActs } from '#app/catch-failed-acts.server.ts';
export { jobs } from '#app/jobs.server.ts';
export { cachedPages } from '#app/cached-pages.ts';
export { mails } from '#app/mails.server.ts';
// The server calls this export before the site stops.
export { flushClicks } from '#app/features/clicks/click-counters.server.ts';

export function createLoadContext(
  services: AppServices,
  facts: RequestFacts,
): RouterContextProvider {
  const context = createContext(services, facts);
  context.set(mailKindsContext, mails);
  return context;
}

/**
 * The inline scripts of visitor pages. The scripts never change, and the content policy allows no
 * others.
 */
export const fixedScripts = [themeScript, speculationRules];

const renderIsland = await islandRenderer({ ...islands, ...accountIslands });

interface PageHandle {
  islands?: boolean;
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
  if (request.method === 'POST' && wantsJson(request)) return answerPost(entry, status, headers);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const isStatic = isForVisitors(entry);
  if (isStatic) headers.set('x-visitors-page', '1');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const { isForCache, ...facts } = requestFacts(context);
  if (isStatic) {
    return new Response(renderVisitorsPage(request, entry), { status, headers });
  }
  const nonce = facts.nonce || undefined;
  const waitForAll = isForCache || isbot(request.headers.get('user-agent') ?? '');

  return new Promise((resolve, reject) => {
    let isShellSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <IslandPageContext value={renderIsland(null)}>
        <NonceContext value={nonce}>
          <ServerRouter context={entry} url={request.url} nonce={nonce} />
        </NonceContext>
      </IslandPageContext>,
      {
        nonce,
        // Completed content stays in its place. Content that is sent later would need JavaScript to
        // get there.
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
          // Until the shell is sent, the router reports errors itself. Later errors are logged only
          // here.
          if (isShellSent) appServices(context).log.error({ err: error }, 'render failed');
        },
      },
    );
    const timer = setTimeout(() => abort(), streamTimeout + 1_000);
  });
}

/**
 * Renders the page as one chunk. The page waits for nothing, and encoding and sending each part
 * would cost as much as rendering.
 */
function renderVisitorsPage({ url }: Request, entry: EntryContext): Buffer<ArrayBuffer> {
  const { manifest } = entry;
  // The router creates a route for each entry of the manifest. The browser never requests the other
  // two hundred routes.
  const ids = entry.staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = Object.fromEntries(ids.map((id) => [id, manifest.routes[id]]));
  const context = { ...entry, manifest: { ...manifest, routes }, serverHandoffStream: undefined };
  return renderPage((makeOnce) => (
    <IslandPageContext value={renderIsland(manifest.entry.module)}>
      {/* In development, components change, so their output is not reused. */}
      <MadeOnceContext value={import.meta.env.DEV ? null : makeOnce}>
        <ServerRouter context={context} url={url} />
      </MadeOnceContext>
    </IslandPageContext>
  ));
}

/**
 * Returns whether only parts of a page hydrate, under a layout with `handle.islands`. Other pages
 * hydrate as a whole. A page that the admin's guard refuses has no router either, since its list of
 * routes would name those of staff.
 */
function isForVisitors({ staticHandlerContext }: EntryContext): boolean {
  const { matches, errors, loaderData } = staticHandlerContext;
  const isRefused = Object.values(errors ?? {}).some(isAccessRefusal);
  if (isRefused && !loaderData['admin/admin-layout']) return true;
  return matches.some(({ route }) => (route.handle as PageHandle | undefined)?.islands);
}

/**
 * Returns the action's response without a page around it, or null with a status if there is none.
 */
function answerPost(entry: EntryContext, status: number, headers: Headers): Response {
  const { actionData, actionHeaders } = entry.staticHandlerContext;
  // Not every page exports `headers` that pass on `Retry-After`. Cookies are included already.
  const seconds = Object.values(actionHeaders)[0]?.get('retry-after');
  if (seconds) headers.set('retry-after', seconds);
  return Response.json(Object.values(actionData ?? {})[0] ?? null, { status, headers });
}

/** Logs an error once, with the request's id. A 404 or a visitor who left is not an error. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  appServices(context).log.error(
    { err: error, requestId: requestFacts(context).id },
    'request failed',
  );
};

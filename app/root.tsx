import { type ReactNode, use } from 'react';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  type ShouldRevalidateFunctionArgs,
  useRouteLoaderData,
} from 'react-router';
import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import type { Route } from './+types/root';
import baseStyles from '#app/ui/base.css?url';
import { freshnessToken } from '#app/features/accounts/sessions/own-mark.server.ts';
import {
  currentUser,
  sessionMiddleware,
} from '#app/features/accounts/sessions/session-context.server.ts';
import { providerNames } from '#app/features/accounts/providers/identity-providers.server.ts';
import type { SessionMonitor } from '#app/features/accounts/sessions/session-monitor.tsx';
import { RefusedScreen } from '#app/features/accounts/refused-screen.tsx';
import { ClosedBar } from '#app/features/site-settings/closed-bar.tsx';
import { brandLinks } from '#app/features/site-settings/brand/brand-links.server.ts';
import { IconLinks } from '#app/features/site-settings/brand/icon-links.tsx';
import { describeClosed } from '#app/features/site-settings/closed-site.ts';
import { GateNote } from '#app/features/site-settings/gate-note.tsx';
import { Island } from '#app/islands/island.tsx';
import { ViewerProvider } from '#app/features/accounts/sessions/viewer-context.tsx';
import { FavoritesProvider } from '#app/features/favorites/favorites-context.tsx';
import { AlertsProvider } from '#app/features/price-alerts/alerts-context.tsx';
import { FollowsProvider } from '#app/features/follows/follows-context.tsx';
import { readLiveSlots } from '#app/features/slots/slot-queries.server.ts';
import {
  type Followed,
  readFollowed,
} from '#app/features/watched-searches/read-followed.server.ts';
import { WatchesProvider } from '#app/features/watched-searches/watches-context.tsx';
import { SiteProvider } from '#app/features/site-settings/site-context.tsx';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { sendsDigest } from '#app/features/site-settings/sends-digest.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices, limitPageCache, requestFacts } from '#app/platform/app-context.server.ts';
import { failedActOf } from '#app/platform/failed-acts/failed-act-of.server.ts';
import { FailedActProvider } from '#app/islands/failed-acts/failed-act-provider.tsx';
import { keepFailedForms } from '#app/platform/failed-acts/keep-failed-forms.ts';
import { readExtra } from '#app/platform/read-extra.server.ts';
import { ErrorScreen } from '#app/ui/error-screen.tsx';
import { useIslandScript } from '#app/islands/island-page.ts';
import { NonceContext } from '#app/ui/nonce-context.ts';
import { ScrollManager } from '#app/ui/scroll-manager.tsx';
import { speculationRules } from '#app/ui/speculation-rules.ts';
import { themeScript } from '#app/ui/theme.ts';

export const links: Route.LinksFunction = () => [
  { rel: 'manifest', href: '/manifest.webmanifest' },
  {
    rel: 'search',
    href: '/opensearch.xml',
    type: 'application/opensearchdescription+xml',
    title: 'Deals',
  },
];

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepFailedForms];

export async function loader({ context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { env } = services;
  const facts = requestFacts(context);
  const [settings, slots] = await Promise.all([cachedSettings(services), readLiveSlots(services)]);
  if (slots.until) limitPageCache(context, slots.until);
  // A shared page belongs to no request, so it carries no request id.
  const user = currentUser(context);
  return {
    site: {
      ...publicSite(settings, env.origin, services.now()),
      hasDigest: sendsDigest(settings, env),
      brand: brandLinks(settings),
    },
    slots: { live: slots.live, turn: slots.turn },
    user: user && { email: user.email, role: user.role },
    own:
      user || facts.gateNote
        ? {
            mark: freshnessToken(context),
            sessionExpiresAt: user?.sessionExpiresAt ?? null,
            gateNote: facts.gateNote,
            closed:
              user && user.rights.has('admin.open') ? describeClosed(settings.maintenance) : null,
            mayOpenSite: user?.rights.has('settings.write') === true,
            ...(user && env.sessionMonitor && { monitorOf: user.email }),
          }
        : null,
    passwordMinLength: env.passwordMinLength,
    providers: providerNames(env),
    ...(await followedBy(context)),
    requestId: facts.isForCache ? null : facts.id,
    failedAct: failedActOf(context),
  };
}

/** Reads what pages show about the signed-in user. */
async function followedBy(context: Route.LoaderArgs['context']): Promise<Followed> {
  const user = currentUser(context);
  const none: Followed = { favoriteIds: [], alertRules: [], searches: [], follows: [] };
  if (!user) return none;
  const { db } = appServices(context);
  return readExtra(context, 'favorites and alerts', none, () => readFollowed(db, user.id));
}

/**
 * Returns whether the root's data is loaded again. The data depends on the settings and on the
 * signed-in user. Forms may change both. Navigation changes neither, unless it opens the sign-in
 * page.
 */
export function shouldRevalidate({
  formMethod,
  currentUrl,
  nextUrl,
  actionStatus = 200,
}: ShouldRevalidateFunctionArgs) {
  // A failed submission changed nothing here. Loading again may fail too, and the form must stay
  // (`keepFailedForms`).
  if (actionStatus >= 500) return false;
  if (formMethod !== undefined) return formMethod !== 'GET';
  // The URL is unchanged after a reload, or when a session has ended.
  return currentUrl.href === nextUrl.href || nextUrl.pathname === '/sign-in';
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext);
  const script = useIslandScript();
  const { own, site } = useRouteLoaderData<typeof loader>('root') ?? {};
  const { fontFile = figtree } = site?.brand ?? {};
  return (
    <html
      lang="en"
      data-own={own?.mark ?? undefined}
      data-session-ends={own?.sessionExpiresAt?.getTime()}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f6" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141312" />
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: themeScript }}
        />
        {/* This stylesheet comes before every other, since it declares the order of the layers. */}
        <link rel="stylesheet" href={baseStyles} />
        {site?.brand.style ? <link rel="stylesheet" href={site.brand.style} /> : null}
        <IconLinks hash={site?.brand.iconHash ?? null} />
        <Meta />
        {fontFile ? (
          <link rel="preload" href={fontFile} as="font" type="font/woff2" crossOrigin="anonymous" />
        ) : null}
        <Links />
        {script ? (
          <>
            <script
              type="speculationrules"
              dangerouslySetInnerHTML={{ __html: speculationRules }}
            />
            <script type="module" src={script} />
          </>
        ) : null}
      </head>
      <body>
        {children}
        {script ? null : (
          <>
            <ScrollManager />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  const { own } = loaderData;
  return (
    <SiteProvider site={loaderData.site}>
      <ViewerProvider
        viewer={loaderData.user}
        passwordMinLength={loaderData.passwordMinLength}
        providers={loaderData.providers}
      >
        {own?.closed ? <ClosedBar says={own.closed} mayOpen={own.mayOpenSite} /> : null}
        {own?.gateNote ? <GateNote text={own.gateNote} /> : null}
        {own?.monitorOf ? (
          <Island<typeof SessionMonitor> name="session-monitor" props={{ email: own.monitorOf }} />
        ) : null}
        <FavoritesProvider ids={loaderData.favoriteIds}>
          <AlertsProvider rules={loaderData.alertRules}>
            <WatchesProvider searches={loaderData.searches}>
              <FollowsProvider keys={loaderData.follows}>
                <FailedActProvider failed={loaderData.failedAct}>
                  <Outlet />
                </FailedActProvider>
              </FollowsProvider>
            </WatchesProvider>
          </AlertsProvider>
        </FavoritesProvider>
      </ViewerProvider>
    </SiteProvider>
  );
}

/**
 * Renders the top-level error screen: a safe sentence and a reference id. The error message is
 * shown only in development.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const data = useRouteLoaderData<typeof loader>('root');
  const message = import.meta.env.DEV && error instanceof Error ? error.message : null;
  const screen = (
    <main id="main">
      <ErrorScreen
        message={message}
        requestId={data?.requestId ?? null}
        siteName={data?.site.name ?? null}
      />
    </main>
  );
  if (!isRouteErrorResponse(error)) return screen;
  return <RefusedScreen error={error} otherwise={screen} />;
}

import { lazy, type ReactNode, Suspense } from 'react';
import { ErrorScreen } from '#app/ui/error-screen.tsx';
import { Outlet, useRouteLoaderData } from 'react-router';
import type { Route } from './+types/site-layout';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { AffiliateDisclosure } from './affiliate-disclosure.tsx';
import { SiteFooterPart } from './site-footer-part.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './site-layout.module.css';

/** For signed-in visitors only, and invisible until they press a bell. */
const AlertDialogHost = lazy(async () => ({
  default: (await import('#app/features/price-alerts/alert-dialog-host.tsx')).AlertDialogHost,
}));

/** Invisible when a page opens, and not part of what the server sends, so nothing waits for it. */
const PageTools = lazy(async () => ({ default: (await import('./page-tools.tsx')).PageTools }));

/** The frame around every page of the site. */
export default function SiteLayout() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}

/** A page that fails keeps the frame, so that visitors can find their way (P18a). */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<{ requestId: string | null }>('root');
  const message = import.meta.env.DEV && error instanceof Error ? error.message : null;
  return (
    <SiteFrame>
      <ErrorScreen message={message} requestId={root?.requestId ?? null} />
    </SiteFrame>
  );
}

/** Renders once: an update from above would make React discard what it has not hydrated yet, such as the footer. */
function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <SiteHeader />
      <AffiliateDisclosure />
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <SiteFooterPart />
      <LateParts />
    </>
  );
}

function LateParts() {
  const viewer = useViewer();
  const isHydrated = useIsHydrated();
  return (
    <>
      {isHydrated ? (
        <Suspense>
          <PageTools />
        </Suspense>
      ) : null}
      {viewer ? (
        <Suspense>
          <AlertDialogHost />
        </Suspense>
      ) : null}
    </>
  );
}

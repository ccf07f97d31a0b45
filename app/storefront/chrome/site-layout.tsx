import { lazy, type ReactNode, Suspense } from 'react';
import { ErrorScreen } from '#app/ui/error-screen.tsx';
import { Outlet, useRouteLoaderData } from 'react-router';
import type { Route } from './+types/site-layout';
import { useViewer } from '#app/features/accounts/viewer-context.tsx';
import { ToastRegion } from '#app/ui/toast.tsx';
import { AffiliateDisclosure } from './affiliate-disclosure.tsx';
import { NavigationProgress } from './navigation-progress.tsx';
import { ScrollToTop } from './scroll-to-top.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './site-layout.module.css';

/** For the signed-in only, and nothing to see before a bell is rung. */
const AlertDialogHost = lazy(async () => ({
  default: (await import('#app/features/price-alerts/alert-dialog-host.tsx')).AlertDialogHost,
}));

/** The frame around every page of the site. */
export default function SiteLayout() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}

/** A page that fails keeps the frame, so that visitors find their way on (decision 18a). */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<{ requestId: string | null }>('root');
  const message = import.meta.env.DEV && error instanceof Error ? error.message : null;
  return (
    <SiteFrame>
      <ErrorScreen message={message} requestId={root?.requestId ?? null} />
    </SiteFrame>
  );
}

function SiteFrame({ children }: { children: ReactNode }) {
  const viewer = useViewer();
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <NavigationProgress />
      <SiteHeader />
      <AffiliateDisclosure />
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <ScrollToTop />
      {viewer ? (
        <Suspense>
          <AlertDialogHost />
        </Suspense>
      ) : null}
      <ToastRegion />
    </>
  );
}

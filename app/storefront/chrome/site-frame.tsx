import type { ReactNode } from 'react';
import { useRouteLoaderData } from 'react-router';
import { Slot } from '#app/features/slots/slot.tsx';
import { ErrorScreen } from '#app/ui/error-screen.tsx';
import { ToastRegion } from '#app/ui/toast.tsx';
import { AffiliateDisclosure } from './affiliate-disclosure.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { ScrollToTop } from './scroll-to-top.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './site-frame.module.css';

/** The layout of all visitor and account pages. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Slot place="bar" />
      <SiteHeader />
      <AffiliateDisclosure />
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <ScrollToTop />
      <ConnectionStatus />
      <ToastRegion />
    </>
  );
}

/** Shows an error inside the layout, so that the navigation remains. */
export function FailedPage({ error }: { error: unknown }) {
  const root = useRouteLoaderData<{ requestId: string | null }>('root');
  const message = import.meta.env.DEV && error instanceof Error ? error.message : null;
  return (
    <SiteFrame>
      <ErrorScreen message={message} requestId={root?.requestId ?? null} />
    </SiteFrame>
  );
}

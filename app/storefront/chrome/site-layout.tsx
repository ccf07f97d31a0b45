import { Outlet } from 'react-router';
import { AlertDialogHost } from '#app/features/price-alerts/alert-dialog-host.tsx';
import { ToastRegion } from '#app/ui/toast.tsx';
import { AffiliateDisclosure } from './affiliate-disclosure.tsx';
import { NavigationProgress } from './navigation-progress.tsx';
import { ScrollToTop } from './scroll-to-top.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './site-layout.module.css';

/** The frame around every page of the site. */
export default function SiteLayout() {
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <NavigationProgress />
      <SiteHeader />
      <AffiliateDisclosure />
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter />
      <ScrollToTop />
      <AlertDialogHost />
      <ToastRegion />
    </>
  );
}

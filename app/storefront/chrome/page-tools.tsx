import { ToastRegion } from '#app/ui/toast.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { NavigationProgress } from './navigation-progress.tsx';
import { ScrollToTop } from './scroll-to-top.tsx';

// For visitors without a connection. This script loads last and waits, so as not to compete with what
// they came for.
if (import.meta.env.PROD && !import.meta.env.SSR) {
  setTimeout(() => void navigator.serviceWorker?.register('/sw.js').catch(() => {}), 3000);
}

/** What floats over every page but is invisible at first: its script loads once the page is there. */
export function PageTools() {
  return (
    <>
      <NavigationProgress />
      <ScrollToTop />
      <ConnectionStatus />
      <ToastRegion />
    </>
  );
}

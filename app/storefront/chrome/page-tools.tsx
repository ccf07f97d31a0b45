import { ToastRegion } from '#app/ui/toast.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { NavigationProgress } from './navigation-progress.tsx';
import { ScrollToTop } from './scroll-to-top.tsx';

// For visitors without a connection. This script comes once the page stands, and waits: it must not compete with what
// they came for.
if (import.meta.env.PROD && !import.meta.env.SSR) {
  setTimeout(() => void navigator.serviceWorker?.register('/sw.js').catch(() => {}), 3000);
}

/** What floats over every page and is not to be seen when it opens: its script comes once the page stands. */
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

import { isRouteErrorResponse, Outlet } from 'react-router';
import { RefusedScreen } from '#app/features/accounts/refused-screen.tsx';
// Preloaded in parallel with the page.
import '#app/islands/hydrate-page.tsx';
import { RouterLinks } from '#app/islands/router-links.tsx';
import { FailedActNote } from '#app/islands/failed-acts/failed-act-note.tsx';
import type { Route } from './+types/account-layout';
import { accountPaths } from './account-paths.ts';
import { NavigationProgress } from './navigation-progress.tsx';
import { FailedPage, SiteFrame } from './site-frame.tsx';

/** The layout of account pages, which are hydrated as a whole. */
export default function AccountLayout() {
  return (
    <SiteFrame>
      <NavigationProgress />
      <RouterLinks to={accountPaths} />
      <FailedActNote />
      <Outlet />
    </SiteFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const screen = <FailedPage error={error} />;
  return isRouteErrorResponse(error) ? <RefusedScreen error={error} otherwise={screen} /> : screen;
}

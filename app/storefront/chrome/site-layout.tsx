import { Outlet } from 'react-router';
import type { Route } from './+types/site-layout';
import { FailedPage, SiteFrame } from './site-frame.tsx';

/** Visitors' pages carry no router and no data for one: only their islands come to life (decision record 038). */
export const handle = { islands: true };

/** From a page that has a router a visitors' page is opened as browsers do. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ request }) => {
    location.assign(request.url);
    // The page is about to go, and nothing takes its place until then. It would wait still if the browser kept it.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
    return new Promise<void>(() => {});
  },
];

export default function SiteLayout() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <FailedPage error={error} />;
}

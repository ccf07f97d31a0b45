import { Outlet } from 'react-router';
import type { Route } from './+types/site-layout';
import { FailedPage, SiteFrame } from './site-frame.tsx';

/** Visitor pages contain no router data; only their islands are hydrated. */
export const handle = { islands: true };

/** A page with a router opens visitor pages by a full load. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ request }) => {
    location.assign(request.url);
    // The page stays until the next one replaces it. A restored page must reload, since it would
    // still wait.
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

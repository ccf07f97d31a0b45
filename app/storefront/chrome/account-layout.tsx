import { isRouteErrorResponse, Outlet } from 'react-router';
import { RefusedScreen } from '#app/features/accounts/refused-screen.tsx';
import { StaticFailedActNote } from '#app/islands/failed-acts/failed-act-note.tsx';
import { openAsDocument } from '#app/islands/open-as-document.ts';
import type { Route } from './+types/account-layout';
import { FailedPage, SiteFrame } from './site-frame.tsx';

/** Like visitor pages, account pages have neither a router nor its data. */
export const handle = { islands: true };

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [openAsDocument];

/** The layout of account pages. `data-account` enables the event handlers of `start-account.ts`. */
export default function AccountLayout() {
  return (
    <SiteFrame>
      <div data-account>
        <StaticFailedActNote />
        <Outlet />
      </div>
    </SiteFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const screen = <FailedPage error={error} />;
  return isRouteErrorResponse(error) ? <RefusedScreen error={error} otherwise={screen} /> : screen;
}

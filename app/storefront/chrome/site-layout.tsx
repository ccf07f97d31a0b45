import { Outlet } from 'react-router';
import { openAsDocument } from '#app/islands/open-as-document.ts';
import type { Route } from './+types/site-layout';
import { FailedPage, SiteFrame } from './site-frame.tsx';

/** Visitor pages contain no router data, and only their islands are hydrated. */
export const handle = { islands: true };

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [openAsDocument];

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

import { isRouteErrorResponse, useLocation } from 'react-router';
import { nearestOf } from '#app/storefront/not-found/did-you-mean.tsx';
import { NotFound } from '#app/storefront/not-found/not-found.tsx';

/** Shown instead of a list that does not exist. Anything but a 404 goes on to the top-level error screen. */
export function ListError({ error }: { error: unknown }) {
  const { pathname } = useLocation();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <NotFound path={pathname} nearest={nearestOf(error)} />;
}

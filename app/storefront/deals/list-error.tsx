import { isRouteErrorResponse, useLocation } from 'react-router';
import { nearestOf } from '#app/storefront/not-found/did-you-mean.tsx';
import { NotFound } from '#app/storefront/not-found/not-found.tsx';

/** Replaces a list that does not exist. Other errors go to the top-level error screen. */
export function ListError({ error }: { error: unknown }) {
  const { pathname } = useLocation();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <NotFound path={pathname} nearest={nearestOf(error)} />;
}

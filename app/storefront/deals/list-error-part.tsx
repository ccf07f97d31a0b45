import { lazy, Suspense } from 'react';
import { isRouteErrorResponse } from 'react-router';

const load = async () => (await import('./list-error.tsx')).ListError;

/**
 * Where a list does not exist: the server renders why at once, and whoever finds the list never loads the script of
 * it. Its styles are in the shared sheet (vite.config.ts).
 */
const ListError = import.meta.env.SSR
  ? await load()
  : lazy(async () => ({ default: await load() }));

export function ListErrorPart({ error }: { error: unknown }) {
  // Out here, since a Suspense on the server would keep it from the error screen above.
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <Suspense>
      <ListError error={error} />
    </Suspense>
  );
}

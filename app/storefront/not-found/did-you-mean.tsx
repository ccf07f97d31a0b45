import { isRouteErrorResponse } from 'react-router';
import type { NearAddress } from '#app/features/search/near-address.ts';
import { Link } from '#app/ui/link.tsx';

/** A suggestion, shown only if a page is similar to the requested URL. */
export function DidYouMean({ nearest }: { nearest: NearAddress | null }) {
  if (!nearest) return null;
  return (
    <p>
      Did you mean <Link to={nearest.path}>{nearest.title}</Link>?
    </p>
  );
}

/** Returns the suggestion from the response that `answerNotFound` throws. */
export function nearestOf(error: unknown): NearAddress | null {
  if (!isRouteErrorResponse(error)) return null;
  const { nearest }: { nearest?: NearAddress | null } = error.data ?? {};
  return nearest ?? null;
}

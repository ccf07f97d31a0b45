import { useLocation } from 'react-router';
import type { Route } from './+types/not-found-page';
import { missingMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from './answer-not-found.server.ts';
import { nearestOf } from './did-you-mean.tsx';
import { NotFound } from './not-found.tsx';

export async function loader({ context, request }: Route.LoaderArgs): Promise<never> {
  throw await answerNotFound(context, request);
}

/** Returns 404 for a post to an unknown address. */
export async function action({ context, request }: Route.ActionArgs): Promise<never> {
  throw await answerNotFound(context, request);
}

export const meta = (page: Route.MetaArgs) => missingMeta(page, 'This page does not exist.');

/** The component is never shown, since the loader always throws. */
export default function NotFoundPage() {
  return null;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFound path={useLocation().pathname} nearest={nearestOf(error)} />;
}

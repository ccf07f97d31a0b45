import { useLocation } from 'react-router';
import type { Route } from './+types/not-found-page';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from './answer-not-found.server.ts';
import { nearestOf } from './did-you-mean.tsx';
import { NotFound } from './not-found.tsx';

export async function loader({ context, request }: Route.LoaderArgs): Promise<never> {
  throw await answerNotFound(context, request);
}

/**
 * A page that the browser does not know may yet exist: visitors' pages list no screen of the back office. So the server
 * is asked for the whole document, which is that page or this one.
 */
export function clientLoader({ request }: Route.ClientLoaderArgs): Promise<never> {
  location.assign(request.url);
  // The page is about to go: nothing takes its place until then.
  return new Promise(() => undefined);
}

/** Posting to an unknown address is a 404 too. */
export async function action({ context, request }: Route.ActionArgs): Promise<never> {
  throw await answerNotFound(context, request);
}

export function meta({ matches, location }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0]?.loaderData?.site,
    path: location.pathname,
    title: 'Page Not Found',
    description: 'This page does not exist.',
    isIndexed: false,
  });
}

/** Never shown: the loader always throws. */
export default function NotFoundPage() {
  return null;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFound path={useLocation().pathname} nearest={nearestOf(error)} />;
}

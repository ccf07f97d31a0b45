import { data, useLocation } from 'react-router';
import type { Route } from './+types/not-found-page';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { NotFound } from './not-found.tsx';

export function loader(): never {
  throw data(null, { status: 404 });
}

/** A form posted to nowhere is not found either. */
export function action(): never {
  throw data(null, { status: 404 });
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

export default function NotFoundPage() {
  return <NotFound path={useLocation().pathname} />;
}

export function ErrorBoundary() {
  return <NotFound path={useLocation().pathname} />;
}

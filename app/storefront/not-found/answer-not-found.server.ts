import { data, redirect, type RouterContextProvider } from 'react-router';
import { findPresentSlug } from '#app/features/catalog/slug-queries.server.ts';
import { findNearAddress } from '#app/features/search/near-address-queries.server.ts';
import type { NearAddress } from '#app/features/search/near-address.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { findNearFixedAddress } from './find-near-fixed-address.ts';

/** What a loader answers or throws for an address without a page: 404, and what may have been meant. */
export async function answerNotFound(context: Readonly<RouterContextProvider>, request: Request) {
  return data({ nearest: await nearest(context, request) }, { status: 404 });
}

/** The answer to a slug that no category or store has: a redirect where one had it once (P6), query and all. */
export async function answerFormerSlug(
  {
    context,
    request,
    params,
  }: {
    context: Readonly<RouterContextProvider>;
    request: Request;
    params: { slug: string };
  },
  table: 'categories' | 'merchants',
  page = '',
) {
  const slug = await findPresentSlug(appServices(context).db, table, params.slug);
  return slug === null
    ? answerNotFound(context, request)
    : redirect(`/${table}/${slug}${page}${new URL(request.url).search}`, 301);
}

async function nearest(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<NearAddress | null> {
  const pathname = readablePath(request.url);
  if (pathname === null) return null;
  const fixed = findNearFixedAddress(pathname);
  if (fixed) return fixed;
  const { db, log } = appServices(context);
  try {
    return await findNearAddress(db, pathname);
  } catch (error) {
    // The page is missing with or without a guess.
    log.warn({ err: error, requestId: requestFacts(context).id }, 'no nearest page was looked for');
    return null;
  }
}

/** Null for what cannot be decoded or holds what the database refuses. */
function readablePath(url: string): string | null {
  try {
    const pathname = decodeURIComponent(new URL(url).pathname).replace(/\.data$/, '');
    return /\p{Cc}/u.test(pathname) ? null : pathname;
  } catch {
    return null;
  }
}

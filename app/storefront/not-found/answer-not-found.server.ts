import { data, redirect, type RouterContextProvider } from 'react-router';
import { findPresentSlug } from '#app/features/catalog/slug-queries.server.ts';
import { countMissedPath } from '#app/features/catalog/missed-paths.server.ts';
import { findRedirect } from '#app/features/catalog/find-redirect.server.ts';
import { findMovedPicture } from '#app/features/moved-posts/moved-pictures.server.ts';
import { findNearAddress } from '#app/features/search/near-address-queries.server.ts';
import type { NearAddress } from '#app/features/search/near-address.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { findNearFixedAddress } from './find-near-fixed-address.ts';

/**
 * Applies the owner's redirect to a URL without a page, or returns 404 with the most similar
 * page.
 */
export async function answerNotFound(context: Readonly<RouterContextProvider>, request: Request) {
  const pathname = readablePath(request.url);
  if (pathname !== null) {
    const moved = await findRedirect(appServices(context), pathname, new URL(request.url).search);
    if (moved?.status === 410) throw data({ nearest: null }, { status: 410 });
    if (moved) throw redirect(moved.location, moved.status);
    const picture = await findMovedPicture(appServices(context).db, pathname);
    if (picture) throw redirect(picture, 301);
    await countMissedPath(appServices(context), pathname, request, requestFacts(context).address);
  }
  return data({ nearest: await nearest(context, request) }, { status: 404 });
}

/**
 * Responds to an unknown slug of a category or store. A former slug redirects, including the query.
 */
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
    // A 404 is returned even if finding a suggestion fails.
    log.warn({ err: error, requestId: requestFacts(context).id }, 'finding a similar page failed');
    return null;
  }
}

/**
 * Returns the decoded path, or `null` if it cannot be decoded or contains characters that the
 * database rejects.
 */
function readablePath(url: string): string | null {
  try {
    const pathname = decodeURIComponent(new URL(url).pathname).replace(/\.data$/, '');
    return /\p{Cc}/u.test(pathname) ? null : pathname;
  } catch {
    return null;
  }
}

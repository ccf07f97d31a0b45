import { redirect } from 'react-router';
import type { Route } from './+types/share-picture-route';
import { isDrawn, keepDrawn } from '#app/features/pictures/draw-mail-picture.server.ts';
import { findSharedDeal } from '#app/features/share-pictures/find-shared-deal.server.ts';
import { sharePictureAddress } from '#app/features/site-settings/brand/share-picture.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { answerNotFound, knownTag } from './answer-conditionally.server.ts';

const hour = 'public, max-age=3600';
/** For an older address, whose content changes with the deal. */
const minute = 'public, max-age=60';

/**
 * Serves the pictures of deals for link previews. An older address shows the current picture. If
 * the site draws too many, the site's own picture takes its place.
 */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const services = appServices(context);
  const { db } = services;
  const found = await findSharedDeal(services, params.name);
  if (found === null) return answerNotFound();
  const name = found.path.slice(found.path.lastIndexOf('/') + 1);
  const etag = `"${name.slice(0, -'.jpg'.length)}"`;
  const headers = {
    etag,
    'cache-control': name === params.name ? hour : minute,
    // Chats and feed readers show pictures on pages of their own hosts.
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (knownTag(request.headers.get('if-none-match'), etag) !== null) {
    return new Response(null, { status: 304, headers });
  }
  if (!isDrawn(db, name) && !(await limit(services, 'share-picture', '')).ok) {
    const own = sharePictureAddress(await cachedSettings(services));
    return redirect(own, { headers: { 'cache-control': minute } });
  }
  const content = await keepDrawn(db, name, found.draw);
  return new Response(new Uint8Array(content), {
    headers: { ...headers, 'content-type': 'image/jpeg', 'content-length': String(content.length) },
  });
}

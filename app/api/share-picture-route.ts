import { redirect } from 'react-router';
import type { Route } from './+types/share-picture-route';
import { isShareDrawn, keepDrawn } from '#app/features/pictures/draw-mail-picture.server.ts';
import { findSharePicture } from '#app/features/share-pictures/find-share-picture.server.ts';
import { sharePictureAddress } from '#app/features/site-settings/brand/share-picture.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { answerNotFound, knownTag } from './answer-conditionally.server.ts';

const hour = 'public, max-age=3600';
/** `Cache-Control` for an older address, whose content changes with the deal. */
const minute = 'public, max-age=60';
/**
 * pictures in progress; they are drawn one by one, and each waiting request occupies the process
 */
const mostDrawing = 4;
let drawing = 0;

/**
 * Serves the pictures of deals, products, categories, stores and posts for link previews. An older
 * address shows the current picture. If too many are drawn at once or in a minute, the site's own
 * picture takes their place.
 */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const services = appServices(context);
  const { db } = services;
  const found = await findSharePicture(services, params.name);
  if (found === null) return answerNotFound();
  const key = found.key.slice(found.key.lastIndexOf('/') + 1);
  const etag = `"${key.slice(0, -'.jpg'.length)}"`;
  const headers = {
    etag,
    'content-type': 'image/jpeg',
    'cache-control': found.path.endsWith(`/${params.name}`) ? hour : minute,
    // Chats and feed readers show pictures on pages of their own hosts.
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (knownTag(request.headers.get('if-none-match'), etag) !== null) {
    return new Response(null, { status: 304, headers });
  }
  if (request.method === 'HEAD') return new Response(null, { headers });
  const isFree = () => isShareDrawn(db, key) || drawing < mostDrawing;
  const mayDraw =
    isFree() && (isShareDrawn(db, key) || (await limit(services, 'share-picture', '')).ok);
  // Other requests may have begun to draw in the meantime.
  if (!mayDraw || !isFree()) {
    const own = sharePictureAddress(await cachedSettings(services));
    return redirect(own, { headers: { 'cache-control': 'no-store' } });
  }
  const content = await keepDrawn(db, key, () => count(found.draw), 'share');
  return new Response(new Uint8Array(content), {
    headers: { ...headers, 'content-length': String(content.length) },
  });
}

/** Draws a picture, and counts it as in progress until it is drawn. */
async function count(draw: () => Promise<Buffer>): Promise<Buffer> {
  drawing += 1;
  try {
    return await draw();
  } finally {
    drawing -= 1;
  }
}

import type { Route } from './+types/mail-picture-route';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerNotFound, knownTag } from './answer-conditionally.server.ts';
import { findMailPicture } from './find-mail-picture.server.ts';

/** Serves the pictures of emails, in formats that every email client shows. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const picture = await findMailPicture(appServices(context), params.name);
  if (picture === null) return answerNotFound();
  const etag = `"${picture.tag}"`;
  const headers = {
    etag,
    'cache-control': `public, max-age=${picture.seconds}`,
    // Webmail shows emails on pages of its own host.
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (knownTag(request.headers.get('if-none-match'), etag) !== null) {
    return new Response(null, { status: 304, headers });
  }
  const content = await picture.draw();
  return new Response(new Uint8Array(content), {
    headers: { ...headers, 'content-type': picture.type, 'content-length': String(content.length) },
  });
}

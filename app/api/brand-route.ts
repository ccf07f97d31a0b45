import type { Route } from './+types/brand-route';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerNotFound, knownTag } from './answer-conditionally.server.ts';
import { findBrandFile } from './find-brand-file.server.ts';

const year = 'public, max-age=31536000, immutable';

/** Serves the files that are made from the owner's brand: icons and stylesheets. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const file = await findBrandFile(appServices(context), params.name);
  if (file === null) return answerNotFound();
  const etag = `"${file.tag}"`;
  const headers = {
    etag,
    // A URL of another version of the site returns the current content, cacheable only briefly.
    'cache-control': file.isCurrent ? year : 'public, max-age=60',
    // Feed readers, chats and email clients show pictures on other hosts.
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (knownTag(request.headers.get('if-none-match'), etag) !== null) {
    return new Response(null, { status: 304, headers });
  }
  const content = await file.read();
  return new Response(new Uint8Array(content), {
    headers: { ...headers, 'content-type': file.type, 'content-length': String(content.length) },
  });
}

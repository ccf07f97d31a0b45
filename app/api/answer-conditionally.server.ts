import { createHash } from 'node:crypto';

/**
 * Returns a response for polling clients, with a strong ETag of its exact bytes. The server weakens
 * the ETag when it compresses. A client with the same ETag gets 304 without a body.
 */
export function answerConditionally(
  request: Request,
  body: string,
  type: string,
  seconds: number,
  more: Record<string, string> = {},
): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const known = knownTag(request.headers.get('if-none-match'), etag);
  const headers = { ...more, 'cache-control': `public, max-age=${seconds}`, etag: known ?? etag };
  return known === null
    ? new Response(body, { headers: { ...headers, 'content-type': `${type}; charset=utf-8` } })
    : new Response(null, { status: 304, headers });
}

/**
 * Returns the tag in an If-None-Match header that matches this response, as it was sent, or `null`.
 * Any encoding of the same response matches.
 */
export function knownTag(ifNoneMatch: string | null, etag: string): string | null {
  if (ifNoneMatch?.trim() === '*') return etag;
  const opaque = (tag: string) => tag.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"');
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.find((tag) => opaque(tag) === etag)?.replace(/^W\//, '') ?? null;
}

export function answerPlain(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}

export const answerNotFound = () => answerPlain(404, 'Not found');

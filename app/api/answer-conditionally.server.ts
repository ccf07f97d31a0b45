import { createHash } from 'node:crypto';

/**
 * An answer that programs ask for again and again: it carries a strong tag of exactly these bytes (the server marks the
 * tag where it compresses them), and whoever has it already gets 304 and no body.
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
 * The tag of an If-None-Match header that names this answer, as it was sent; null when none does. Any encoding of the
 * same answer will do.
 */
function knownTag(ifNoneMatch: string | null, etag: string): string | null {
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

import { createHash } from 'node:crypto';

/**
 * An answer that a program asks for again and again: it carries its fingerprint, and whoever has it already gets
 * 304 and no body. The tag is weak, because the server may still compress the answer.
 */
export function answerConditionally(
  request: Request,
  body: string,
  headers: { 'content-type': string; 'cache-control': string; 'last-modified'?: string },
): Response {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const known = request.headers.get('if-none-match');
  const isKnown = known === '*' || known?.split(',').some((tag) => isSame(tag, etag));
  return isKnown
    ? new Response(null, { status: 304, headers: { ...headers, etag } })
    : new Response(body, { headers: { ...headers, etag } });
}

function isSame(tag: string, etag: string): boolean {
  return withoutMark(tag) === withoutMark(etag);
}

function withoutMark(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

export function answerNotFound(): Response {
  return new Response('Not found\n', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isMailReportsPath } from '#app/platform/mail/reports/mail-reports-path.ts';
import { hasBody } from '#server/has-body.ts';

/** bytes; twice the longest contact message, escaped */
const mostBytes = 128 * 1024;
/** bytes; a list of 1 MB plus form overhead */
const mostBytesOfList = 1088 * 1024;
/** bytes; for blog posts and a logo, which are parsed after the permission check */
const mostBytesOfStaff = 1024 * 1024;

/** Returns the whole body, or an error status. Checks the size before parsing anything. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<{ ok: true; body: Buffer } | { ok: false; status: 413 | 400 }> {
  if (!hasBody(request.headers)) return { ok: true, body: Buffer.alloc(0) };
  // SendGrid posts up to 768 kB at a time.
  const isLarge = pathname.startsWith('/admin/') || isMailReportsPath(pathname);
  const isList = pathname === '/favorites/import';
  const most = isList ? mostBytesOfList : isLarge ? mostBytesOfStaff : mostBytes;
  if (Number(request.headers['content-length'] ?? 0) > most) return { ok: false, status: 413 };
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > most) return { ok: false, status: 413 };
      chunks.push(chunk);
    }
  } catch {
    return { ok: false, status: 400 }; // The visitor disconnected halfway.
  }
  return { ok: true, body: Buffer.concat(chunks) };
}

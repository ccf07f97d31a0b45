import type { IncomingMessage, ServerResponse } from 'node:http';
import { isMailReportsPath } from '#app/platform/mail/reports/mail-reports-path.ts';
import { hasBody } from '#server/has-body.ts';

/** The longest message of the contact page, escaped, twice over. */
const mostBytes = 128 * 1024;
/** Posts of the blog, and a logo. What staff alone may send is not parsed before the guard has let them through. */
const mostBytesOfStaff = 1024 * 1024;

/** The whole body, or the status to refuse it with: nothing is parsed before its size is known to be fair (R24, R58). */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<{ ok: true; body: Buffer } | { ok: false; status: 413 | 400 }> {
  if (!hasBody(request.headers)) return { ok: true, body: Buffer.alloc(0) };
  // SendGrid posts up to 768 kB at a time.
  const isLarge = pathname.startsWith('/admin/') || isMailReportsPath(pathname);
  const most = isLarge ? mostBytesOfStaff : mostBytes;
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
    return { ok: false, status: 400 }; // the visitor went away halfway
  }
  return { ok: true, body: Buffer.concat(chunks) };
}

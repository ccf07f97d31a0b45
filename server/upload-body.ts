import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { hasBody } from '#server/has-body.ts';

/**
 * The paths of forms larger than usual: feeds, pictures, exports and lists, which are read after
 * all checks.
 */
const uploadPaths = new Set([
  '/admin/imports/upload',
  '/admin/media/upload',
  '/admin/move-in/posts/upload',
  '/admin/move-in/price-histories/upload',
  '/admin/move-in/subscribers/upload',
]);
/** bytes; a feed of 20 MB plus form overhead */
const mostBytes = 20 * 1024 * 1024 + 64 * 1024;

/**
 * Returns whether the request is an upload. Runs before the path is normalized, so other spellings
 * only get the time limit of normal requests.
 */
export function isUploadTarget({ method, url = '' }: IncomingMessage): boolean {
  return isUpload(method ?? '', url.split('?', 1)[0] ?? '');
}

export function isUpload(method: string, pathname: string): boolean {
  return method === 'POST' && uploadPaths.has(pathname);
}

/**
 * Returns the body, which is read after all checks, or null if its declared size is too large. The
 * stream fails if it becomes too large, or stalls for `mostStillMs`.
 */
export function uploadBody(
  request: IncomingMessage,
  mostStillMs: number,
): ReadableStream<Uint8Array> | null {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return null;
  async function* counted(): AsyncGenerator<Buffer> {
    if (!hasBody(request.headers)) return;
    const chunks = request.iterator({ destroyOnReturn: false });
    let bytes = 0;
    for (;;) {
      const { value, done } = await inTime(chunks.next(), mostStillMs);
      if (done) return;
      bytes += value.length;
      if (bytes > mostBytes) throw new Error('the upload is too large');
      yield value;
    }
  }
  return Readable.toWeb(
    Readable.from(counted(), { objectMode: false }),
  ) as ReadableStream<Uint8Array>;
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the upload stalled')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { hasBody } from '#server/has-body.ts';

/** The one form that brings more than a page's worth: feeds, which go straight to the disk (R24). */
const uploadPath = '/admin/imports/upload';
/** A feed of 20 MB and the form around it. */
const mostBytes = 20 * 1024 * 1024 + 64 * 1024;

/** Before the path is normalised: another spelling gets no more time than every request. */
export function isUploadTarget({ method, url = '' }: IncomingMessage): boolean {
  return isUpload(method ?? '', url.split('?', 1)[0] ?? '');
}

export function isUpload(method: string, pathname: string): boolean {
  return method === 'POST' && pathname === uploadPath;
}

/** The body, read only after all guards. Null if declared too large; it breaks off if it is, or stalls `mostStillMs`. */
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
      if (bytes > mostBytes) throw new Error('the upload is larger than it may be');
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
    timer = setTimeout(() => reject(new Error('the upload stood still')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

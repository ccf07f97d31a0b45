import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib';
import type { Encoding } from '#server/accepted-encoding.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const compressZstd = promisify(zstdCompress);

/** `window`: bits of how far back it looks. The default of 21 takes megabytes anew for each page, and as long as the work itself. */
export const zstdParams = (window: number) => ({
  [constants.ZSTD_c_compressionLevel]: 3,
  [constants.ZSTD_c_windowLog]: window,
});

/** Up to so many bytes it is done before another thread could have begun: a list takes a tenth of a millisecond. */
const mostAtOnce = 256 * 1024;

/** A window as wide as the body finds all there is. */
const windowOf = ({ length }: Buffer) =>
  Math.min(21, Math.max(16, Math.ceil(Math.log2(length + 16))));

/** A text in one piece. Brotli of quality 3 is for what nobody keeps and cannot be zstd: half the time of 4, and still less than gzip's 6. */
export async function compress(
  body: Buffer,
  encoding: Encoding,
  brotliQuality = 3,
): Promise<Buffer> {
  if (encoding === 'identity') return body;
  if (encoding === 'gzip') return compressGzip(body, { level: 6 });
  if (encoding === 'zstd') {
    const options = { params: zstdParams(windowOf(body)) };
    return body.length <= mostAtOnce
      ? zstdCompressSync(body, options)
      : compressZstd(body, options);
  }
  return compressBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_LGWIN]: windowOf(body),
    },
  });
}

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Encoding } from '#server/accepted-encoding.ts';
import { zstdParams } from '#server/compress.ts';
import { errorCode } from '#database/error-code.ts';

/**
 * Streams a page and flushes each chunk. Rejects if the page fails. If the visitor disconnects, the
 * stream just stops.
 */
export async function sendStream(
  body: ReadableStream<Uint8Array>,
  encoding: Encoding,
  response: ServerResponse,
): Promise<void> {
  const source = Readable.fromWeb(body as NodeReadableStream<Uint8Array>);
  try {
    await (encoding === 'identity'
      ? pipeline(source, response)
      : pipeline(source, createCompressor(encoding), response));
  } catch (error) {
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

function createCompressor(encoding: Exclude<Encoding, 'identity'>) {
  if (encoding === 'gzip') return createGzip({ level: 6, flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'zstd') {
    return createZstdCompress({ flush: constants.ZSTD_e_flush, params: zstdParams(17) });
  }
  return createBrotliCompress({
    flush: constants.BROTLI_OPERATION_FLUSH,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

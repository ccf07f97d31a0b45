import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReadableStream as WebStream } from 'node:stream/web';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  zstdDecompressSync,
} from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  acceptedEncoding,
  type Encoding,
  storedEncodings,
  passingEncodings,
} from './accepted-encoding.ts';
import { sendStream } from './send-stream.ts';

const open: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Streams one body to a client and returns the outcome. */
async function serve(body: ReadableStream<Uint8Array>, encoding: Encoding) {
  const sent = Promise.withResolvers<'sent' | Error>();
  const server = createServer((_request, response) => {
    sendStream(body, encoding, response).then(
      () => sent.resolve('sent'),
      (error: Error) => sent.resolve(error),
    );
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = httpRequest({ port: (server.address() as AddressInfo).port, agent: false });
  request.on('error', () => {});
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { request, response, sent: sent.promise };
}

function streamOf(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  return WebStream.from(pieces) as ReadableStream<Uint8Array>;
}

async function wholeOf(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const encode = (text: string) => new TextEncoder().encode(text);
const page = ['<html>', 'some words, '.repeat(500), '</html>'];

describe('a streamed page', () => {
  test.each([
    ['identity', (bytes: Buffer) => bytes],
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ] as const)('delivers a complete page as %s', async (encoding, unpack) => {
    const { response, sent } = await serve(streamOf(page.map(encode)), encoding);
    expect(unpack(await wholeOf(response)).toString()).toBe(page.join(''));
    expect(await sent).toBe('sent');
  });

  test.each(['gzip', 'br', 'zstd'] as const)(
    'sends fewer bytes for a page encoded as %s',
    async (encoding) => {
      const { response } = await serve(streamOf(page.map(encode)), encoding);
      expect((await wholeOf(response)).length).toBeLessThan(page.join('').length / 10);
    },
  );

  test.each([
    ['gzip', createGunzip],
    ['br', createBrotliDecompress],
    ['zstd', createZstdDecompress],
  ] as const)(
    'sends a page as %s that can be read from the first piece, before the rest has arrived',
    async (encoding, unpacker) => {
      const rest = Promise.withResolvers<void>();
      async function* pieces() {
        yield encode('the shell');
        await rest.promise;
        yield encode(', the rest');
      }
      const { response } = await serve(streamOf(pieces()), encoding);
      const unpacked = response.pipe(unpacker());
      const [first] = (await once(unpacked, 'data')) as [Buffer];
      expect(first.toString()).toBe('the shell');
      rest.resolve();
      expect((await wholeOf(unpacked)).toString()).toBe(', the rest');
    },
  );

  test('rejects, and aborts the visitor’s connection, if the page fails halfway', async () => {
    async function* pieces() {
      yield encode('half');
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('the database went away');
    }
    const { response, sent } = await serve(streamOf(pieces()), 'identity');
    await expect(wholeOf(response)).rejects.toThrow('aborted');
    expect(await sent).toMatchObject({ message: 'the database went away' });
  });

  test.each(['identity', 'gzip', 'br', 'zstd'] as const)(
    'stops a page without an error if the visitor disconnects (%s)',
    async (encoding) => {
      const stopped = Promise.withResolvers<void>();
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(crypto.getRandomValues(new Uint8Array(16_384))),
        cancel: () => stopped.resolve(),
      });
      const { request, response, sent } = await serve(endless, encoding);
      await once(response, 'data');
      request.destroy();
      expect(await sent).toBe('sent');
      await stopped.promise;
    },
  );
});

describe('a response’s encoding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0,gzip;q=0', 'identity'],
    ['gzip; q=0.5', 'gzip'],
    [' br ; q=0.1 ', 'br'],
    ['brotli, gzipped', 'identity'],
    ['deflate', 'identity'],
  ] as const)('chooses the encoding for %j: %s', (header, encoding) => {
    expect(acceptedEncoding(header, storedEncodings)).toBe(encoding);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, br, zstd;q=0', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ] as const)('chooses the encoding of a personal response for %j: %s', (header, encoding) => {
    expect(acceptedEncoding(header, passingEncodings)).toBe(encoding);
  });
});

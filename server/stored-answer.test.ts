import { createHash } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { isText, sendStoredAnswer, storeAnswer, type StoredAnswer } from './stored-answer.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const page = 'deal '.repeat(400);

const digestOf = (n: number) => createHash('sha256').update(String(n)).digest();

function store(more: Partial<Parameters<typeof storeAnswer>[0]> = {}): Promise<StoredAnswer> {
  return storeAnswer({
    status: 200,
    body: Buffer.from(page),
    type: 'text/html; charset=utf-8',
    headers: { 'cache-control': 'public', 'x-own': 'kept' },
    brotliQuality: 4,
    ...more,
  });
}

interface Got {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Requests a stored response as a browser does. */
async function ask(
  answer: StoredAnswer,
  headers: Record<string, string> = {},
  method = 'GET',
  onGrowth?: () => void,
): Promise<Got> {
  const server = createServer((request, response) =>
    sendStoredAnswer(answer, request, response, onGrowth),
  );
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = httpRequest({ host: '127.0.0.1', port, method, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const etagOf = async (answer: StoredAnswer, encoding = 'identity') =>
  String((await ask(answer, { 'accept-encoding': encoding })).headers.etag);

describe('the response encoding', () => {
  it.each([
    ['br', 'br', (body: Buffer) => brotliDecompressSync(body)],
    ['gzip', 'gzip', (body: Buffer) => gunzipSync(body)],
    ['gzip, br;q=0', 'gzip', (body: Buffer) => gunzipSync(body)],
    ['GZIP', 'gzip', (body: Buffer) => gunzipSync(body)],
    ['zstd, br;q=0.1', 'br', (body: Buffer) => brotliDecompressSync(body)],
    ['zstd', undefined, (body: Buffer) => body],
    ['gzip;q=0, br;q=0.0', undefined, (body: Buffer) => body],
  ])(
    'chooses the encoding for %j: %s, which decompresses to the same page',
    async (accepted, encoding, unpack) => {
      const got = await ask(await store(), { 'accept-encoding': accepted });
      expect(got.headers['content-encoding']).toBe(encoding);
      expect(unpack(got.body).toString()).toBe(page);
      expect(got.headers['content-length']).toBe(String(got.body.length));
    },
  );

  it('does not compress small responses, pictures, or content that does not shrink', async () => {
    const { variants: small } = await store({ body: Buffer.from('a'.repeat(255)) });
    expect(Object.keys(small)).toEqual(['identity']);
    const { variants: picture } = await store({ type: 'image/webp' });
    expect(Object.keys(picture)).toEqual(['identity']);
    const noise = Buffer.concat(Array.from({ length: 10 }, (_, n) => digestOf(n)));
    const { variants } = await store({ body: noise });
    expect(Object.keys(variants)).toEqual(['identity']);
    const drawing = await store({ type: 'image/svg+xml' });
    expect(Object.keys(drawing.variants).toSorted()).toEqual(['br', 'gzip', 'identity']);
  });

  it('preserves every byte of large pages and of binary ones', async () => {
    const large = Buffer.from(Array.from({ length: 90_000 }, (_, n) => `é${n}€`).join(' '));
    const answer = await store({ body: large });
    for (const [accepted, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { body } = await ask(answer, { 'accept-encoding': accepted });
      expect(unpack(body).equals(large)).toBe(true);
    }
    expect((await ask(answer)).body.equals(large)).toBe(true);
  });

  it('includes each encoding in the response’s size', async () => {
    // The text shrinks by a quarter at most.
    const text = Array.from({ length: 500 }, (_, n) => digestOf(n).toString('base64')).join('');
    const answer = await store({ body: Buffer.from(text) });
    const { bytes, variants } = answer;
    const sizeOf = (variant = variants.identity) => variant.body?.length ?? 0;
    expect(sizeOf(variants.br)).toBeGreaterThan(10_000);
    expect(bytes).toBeGreaterThanOrEqual(sizeOf(variants.br));
    expect(bytes).toBeLessThan(text.length);
    // Gzip is created for the first request and then stored, so the size includes it afterwards.
    expect(variants.gzip?.body).toBeNull();
    let grown = 0;
    const gzip = await ask(answer, { 'accept-encoding': 'gzip' }, 'GET', () => grown++);
    expect(sizeOf(variants.gzip)).toBe(gzip.body.length);
    expect(sizeOf(variants.gzip)).toBeGreaterThan(10_000);
    expect([answer.bytes, grown]).toEqual([bytes + gzip.body.length, 1]);
    // For clients without compression, the page is decompressed on every request.
    expect((await ask(answer)).body.toString()).toBe(text);
    expect(variants.identity.body).toBeNull();
    expect([answer.bytes, grown]).toEqual([bytes + gzip.body.length, 1]);
  });

  it('compresses with gzip only once for simultaneous requests, including HEAD', async () => {
    const answer = await store();
    let grown = 0;
    const asked = ['HEAD', 'GET', 'GET'].map((method) =>
      ask(answer, { 'accept-encoding': 'gzip' }, method, () => grown++),
    );
    const [head, ...gets] = await Promise.all(asked);
    for (const { headers, body } of gets) {
      expect(gunzipSync(body).toString()).toBe(page);
      expect(headers['content-length']).toBe(String(body.length));
      expect(head?.headers).toMatchObject({ 'content-length': String(body.length) });
    }
    expect([head?.body.length, grown]).toEqual([0, 1]);
  });

  it('sends an uncompressed page to gzip-only clients if gzip would be longer', async () => {
    // Brotli's dictionary contains these words, but gzip must spell them out.
    const words = 'international government relationship professional administration communication';
    const noise = Array.from({ length: 10 }, (_, n) => digestOf(n));
    const body = Buffer.concat([...noise, Buffer.from(words)]);
    const answer = await store({ body });
    const bytes = answer.bytes;
    for (const method of ['HEAD', 'GET']) {
      const got = await ask(answer, { 'accept-encoding': 'gzip' }, method);
      expect(got.headers).toMatchObject({ 'content-length': String(body.length) });
      expect(got.headers).not.toHaveProperty('content-encoding');
      expect(got.headers.etag).toBe(await etagOf(answer));
      expect(got.body.equals(method === 'GET' ? body : Buffer.alloc(0))).toBe(true);
    }
    const br = await ask(answer, { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(br.body).equals(body)).toBe(true);
    expect(answer.bytes).toBe(bytes);
  });
});

describe('a conditional request', () => {
  it.each([
    ['the same ETag', (etag: string) => etag],
    ['the same ETag, made weak by a proxy', (etag: string) => `W/${etag}`],
    ['the ETag among several', (etag: string) => `"a", W/"b",${etag} , "c"`],
    ['a wildcard', () => '*'],
  ])('returns 304 without a body for a conditional request with %s', async (_name, tagsFor) => {
    const answer = await store();
    for (const encoding of ['identity', 'br', 'gzip']) {
      const etag = await etagOf(answer, encoding);
      const got = await ask(answer, {
        'accept-encoding': encoding,
        'if-none-match': tagsFor(etag),
      });
      expect([got.status, got.body.length, got.headers.etag]).toEqual([304, 0, etag]);
      expect(got.headers).toMatchObject({ 'cache-control': 'public', 'x-own': 'kept' });
      expect(got.headers).not.toHaveProperty('content-length');
      expect(got.headers).not.toHaveProperty('content-encoding');
    }
  });

  it.each([
    ['another ETag', () => '"another"'],
    ['no ETag', () => ''],
    ['an ETag without quotes', (etag: string) => etag.slice(1, -1)],
    ['a part of the ETag', (etag: string) => `${etag.slice(0, -4)}"`],
  ])('sends the page for a conditional request with %s', async (_name, tagFor) => {
    const answer = await store();
    const got = await ask(answer, { 'if-none-match': tagFor(await etagOf(answer)) });
    expect([got.status, got.body.toString()]).toEqual([200, page]);
  });

  it('sends the page if the ETag belongs to another encoding, because a strong ETag identifies exact bytes', async () => {
    const answer = await store();
    const plain = await etagOf(answer);
    expect(await etagOf(await store())).toBe(plain);
    const br = await etagOf(answer, 'br');
    const gzip = await etagOf(answer, 'gzip');
    expect(new Set([br, gzip, plain]).size).toBe(3);
    const got = await ask(answer, { 'accept-encoding': 'gzip', 'if-none-match': br });
    expect(got.status).toBe(200);
  });

  it('sends the new page if the ETag is outdated', async () => {
    const [before, after] = [await store(), await store({ body: Buffer.from(`${page}!`) })];
    const got = await ask(after, { 'if-none-match': await etagOf(before) });
    expect(got.body.toString()).toBe(`${page}!`);
  });

  it.each([404, 410, 308])('never replaces status %i with 304', async (status) => {
    const answer = await store({ status });
    const got = await ask(answer, { 'if-none-match': '*' });
    expect([got.status, got.body.toString()]).toEqual([status, page]);
  });
});

it('responds to HEAD with the page’s headers but no body', async () => {
  const answer = await store();
  for (const encoding of ['identity', 'br', 'gzip']) {
    const get = await ask(answer, { 'accept-encoding': encoding });
    const head = await ask(answer, { 'accept-encoding': encoding }, 'HEAD');
    const { date: _then, ...wanted } = get.headers;
    expect(head.headers).toMatchObject(wanted);
    expect(head.body.length).toBe(0);
  }
});

it.each([
  ['text/html; charset=utf-8', true],
  ['text/css', true],
  ['application/json', true],
  ['application/problem+json; charset=utf-8', true],
  ['application/rss+xml', true],
  ['application/manifest+json', true],
  ['application/xml', true],
  ['image/svg+xml', true],
  ['application/javascript', true],
  ['image/webp', false],
  ['font/woff2', false],
  ['application/octet-stream', false],
  ['application/zip', false],
  ['video/mp4', false],
])('decides whether %s is worth compressing: %s', (type, isIt) => {
  expect(isText(type)).toBe(isIt);
});

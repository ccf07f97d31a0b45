import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from '#test/fast-check.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { isPublicAddress, type ResolvedAddress } from './public-address.server.ts';
import { safeFetch, type SafeFetchOptions, safePost, safeStatus } from './safe-fetch.server.ts';

const limits: SafeFetchOptions = { maxBytes: 1_000, timeoutMs: 60_000 };
const local: SafeFetchOptions = { ...limits, allowPrivate: true };
const servers: { close(): unknown }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 1 }, answer).listen(0, '127.0.0.1');
  servers.push({
    close: () => {
      server.closeAllConnections();
      return server.close();
    },
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Starts a server that sends exactly these bytes to every client, and closes the connection. */
async function serveBytes(bytes: string): Promise<string> {
  const server = createNetServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const hextets = (address: string) =>
  address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{4})/, '$1:');

// Proves R29: outbound fetches (app/platform/safe-fetch.server.ts)
describe('R29: a local or private address', () => {
  // One address of each kind that must never be requested.
  const inside = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
  ];
  const spellings: [string, (ip: string) => string][] = [
    ['as it is', (ip) => ip],
    ['with a dot at its end', (ip) => `${ip}.`],
    [
      'as one number',
      (ip) => String(ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)),
    ],
    ['as one number in hex', (ip) => `0x${hextets(ip).replace(':', '')}`],
    [
      'in hex parts',
      (ip) =>
        ip
          .split('.')
          .map((part) => `0x${Number(part).toString(16)}`)
          .join('.'),
    ],
    [
      'in octal parts',
      (ip) =>
        ip
          .split('.')
          .map((part) => `0${Number(part).toString(8)}`)
          .join('.'),
    ],
    [
      'in full-width digits',
      (ip) => ip.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ],
    ['with full-width dots', (ip) => ip.replaceAll('.', '。')],
    ['with escaped digits', (ip) => ip.replace(/\d/g, (digit) => `%3${digit}`)],
    ['mapped into IPv6', (ip) => `[::ffff:${ip}]`],
    ['mapped into IPv6 in hex', (ip) => `[::ffff:${hextets(ip)}]`],
    ['the old way in IPv6', (ip) => `[::${hextets(ip)}]`],
    ['behind NAT64', (ip) => `[64:ff9b::${hextets(ip)}]`],
    ['behind a NAT64 of one’s own', (ip) => `[64:ff9b:1::${hextets(ip)}]`],
    ['in 6to4', (ip) => `[2002:${hextets(ip)}::1]`],
    ['in Teredo', (ip) => `[2001:0:${hextets(ip)}::1]`],
    ['in ISATAP', (ip) => `[fe80::5efe:${hextets(ip)}]`],
  ];

  test.each(spellings)('R29: refuses %s', async (_how, spell) => {
    for (const ip of inside) {
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${spell(ip)}/`;
        const refused = await safeFetch(url, limits).catch((error: Error) => error.message);
        expect([url, refused]).toEqual([url, expect.stringContaining('public internet')]);
      }
    }
  });

  test('R29: never treats an address of a private range as public, wherever it is', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const within = (...ranges: [number, number][]) =>
      fc
        .tuple(...ranges.map(([min, max]) => fc.integer({ min, max })))
        .map((parts) => parts.join('.'));
    const any: [number, number] = [0, 255];
    const reserved = fc.oneof(
      within([0, 0], any, any, any),
      within([10, 10], any, any, any),
      within([100, 100], [64, 127], any, any),
      within([127, 127], any, any, any),
      within([169, 169], [254, 254], any, any),
      within([172, 172], [16, 31], any, any),
      within([192, 192], [168, 168], any, any),
      within([192, 192], [0, 0], [0, 0], any),
      within([198, 198], [18, 19], any, any),
      within([224, 255], any, any, any),
    );
    fc.assert(
      fc.property(reserved, byte, (ip, last) => {
        const mapped = [`::ffff:${ip}`, `64:ff9b::${hextets(ip)}`, `2002:${hextets(ip)}::${last}`];
        expect([ip, ...mapped].filter(isPublicAddress)).toEqual([]);
      }),
    );
    const private6 = fc.tuple(
      fc.constantFrom(
        'fc00',
        'fdff',
        'fe80',
        'febf',
        'fec0',
        'ff02',
        '2001:db8',
        '::',
        '100:',
        '5f00',
      ),
      fc.integer({ min: 1, max: 0xffff }),
    );
    fc.assert(
      fc.property(private6, ([head, tail]) => {
        const address = `${head}${head === '::' ? '' : '::'}${tail.toString(16)}`.replace(
          ':::',
          '::',
        );
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });

  test.each(['', ' ', '1.2.3.4.5', '8.8.8.8 ', '8.8.8.8/32', 'dns.google', '[2606::1]', '::g'])(
    'R29: rejects %j as a public address',
    (written) => {
      expect(isPublicAddress(written)).toBe(false);
    },
  );
});

describe('R29: a URL with more than an address', () => {
  test.each(['http://user@example.com/', 'http://:pw@example.com/', 'http://a:b@127.0.0.1/'])(
    'R29: refuses %s for its user name or password',
    async (url) => {
      await expect(safeFetch(url, limits)).rejects.toThrow('user name or password');
      await expect(safeFetch(url, local)).rejects.toThrow('user name or password');
    },
  );

  test.each([
    'data:text/plain,hi',
    'blob:http://example.com/1',
    'gopher://example.com/',
    'jar:http://example.com!/',
    '//example.com/',
    'http:',
    'https://',
    'http://exa mple.com/',
    '',
  ])('R29: refuses %j for its scheme, even if private addresses are allowed', async (url) => {
    await expect(safeFetch(url, local)).rejects.toThrow('only http and https');
  });

  test.each([0, 22, 25, 8080, 5432, 65_535])('R29: refuses port %i', async (port) => {
    await expect(safeFetch(`http://example.com:${port}/`, limits)).rejects.toThrow(`port ${port}`);
  });

  test('R29: matches only whole names of the host list, in any letter case and with a trailing dot', async () => {
    const allowHosts = ['feeds.example'];
    // An allowed host passes the list, and is then refused because of this private address.
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
    const ask = (host: string) =>
      safeFetch(`http://${host}/`, { ...limits, allowHosts, resolve }).catch(
        (error: Error) => error.message,
      );
    for (const host of ['feeds.example', 'FEEDS.example', 'feeds.example.']) {
      expect(await ask(host)).toContain('public internet');
    }
    for (const host of ['a.feeds.example', 'feeds.example.evil.example', 'xfeeds.example']) {
      expect(await ask(host)).toContain('is not an allowed host');
    }
  });
});

describe('R29: the DNS lookup', () => {
  test('R29: resolves a name once, and connects to that address', async () => {
    const hosts: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      hosts.push(request.headers.host);
      response.end('here');
    });
    const { port } = new URL(url);
    const answers: ResolvedAddress[][] = [
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '10.0.0.1', family: 4 }], // The rebinding name's response to the second lookup.
    ];
    const resolve = async () => answers.shift() ?? [];
    const answer = await safeFetch(`http://shop.example:${port}/`, { ...local, resolve });
    expect(await text(answer.body)).toBe('here');
    expect(hosts).toEqual([`shop.example:${port}`]);
    expect(answers).toHaveLength(1);
  });

  test('R29: refuses a name if one of its addresses is private', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: 'fd00::1', family: 6 },
    ];
    const refused = safeFetch('https://shop.example/', { ...limits, resolve });
    await expect(refused).rejects.toThrow('shop.example is not an address of the public internet');
    await expect(safePost('https://shop.example/', '{}', { ...limits, resolve })).rejects.toThrow(
      'public internet',
    );
    await expect(
      safeStatus('https://shop.example/', 'GET', { ...limits, resolve }),
    ).rejects.toThrow('public internet');
  });

  test.each<[string, () => Promise<ResolvedAddress[]>]>([
    ['empty', async () => []],
    ['NXDOMAIN', () => Promise.reject(new Error('ENOTFOUND'))],
  ])('R29: reports a DNS response that is %s as “not found”', async (_what, resolve) => {
    await expect(safeFetch('http://gone.example/', { ...limits, resolve })).rejects.toThrow(
      'gone.example was not found',
    );
  });

  test('R29: never accepts a malformed DNS response as a public address', async () => {
    const resolve = async () => [{ address: 'nonsense', family: 4 }];
    await expect(safeFetch('http://odd.example/', { ...limits, resolve })).rejects.toThrow(
      'public internet',
    );
  });
});

describe('redirects', () => {
  test.each([
    ['a private address', 'http://10.0.0.1/', 'port'],
    ['another scheme', 'ftp://shop.example/', 'only http and https'],
    ['an address with a password', 'http://a:b@shop.example/', 'user name or password'],
    ['an invalid address', 'http://[', 'only http and https'],
  ])(
    'R29: refuses redirects to %s, even if the first address was allowed',
    async (_where, location, words) => {
      const url = await serve((_request, response) => {
        response.writeHead(302, { location }).end();
      });
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
      const options = location.startsWith('http://10') ? limits : local;
      await expect(safeFetch(url, { ...options, resolve })).rejects.toThrow(words);
    },
  );

  test('resolves relative redirect locations of every form', async () => {
    const url = await serve((request, response) => {
      const to: Record<string, string> = { '/': 'a/b', '/a/b': '../c?d=1', '/c?d=1': '?e=2' };
      const location = to[request.url ?? ''];
      if (location) response.writeHead(301, { location }).end();
      else response.end(request.url);
    });
    const answer = await safeFetch(url, local);
    expect(await text(answer.body)).toBe('/c?e=2');
    expect(answer.url).toBe(`${url}c?e=2`);
  });

  test('returns a redirect without a location as a response, and counts it as an error', async () => {
    const url = await serve((_request, response) => void response.writeHead(302).end());
    await expect(safeFetch(url, local)).rejects.toThrow('responded with status 302');
    expect(await safeStatus(url, 'HEAD', local)).toBe(302);
  });

  test('does not follow a redirect after a POST', async () => {
    const bodies: string[] = [];
    const url = await serve((request, response) => {
      void (async () => {
        bodies.push(`${request.url} ${await text(request)}`);
        response.writeHead(307, { location: '/elsewhere' }).end();
      })();
    });
    await expect(safeFetch(url, { ...local, body: 'a=1' })).rejects.toThrow('redirects elsewhere');
    expect(await safePost(url, '{}', local)).toEqual({ status: 307, retryAfterSeconds: null });
    expect(bodies).toEqual(['/ a=1', '/ {}']);
  });
});

describe('the body of a response', () => {
  const page = 'deal '.repeat(100);

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('decompresses a body from %s', async (encoding, pack) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(pack(Buffer.from(page)));
    });
    expect(await text((await safeFetch(url, local)).body)).toBe(page);
  });

  test('refuses a body with an unknown encoding', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x');
    });
    await expect(text((await safeFetch(url, local)).body)).rejects.toThrow(
      'an unknown compression',
    );
  });

  test.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 12)],
    ['not gzip', () => Buffer.from('plain')],
  ])('treats a body that is %s as an error, not as a short page', async (_how, damage) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(damage(gzipSync(page)));
    });
    await expect(text((await safeFetch(url, local)).body)).rejects.toThrow('was lost');
  });

  test.each(['gzip', 'br', 'deflate'] as const)(
    'R29: stops at the limit when a body decompresses from %s to far more than its size',
    async (encoding) => {
      const pack = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[encoding];
      const bomb = pack(Buffer.alloc(30_000_000));
      const url = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
      });
      const options = { ...local, maxBytes: 100_000, maxRawBytes: 1_000_000 };
      let read = 0;
      const reading = (async () => {
        for await (const chunk of (await safeFetch(url, options)).body) {
          read += (chunk as Buffer).length;
        }
      })();
      await expect(reading).rejects.toThrow('larger than 100000 bytes');
      expect(read).toBeLessThanOrEqual(100_000);
    },
  );

  test('R29: limits the compressed size of a body that declares no size', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('a'.repeat(900));
      response.end('a'.repeat(900));
    });
    const options = { ...local, maxBytes: 100_000, maxRawBytes: 1_000 };
    await expect(text((await safeFetch(url, options)).body)).rejects.toThrow('than 1000 bytes');
  });

  test('R29: limits the compressed size of a body before decompressing it', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(gzipSync(randomBytes(5_000)));
      response.end();
    });
    const options = { ...local, maxBytes: 100_000, maxRawBytes: 1_000 };
    await expect(text((await safeFetch(url, options)).body)).rejects.toThrow('than 1000 bytes');
  });

  test('accepts a body exactly as large as allowed, and reports its size', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-length': request.url === '/more' ? 1001 : 1000 });
      response.end('a'.repeat(request.url === '/more' ? 1001 : 1000));
    });
    const answer = await safeFetch(url, local);
    expect(answer.length).toBe(1000);
    expect((await text(answer.body)).length).toBe(1000);
    await expect(safeFetch(`${url}more`, local)).rejects.toThrow('larger than 1000 bytes');
    const large = { ...local, maxBytes: 3 * 1024 * 1024, maxRawBytes: 0 };
    await expect(safeFetch(url, large)).rejects.toThrow('larger than 0 bytes');
  });

  test('aborts a body that arrives too slowly at the time limit', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200);
      response.write('one drop'); // The server sends no second byte.
    });
    const answer = await safeFetch(url, { ...local, timeoutMs: 1_500 });
    await expect(text(answer.body)).rejects.toThrow('was lost');
  });

  test.each([
    ['no http', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['nothing', ''],
    ['too many headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('throws a readable error when a server sends %s', async (_what, bytes) => {
    const url = await serveBytes(bytes);
    await expect(safeFetch(url, local)).rejects.toThrow('the address cannot be reached');
  });
});

describe('conditional requests', () => {
  test('sends the stored validators, and accepts 304 only if requested', async () => {
    const url = await serve((request, response) => {
      const isSame = request.headers['if-none-match'] === '"v1"';
      const marks = { etag: '"v1"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' };
      if (isSame) response.writeHead(304, marks).end();
      else response.writeHead(200, marks).end('feed');
    });
    const first = await safeFetch(url, local);
    expect(first).toMatchObject({ status: 200, etag: '"v1"' });
    expect(first.lastModified).toBe('Sat, 21 Nov 2026 10:00:00 GMT');
    first.body.resume();
    const headers = { 'if-none-match': '"v1"' };
    const again = await safeFetch(url, { ...local, headers, allowNotModified: true });
    expect([again.status, await text(again.body)]).toEqual([304, '']);
    await expect(safeFetch(url, { ...local, headers })).rejects.toThrow('status 304');
  });

  test('cuts validators that are too long to store', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { etag: `"${'e'.repeat(2_000)}"`, 'last-modified': 'm'.repeat(400) });
      response.end();
    });
    const { etag, lastModified, body } = await safeFetch(url, local);
    body.resume();
    expect([etag?.length, lastModified?.length]).toEqual([500, 100]);
  });
});

describe('a post to another site', () => {
  test('returns the status of a post, even an error, and the requested pause', async () => {
    const url = await serve((request, response) => {
      const [, status = '200', wait = ''] = (request.url ?? '').split('/');
      response.writeHead(Number(status), wait ? { 'retry-after': wait } : {}).end('words');
    });
    const send = (path: string) => safePost(`${url}${path}`, 'x', local);
    expect(await send('200')).toEqual({ status: 200, retryAfterSeconds: null });
    expect(await send('503/120')).toEqual({ status: 503, retryAfterSeconds: 120 });
    expect(await send('429/Sat')).toEqual({ status: 429, retryAfterSeconds: null });
    expect(await send('410/-5')).toEqual({ status: 410, retryAfterSeconds: null });
  });

  test('posts the body and headers, byte for byte', async () => {
    let got = { type: '', own: '', body: '' };
    const url = await serve((request, response) => {
      void (async () => {
        const { 'content-type': type = '', 'x-own': own } = request.headers;
        got = { type, own: String(own), body: await text(request) };
        response.end();
      })();
    });
    const headers = { 'content-type': 'application/json', 'x-own': 'yes' };
    await safePost(url, Buffer.from('{"ü":"€"}'), { ...local, headers });
    expect(got).toEqual({ type: 'application/json', own: 'yes', body: '{"ü":"€"}' });
  });

  test('R29: never posts to a private address', async () => {
    await expect(safePost('http://127.0.0.1/', '{}', limits)).rejects.toThrow('public internet');
    await expect(safePost('http://example.com:25/', '{}', limits)).rejects.toThrow('port 25');
  });
});

test('reports an abort by the caller, and closes the connection', async () => {
  const left = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const url = await serve((_request, response) => {
    response.on('close', () => left.resolve());
    arrived.resolve();
  });
  const stopping = new AbortController();
  const asking = safeFetch(url, { ...local, signal: stopping.signal });
  const told = expect(asking).rejects.toThrow('stopped');
  await arrived.promise;
  stopping.abort();
  await told;
  await left.promise;
});

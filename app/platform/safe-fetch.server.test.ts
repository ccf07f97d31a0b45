import { createServer, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.server.ts';
import { safeFetch, type SafeFetchOptions, safeStatus } from './safe-fetch.server.ts';

const limits: SafeFetchOptions = { maxBytes: 1_000, timeoutMs: 60_000 };
const local: SafeFetchOptions = { ...limits, allowPrivate: true };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('R29: URLs refused before any request', () => {
  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.1.2.3/',
    'http://192.168.0.1/',
    'http://0.0.0.0/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[::]/',
  ])('R29: refuses %s, which is not a public address, before any request', async (url) => {
    await expect(safeFetch(url, limits)).rejects.toThrow(
      'is not an address of the public internet',
    );
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'javascript:alert(1)', 'nonsense'])(
    'R29: refuses %s, which is neither http nor https, before any request',
    async (url) => {
      await expect(safeFetch(url, limits)).rejects.toThrow('only http and https');
    },
  );

  test('R29: refuses a port other than 80 and 443, a password in the address, and an unlisted host', async () => {
    await expect(safeFetch('http://example.com:5432/', limits)).rejects.toThrow('port 5432');
    await expect(safeFetch('http://me:pw@example.com/', limits)).rejects.toThrow('password');
    const allowHosts = ['feeds.example'];
    await expect(safeFetch('http://example.com/', { ...limits, allowHosts })).rejects.toThrow(
      'is not an allowed host',
    );
  });
});

test.each([
  ['localhost', '127.0.0.1'],
  ['a name that hides a private address', '10.0.0.7'],
  ['a name that hides the metadata service', '169.254.169.254'],
  ['a name that hides loopback in IPv6', '::ffff:127.0.0.1'],
])('R29: refuses %s after the DNS lookup', async (_name, address) => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address, family: address.includes(':') ? 6 : 4 },
  ];
  await expect(safeFetch('http://innocent.example/', { ...limits, resolve })).rejects.toThrow(
    'innocent.example is not an address of the public internet',
  );
});

// Proves R29: fetches to the outside
test('R29: treats only addresses of the public internet as public', () => {
  expect(['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1'].map(isPublicAddress)).toEqual([
    true,
    true,
    true,
  ]);
  const reserved = [
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '::7f00:1',
    'fec0::1',
    '64:ff9b:1::1',
    '2001:db8::1',
    'ff02::1',
    'x',
  ];
  expect(reserved.filter(isPublicAddress)).toEqual([]);
});

test('streams the body with its content type, decompressed', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' });
    response.end(gzipSync('<rss/>'));
  });
  const answer = await safeFetch(url, local);
  expect(answer.contentType).toBe('text/xml');
  expect(await answer.body.toArray()).toEqual([Buffer.from('<rss/>')]);
});

test('R29: limits the bytes after decompression, whatever size the sender declares', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync('a'.repeat(100_000)));
  });
  const answer = await safeFetch(url, local);
  await expect(answer.body.toArray()).rejects.toThrow('larger than 1000 bytes');
});

test('does not read a response that declares too large a size', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '5000' });
    response.end('a'.repeat(5_000));
  });
  await expect(safeFetch(url, local)).rejects.toThrow('larger than 1000 bytes');
});

test('treats an interrupted connection as an error, not as the end of the response', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '500' });
    response.write('half');
    response.socket?.end();
  });
  const answer = await safeFetch(url, local);
  await expect(answer.body.toArray()).rejects.toThrow('was lost');
});

test('follows three redirects, but not a fourth', async () => {
  const url = await serve((request, response) => {
    const hop = Number(request.url?.slice(1) || '0');
    if (hop === 3) response.end('there');
    else response.writeHead(302, { location: `/${hop + 1}` }).end();
  });
  const answer = await safeFetch(url, local);
  expect(Buffer.concat(await answer.body.toArray()).toString()).toBe('there');
  await expect(safeFetch(`${url}-1`, local)).rejects.toThrow('more than 3 redirects');
});

test('R29: checks a redirect’s target like the first URL', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(302, { location: 'file:///etc/passwd' }).end();
  });
  await expect(safeFetch(url, local)).rejects.toThrow('only http and https');
  const allowHosts = ['127.0.0.1'];
  const away = await serve((_request, response) => {
    response.writeHead(302, { location: 'http://elsewhere.example/' }).end();
  });
  await expect(safeFetch(away, { ...local, allowHosts })).rejects.toThrow(
    'elsewhere.example is not an allowed host',
  );
});

test('throws readable errors for a status other than 200 and an unresponsive server', async () => {
  const url = await serve((_request, response) => void response.writeHead(404).end());
  await expect(safeFetch(url, local)).rejects.toThrow('responded with status 404');
  const silent = await serve(() => {});
  await expect(safeFetch(silent, { ...local, timeoutMs: 100 })).rejects.toThrow(
    'no response within',
  );
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
}

// Proves R29: asking whether links lead somewhere
describe('R29: a request for the status only', () => {
  test('R29: returns the status after redirects, and reads no body', async () => {
    const methods: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      methods.push(request.method);
      if (request.url === '/old') response.writeHead(301, { location: '/gone' }).end();
      // The response never ends.
      else response.writeHead(410, { 'content-length': '9000000' }).flushHeaders();
    });
    expect(await safeStatus(`${url}old`, 'GET', local)).toBe(410);
    expect(await safeStatus(`${url}old`, 'HEAD', local)).toBe(410);
    expect(methods).toEqual(['GET', 'GET', 'HEAD', 'HEAD']);
  });

  test('R29: checks every URL of a redirect chain, and limits its length', async () => {
    const url = await serve((request, response) => {
      const to = request.url === '/in' ? 'http://10.0.0.1/' : `${request.url}x`;
      response.writeHead(302, { location: to }).end();
    });
    await expect(safeStatus(`${url}a`, 'HEAD', local)).rejects.toThrow('more than 3 redirects');
    await expect(safeStatus(url, 'HEAD', limits)).rejects.toThrow('port');
    await expect(safeStatus('http://10.0.0.1/', 'GET', limits)).rejects.toThrow('not an address');
  });
});

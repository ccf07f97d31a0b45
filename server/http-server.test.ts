import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, type HttpSite, startHttpSite } from '#test/http-site.ts';
import { securityHeaders } from '#server/security-headers.ts';
import type { SiteApp } from '#server/site-app.ts';
import { storeAnswer } from '#server/stored-answer.ts';

let site: HttpSite | undefined;
afterEach(() => site?.close());

const html = { 'content-type': 'text/html; charset=utf-8' };
const page =
  (text: string, init: ResponseInit = {}): SiteApp =>
  async () => ({
    response: new Response(text, { headers: html, ...init }),
    policy: null,
    error: null,
  });
const ownForm = {
  origin: 'https://deals.test',
  'content-type': 'application/x-www-form-urlencoded',
};

function expectSecurityHeaders({ headers }: Answer): void {
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
  expect(headers['permissions-policy']).toContain('camera=()');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['strict-transport-security']).toContain('max-age=');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers['x-powered-by']).toBeUndefined();
}

// Proves R18: headers on every answer (security-headers.ts)
describe('R18: security headers on every kind of response', () => {
  // Proves P33: local hero image (home-hero.tsx)
  it('R18: sends the security headers with pages, data, redirects, files, errors and rejections', async () => {
    const script = await storeAnswer({
      status: 200,
      body: Buffer.from('let a;'),
      type: 'text/javascript',
      headers: {
        ...securityHeaders('https://deals.test'),
        'content-security-policy': "default-src 'none'",
      },
      brotliQuality: 5,
    });
    const app: SiteApp = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/boom') throw new Error('secret detail');
      const policy = pathname === '/about' ? { seconds: 60, tags: [] } : null;
      const response =
        pathname === '/go'
          ? new Response(null, { status: 302, headers: { location: '/' } })
          : new Response('{}', { headers: { 'content-type': 'application/json' } });
      return { response, policy, error: null };
    };
    site = await startHttpSite(app, { files: new Map([['/assets/a.js', script]]) });
    const etag = String((await site.send('/about')).headers.etag);
    const answers = await Promise.all([
      site.send('/about'),
      site.send('/about', { headers: { 'if-none-match': etag } }),
      site.send('/deals/'),
      site.send('/data'),
      site.send('/go'),
      site.send('/boom'),
      site.send('/assets/a.js'),
      site.send('/assets/missing.js'),
      site.send('/media/missing.webp'),
      site.send('/health/live'),
      site.send('/health/ready'),
      site.send('/%zz'),
      site.send('/', { method: 'OPTIONS' }),
      site.send('/', {
        method: 'POST',
        body: 'a=1',
        headers: { ...ownForm, origin: 'https://evil.test' },
      }),
      site.send('/', { headers: { host: 'evil.test' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      200, 304, 301, 200, 302, 500, 200, 404, 404, 200, 404, 400, 405, 403, 421,
    ]);
    for (const answer of answers) expectSecurityHeaders(answer);
  });

  it('R18: sends the security headers even to requests that the parser rejects', async () => {
    site = await startHttpSite(page('x'));
    const garbage = await site.sendRaw('what is this\r\n\r\n');
    expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
    expect(garbage).toContain('x-content-type-options: nosniff');
    const tooLong = await site.sendRaw(
      `GET / HTTP/1.1\r\nhost: deals.test\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
    );
    expect(tooLong).toMatch(/^HTTP\/1\.1 431 /);
    expect(tooLong).toContain('x-frame-options: DENY');
  });

  it('R18: sends no HSTS header if the site uses plain http', async () => {
    site = await startHttpSite(page('x'), { env: { ORIGIN: 'http://deals.test' } });
    expect((await site.send('/')).headers['strict-transport-security']).toBeUndefined();
  });

  it('R18: uses a new nonce for each page and its scripts', async () => {
    const app: SiteApp = async (_request, { nonce }) => ({
      response: new Response(`<script nonce="${nonce}">1</script>`, { headers: html }),
      policy: null,
      error: null,
    });
    site = await startHttpSite(app);
    const first = await site.send('/profile');
    const second = await site.send('/profile');
    const nonce = /nonce="([^"]+)"/.exec(first.text)?.[1];
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(second.text).not.toBe(first.text);
  });
});

// Proves R57: security.txt
describe('R57: reports of content policy violations', () => {
  const both: SiteApp = async (request) => ({
    response: new Response('x', { headers: html }),
    policy: new URL(request.url).pathname === '/about' ? { seconds: 60, tags: [] } : null,
    error: null,
  });
  const policies = async (env: Record<string, string>) => {
    site = await startHttpSite(both, { env });
    const answers = [await site.send('/about'), await site.send('/about'), await site.send('/me')];
    return answers.map(({ headers }) => ({
      ending: /; report-.*$/.exec(String(headers['content-security-policy']))?.[0],
      places: headers['reporting-endpoints'],
    }));
  };

  it('R57: asks browsers to report policy violations on personal and cached pages', async () => {
    const wanted = {
      ending: '; report-uri /api/policy-reports; report-to policy',
      places: 'policy="/api/policy-reports"',
    };
    expect(await policies({})).toEqual([wanted, wanted, wanted]);
  });

  it('R57: uses the old report format only without https, because the new one requires it', async () => {
    const wanted = { ending: '; report-uri /api/policy-reports', places: undefined };
    expect(await policies({ ORIGIN: 'http://deals.test' })).toEqual([wanted, wanted, wanted]);
  });

  it('R57: does not request policy reports if reporting is off', async () => {
    const none = { ending: undefined, places: undefined };
    expect(await policies({ CSP_REPORTS: 'off' })).toEqual([none, none, none]);
  });

  it('R57: requests policy reports only with pages', async () => {
    site = await startHttpSite(page('{}', { headers: { 'content-type': 'application/json' } }));
    const { headers } = await site.send('/data');
    expect(headers['content-security-policy']).not.toContain('report-');
    expect(headers['reporting-endpoints']).toBeUndefined();
  });
});

// Proves R19: shared and private pages (app/cached-pages.ts)
describe('R19: caching of private and shareable pages', () => {
  it('R19: sends no-store if the page does not declare itself shareable', async () => {
    site = await startHttpSite(page('x'));
    expect((await site.send('/profile')).headers['cache-control']).toBe('private, no-store');
  });

  it('R19: forbids caching of a page that sets a cookie, even if the page allows it', async () => {
    const headers = { ...html, 'set-cookie': 'a=b', 'cache-control': 'public, max-age=60' };
    site = await startHttpSite(page('x', { headers }));
    expect((await site.send('/profile')).headers['cache-control']).toBe('private, no-store');
  });
});

// Proves R14: forged requests
describe('R14: write requests from our own pages only', () => {
  const echo: SiteApp = async (request) => ({
    response: new Response(await request.text()),
    policy: null,
    error: null,
  });

  it('R14: accepts our own form by Sec-Fetch-Site, or by Origin if that is missing', async () => {
    site = await startHttpSite(echo);
    const post = (headers: Record<string, string>) =>
      site!.send('/x', { method: 'POST', headers, body: 'a=1' });
    expect((await post(ownForm)).text).toBe('a=1');
    const modern = { ...ownForm, 'sec-fetch-site': 'same-origin' };
    expect((await post(modern)).status).toBe(200);
  });

  it("R14: accepts our own form even if a proxy's Referrer-Policy hides its origin", async () => {
    site = await startHttpSite(async (request) => ({
      response: new Response(request.headers.get('origin')),
      policy: null,
      error: null,
    }));
    const headers = { ...ownForm, 'sec-fetch-site': 'same-origin', origin: 'null' };
    const answer = await site.send('/x', { method: 'POST', headers, body: 'a=1' });
    expect([answer.status, answer.text]).toEqual([200, 'https://deals.test']);
  });

  it.each(['/x', '/admin/imports/upload'])(
    'R14: accepts an empty body, whether or not it is declared: %s',
    async (path) => {
      site = await startHttpSite(echo);
      for (const length of ['', 'content-length: 0\r\n', 'transfer-encoding: chunked\r\n']) {
        const end = length.startsWith('transfer') ? '0\r\n\r\n' : '';
        const answer = await site.sendRaw(
          `POST ${path} HTTP/1.1\r\nhost: deals.test\r\nconnection: close\r\nsec-fetch-site: same-origin\r\n` +
            `content-type: application/x-www-form-urlencoded\r\n${length}\r\n${end}`,
        );
        expect([length, answer]).toEqual([length, expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n/)]);
      }
    },
  );

  it('responds to pipelined requests in order', async () => {
    site = await startHttpSite(echo);
    const head = (method: string) =>
      `${method} /x HTTP/1.1\r\nhost: deals.test\r\nsec-fetch-site: same-origin\r\n`;
    const form = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 3\r\n\r\n';
    const answers = await site.sendRaw(
      `${head('GET')}\r\n${head('POST')}${form}a=1${head('GET')}\r\n${head('POST')}connection: close\r\n${form}b=2`,
    );
    const bodies = answers.split(/(?=HTTP\/1\.1 )/).map((one) => one.split('\r\n\r\n')[1]);
    expect(bodies.map((body) => /[ab]=\d/.exec(body ?? '')?.[0])).toEqual([
      undefined,
      'a=1',
      undefined,
      'b=2',
    ]);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister host', { 'sec-fetch-site': 'same-site' }],
    ['no page at all', { 'sec-fetch-site': 'none' }],
    ['a foreign origin', { origin: 'https://evil.test' }],
    ['a hidden origin', { origin: 'null' }],
    ['the same host over http', { origin: 'http://deals.test' }],
  ])('R14: rejects a request from %s', async (_name, headers) => {
    site = await startHttpSite(echo);
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await site.send('/x', { method: 'POST', headers: sent, body: '{}' });
    expect(answer.status).toBe(403);
  });

  it('R14: rejects a write request without an origin', async () => {
    site = await startHttpSite(echo);
    const headers = { 'content-type': 'application/json' };
    expect((await site.send('/x', { method: 'POST', headers, body: '{}' })).status).toBe(403);
    expect((await site.send('/x', { method: 'POST' })).status).toBe(403);
  });

  it.each(['text/plain', 'application/xml', 'multipart/mixed'])(
    'R14: returns 415 for %s',
    async (type) => {
      site = await startHttpSite(echo);
      const headers = { ...ownForm, 'content-type': type };
      expect((await site.send('/x', { method: 'POST', headers, body: 'a' })).status).toBe(415);
    },
  );

  it('R14: returns 415 for a body without a type and for a compressed body', async () => {
    site = await startHttpSite(echo);
    const { origin } = ownForm;
    expect((await site.send('/x', { method: 'POST', headers: { origin }, body: 'a' })).status).toBe(
      415,
    );
    const zipped = { ...ownForm, 'content-encoding': 'gzip' };
    expect((await site.send('/x', { method: 'POST', headers: zipped, body: 'a' })).status).toBe(
      415,
    );
  });

  it.each(['OPTIONS', 'TRACE', 'PROPFIND'])('rejects the method %s', async (method) => {
    site = await startHttpSite(echo);
    const answer = await site.send('/x', { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toContain('GET');
  });
});

// Proves R24: sizes and times (read-body.ts)
// Proves R58: what a request may cost before it is known to be worth it
describe('R24: body limits', () => {
  it.each([
    ['/x', 128 * 1024],
    ['/favorites/import', 1088 * 1024],
    ['/admin/blog/new', 1024 * 1024],
  ])(
    'R24: limits bodies posted to %s to %i bytes before parsing, whether or not the size is declared',
    async (path, most) => {
      let calls = 0;
      site = await startHttpSite(async () => {
        calls++;
        return { response: new Response('x'), policy: null, error: null };
      });
      const body = Buffer.alloc(most + 1, 'a');
      const announced = await site.send(path, { method: 'POST', headers: ownForm, body });
      const chunked = { ...ownForm, 'transfer-encoding': 'chunked' };
      const streamed = await site.send(path, { method: 'POST', headers: chunked, body });
      expect([announced.status, streamed.status, calls]).toEqual([413, 413, 0]);
    },
  );

  it.each([
    ['/x', 128 * 1024],
    ['/favorites/import', 1088 * 1024],
    ['/admin/blog/new', 1024 * 1024],
  ])('R24: accepts a body posted to %s of exactly %i bytes', async (path, most) => {
    site = await startHttpSite(async (request) => ({
      response: new Response(String((await request.arrayBuffer()).byteLength)),
      policy: null,
      error: null,
    }));
    const body = Buffer.alloc(most, 'a');
    const answer = await site.send(path, { method: 'POST', headers: ownForm, body });
    expect(answer.text).toBe(String(most));
  });
});

// Proves R20: hosts and addresses (request-origin.ts)
describe('R20: hosts and addresses', () => {
  const tell: SiteApp = async (request, { address }) => ({
    response: new Response(`${new URL(request.url).origin} ${address}`),
    policy: null,
    error: null,
  });

  it('R20: responds only to known hosts', async () => {
    site = await startHttpSite(tell);
    for (const host of ['deals.test', 'DEALS.test:443', 'localhost:3000', '127.0.0.1']) {
      expect((await site.send('/x', { headers: { host } })).status).toBe(200);
    }
    for (const host of ['evil.test', 'deals.test.evil.test', 'deals.test@evil.test']) {
      expect((await site.send('/x', { headers: { host } })).status).toBe(421);
    }
  });

  it('rejects two Host headers, whatever the second contains', async () => {
    site = await startHttpSite(tell);
    const ask = (hosts: string) =>
      site!.sendRaw(`GET / HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`);
    expect(await ask('host: deals.test\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    for (const second of ['evil.test', 'deals.test']) {
      expect(await ask(`host: deals.test\r\nHost: ${second}\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('ignores forwarding headers from strangers', async () => {
    site = await startHttpSite(tell);
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.test' };
    expect((await site.send('/x', { headers })).text).toBe('https://deals.test 127.0.0.1');
  });

  // Proves Storefront 7: Access gate: look-up services (request-origin.ts)
  it('uses the nearest untrusted IP address from a trusted proxy', async () => {
    site = await startHttpSite(tell, { env: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.2.3' };
    expect((await site.send('/x', { headers })).text).toBe('https://deals.test 203.0.113.9');
  });
});

// Proves R23: no 5xx by input (app/platform/read-form-body.ts)
describe('R23: failures', () => {
  // Proves P18a: safe error screens (error-page.ts)
  it('R23: shows a safe message and the request id on a failure, never the error’s message', async () => {
    site = await startHttpSite(async () => {
      throw new Error('password=hunter2');
    });
    const answer = await site.send('/x');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('hunter2');
    const id = /Reference: (\S+?)</.exec(answer.text)?.[1];
    expect(site.lines.find((line) => line['msg'] === 'request failed')?.['requestId']).toBe(id);
  });

  it('R35: returns 503 with Retry-After if the database is unreachable', async () => {
    const error = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    site = await startHttpSite(async () => ({
      response: new Response('<h1>sorry</h1>', { status: 500, headers: html }),
      policy: null,
      error,
    }));
    const answer = await site.send('/profile');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    const shared = await site.send('/deals');
    expect([shared.status, shared.headers['retry-after']]).toEqual([503, '5']);
  });
});

describe('the log', () => {
  // Proves R41: logs
  it('R41: logs one line per request, without the query and with escaped line breaks', async () => {
    site = await startHttpSite(page('x'));
    await site.send('/unsubscribe?token=abc', { headers: { cookie: 'session=abc' } });
    await expect.poll(() => site?.lines.length).toBe(1);
    const [line] = site.lines;
    expect(line).toMatchObject({ method: 'GET', path: '/unsubscribe', status: 200 });
    expect(JSON.stringify(line)).not.toContain('abc');
  });

  it.each([
    [401, 'denied'],
    [403, 'denied'],
    [429, 'rate-limit'],
    [404, undefined],
    [200, undefined],
  ])('R41: classifies a response of %i for monitoring: %s', async (status, event) => {
    site = await startHttpSite(page('x', { status }));
    await site.send('/profile');
    await expect.poll(() => site?.lines.length).toBe(1);
    expect(site.lines[0]?.event).toBe(event);
  });
});

describe('compression', () => {
  it('compresses a personal page in an encoding that the browser accepts', async () => {
    const text = 'deal '.repeat(400);
    site = await startHttpSite(page(text));
    const br = await site.send('/profile', { headers: { 'accept-encoding': 'gzip, br' } });
    const gzip = await site.send('/profile', { headers: { 'accept-encoding': 'gzip, br;q=0' } });
    const plain = await site.send('/profile');
    expect(brotliDecompressSync(br.body).toString()).toBe(text);
    expect(gunzipSync(gzip.body).toString()).toBe(text);
    expect(plain.text).toBe(text);
    const zstd = await site.send('/profile', { headers: { 'accept-encoding': 'gzip, br, zstd' } });
    expect(zstd.headers['content-encoding']).toBe('zstd');
    expect(zstdDecompressSync(zstd.body).toString()).toBe(text);
    expect(br.headers.vary).toContain('accept-encoding');
  });

  it('responds to HEAD with headers only', async () => {
    site = await startHttpSite(page('x'));
    const answer = await site.send('/profile', { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-type']).toContain('text/html');
  });
});

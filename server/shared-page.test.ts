import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { PageCache } from '#server/page-cache.ts';
import { hashSource } from '#server/security-headers.ts';
import type { SiteApp } from '#server/site-app.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';

let site: HttpSite | undefined;
afterEach(() => site?.close());

interface Render {
  url: string;
  isForCache: boolean;
  headers: Headers;
  nonce: string;
}

/** Creates an app whose page shows how many renders there were. */
function countingApp(
  answer: (render: Render) => { body?: string; init?: ResponseInit } = () => ({}),
) {
  const renders: Render[] = [];
  const app: SiteApp = async (request, { isForCache, nonce }) => {
    const render = { url: request.url, isForCache, headers: request.headers, nonce };
    renders.push(render);
    const { body = `render ${renders.length}`, init = {} } = answer(render);
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'text/html; charset=utf-8');
    return {
      response: new Response(body, { ...init, headers }),
      policy: { seconds: 60, tags: ['deals'] },
      error: null,
    };
  };
  return { app, renders };
}

it('R19: renders a shared page once for all signed-out visitors, regardless of their headers', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  const one = await site.send('/deals', { headers: { cookie: 'theme=dark', 'user-agent': 'a' } });
  const two = await site.send('/deals?utm_source=mail&page=', {
    headers: { 'accept-language': 'de' },
  });
  expect([one.text, two.text]).toEqual(['render 1', 'render 1']);
  expect(renders).toHaveLength(1);
  expect(renders[0]?.isForCache).toBe(true);
  expect([...(renders[0]?.headers ?? [])]).toEqual([]);
});

it('caches a shared page separately for each query', async () => {
  const { app } = countingApp();
  site = await startHttpSite(app);
  const first = await site.send('/deals?page=2&sort=price');
  const same = await site.send('/deals?sort=price&page=2');
  const other = await site.send('/deals?page=3');
  expect([first.text, same.text, other.text]).toEqual(['render 1', 'render 1', 'render 2']);
});

it.each([
  ['a session cookie', { cookie: 'theme=dark; session=abc' }],
  ['the https session cookie', { cookie: '__Host-session=abc' }],
  ['an authorization header', { authorization: 'Bearer abc' }],
])(
  'never serves a shared page to a request that has %s',
  async (_name, headers: Record<string, string>) => {
    const { app, renders } = countingApp();
    site = await startHttpSite(app);
    await site.send('/deals');
    const own = await site.send('/deals', { headers });
    expect(own.text).toBe('render 2');
    expect(own.headers['cache-control']).toBe('private, no-store');
    expect(renders[1]?.isForCache).toBe(false);
    expect((await site.send('/deals')).text).toBe('render 1');
  },
);

// Proves R19: private pages, shared pages (cached-pages.ts)
it('R19: never caches a page that sets a cookie', async () => {
  const { app, renders } = countingApp(() => ({ init: { headers: { 'set-cookie': 'a=b' } } }));
  site = await startHttpSite(app);
  const first = await site.send('/deals');
  await site.send('/deals');
  expect(site.cache.size.entries).toBe(0);
  expect(first.headers['cache-control']).toBe('private, no-store');
  expect(renders.filter(({ isForCache }) => !isForCache)).toHaveLength(2);
});

it.each([404, 500, 302])('never caches a page with status %i', async (status) => {
  const { app } = countingApp(() => ({ init: { status } }));
  site = await startHttpSite(app);
  expect((await site.send('/deals/x')).status).toBe(status);
  expect(site.cache.size.entries).toBe(0);
});

it('never caches a page unless its loader allows it', async () => {
  site = await startHttpSite(async (_request, { isForCache }) => ({
    response: new Response(`for all: ${isForCache}`),
    policy: null,
    error: null,
  }));
  expect((await site.send('/deals')).text).toBe('for all: false');
  expect(site.cache.size.entries).toBe(0);
});

it('does not cache URLs that are not in the list of cacheable pages', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  await site.send('/profile');
  await site.send('/deals?search=tv');
  await site.send('/deals.data?_routes=root');
  expect(renders.map(({ isForCache }) => isForCache)).toEqual([false, false, false]);
});

// Proves P37: theme before the first paint (theme.ts)
it('allows a shared page’s inline scripts by hash, and blocks an injected one', async () => {
  const { app, renders } = countingApp(() => ({
    body: `<script>own()</script><script>smuggled()</script><script nonce="guess">x()</script>`,
  }));
  site = await startHttpSite(app, { fixedScripts: ['own()'] });
  const answer = await site.send('/');
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toContain(hashSource('own()'));
  expect(policy).not.toContain(hashSource('smuggled()'));
  expect(policy).not.toContain(hashSource('x()'));
  expect(policy).not.toContain('nonce-');
  expect(renders[0]?.nonce).toBe('');
});

it('responds to a repeat visit with 304, with a separate ETag per encoding', async () => {
  const { app } = countingApp(() => ({ body: 'deal '.repeat(200) }));
  site = await startHttpSite(app);
  const plain = await site.send('/deals');
  const br = await site.send('/deals', { headers: { 'accept-encoding': 'br' } });
  expect(brotliDecompressSync(br.body).toString()).toBe(plain.text);
  expect(br.headers.etag).not.toBe(plain.headers.etag);
  expect(br.headers.vary).toBe('accept-encoding, cookie');
  const etag = String(br.headers.etag);
  const again = await site.send('/deals', {
    headers: { 'accept-encoding': 'br', 'if-none-match': `"other", W/${etag}` },
  });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
  const otherEncoding = await site.send('/deals', { headers: { 'if-none-match': etag } });
  expect(otherEncoding.status).toBe(200);
});

it('compresses a shared page with gzip on first use, and updates its size', async () => {
  const { app, renders } = countingApp(() => ({ body: 'deal '.repeat(200) }));
  site = await startHttpSite(app);
  const plain = await site.send('/deals');
  const { bytes } = site.cache.size;
  for (let n = 0; n < 2; n++) {
    const gzip = await site.send('/deals', { headers: { 'accept-encoding': 'gzip' } });
    expect(gunzipSync(gzip.body).toString()).toBe(plain.text);
    expect(gzip.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(gzip.body.length),
      vary: 'accept-encoding, cookie',
    });
    expect(site.cache.size.bytes).toBe(bytes + gzip.body.length);
    const again = await site.send('/deals', {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': String(gzip.headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  }
  expect(renders).toHaveLength(1);
});

it('responds to HEAD for a shared page without a body', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  const head = await site.send('/deals', { method: 'HEAD' });
  await site.send('/deals');
  expect([head.status, head.text, renders.length]).toEqual([200, '', 1]);
  expect(head.headers['content-length']).toBe('8');
});

it('uses one cache key for a URL, regardless of tracking parameters and the order of parameters', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  const asked = [
    '/deals?page=2&sort=price',
    '/deals?utm_source=mail&page=2&sort=price',
    '/deals?sort=price&page=2&fbclid=x&gclid=y',
    '/deals?sort=price&status=&page=2',
  ];
  for (const path of asked) expect((await site.send(path)).text).toBe('render 1');
  expect(renders.map(({ url }) => url)).toEqual(['https://deals.test/deals?page=2&sort=price']);
  expect(site.cache.size.entries).toBe(1);
});

it('renders a shared page for the canonical host, whichever host is requested', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  for (const host of ['localhost:3000', '127.0.0.1', 'DEALS.test']) {
    expect((await site.send('/deals', { headers: { host } })).text).toBe('render 1');
  }
  expect(renders.map(({ url }) => url)).toEqual(['https://deals.test/deals']);
});

it('R20: does not serve a cached page for an unknown host', async () => {
  const { app } = countingApp();
  site = await startHttpSite(app);
  await site.send('/deals');
  const strange = await site.send('/deals', { headers: { host: 'evil.test' } });
  expect(strange.status).toBe(421);
  expect(strange.text).not.toContain('render');
});

it('R46: never serves a cached page for another spelling of its URL', async () => {
  const { app } = countingApp();
  site = await startHttpSite(app);
  await site.send('/deals');
  for (const path of ['//deals', '/deals/', '/%64eals', '/deals/../deals', '/DEALS']) {
    expect([path, (await site.send(path)).text.includes('render 1')]).toEqual([path, false]);
  }
  expect(site.cache.size.entries).toBe(1);
});

it('does not send a shared page as the response to a form', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  await site.send('/deals');
  const headers = { origin: 'https://deals.test' };
  const answer = await site.send('/deals', { method: 'POST', headers });
  expect(answer.text).toBe('render 2');
  expect(renders[1]?.isForCache).toBe(false);
  expect(answer.headers['cache-control']).toBe('private, no-store');
  for (const method of ['PUT', 'DELETE']) {
    expect((await site.send('/deals', { method, headers })).status).toBe(405);
  }
});

it('shares a page despite a cookie whose name only resembles the session cookie’s', async () => {
  const { app } = countingApp();
  site = await startHttpSite(app);
  for (const cookie of [
    '',
    'xsession=1',
    'theme=dark; mysession=abc',
    'a=session=1',
    'session2=1',
    'own=abcdefgh', // left over from an earlier session
  ]) {
    expect((await site.send('/deals', { headers: { cookie } })).text).toBe('render 1');
  }
  for (const cookie of ['session=', ' session=1', 'a=1;session=2', 'a=1; __Host-session=x; b=2']) {
    expect((await site.send('/deals', { headers: { cookie } })).text).not.toBe('render 1');
  }
});

it('renders a page once for simultaneous visitors, and sends each the same bytes', async () => {
  const gate = Promise.withResolvers<void>();
  const { app, renders } = countingApp();
  const started = await startHttpSite(async (...asked) => {
    await gate.promise;
    return app(...asked);
  });
  site = started;
  const asking = Array.from({ length: 8 }, () => started.send('/deals'));
  await expect.poll(() => started.cache.stats.joined).toBe(7);
  gate.resolve();
  const answers = await Promise.all(asking);
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['render 1']));
  expect(renders).toHaveLength(1);
});

it('R35: shows a cached page instead of an error if it cannot be rendered again', async () => {
  let now = 0;
  const cache = new PageCache<StoredAnswer>({ maxBytes: 1_000_000, now: () => now });
  let isAway = false;
  const { app } = countingApp();
  site = await startHttpSite(
    async (...asked) => {
      if (!isAway) return app(...asked);
      const error = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      return { response: new Response('sorry', { status: 500 }), policy: null, error };
    },
    { cache },
  );
  const before = await site.send('/deals');
  isAway = true;
  now += 300_000;
  const during = await site.send('/deals');
  expect([during.status, during.text]).toEqual([200, before.text]);
  expect(during.headers.etag).toBe(before.headers.etag);
  now += 600_000;
  expect((await site.send('/deals')).status).toBe(503);
});

it('neither caches a page nor shows a stale one if a bug makes the render fail', async () => {
  let isBroken = true;
  const { app } = countingApp(() =>
    isBroken ? { body: 'sorry', init: { status: 500 } } : { body: 'well again' },
  );
  site = await startHttpSite(app);
  expect((await site.send('/deals')).status).toBe(500);
  isBroken = false;
  site.cache.invalidate(['all']);
  expect((await site.send('/deals')).text).toBe('well again');
});

it('keeps a shared page’s own headers, except those that the server overrides', async () => {
  const { app } = countingApp(() => ({
    init: {
      headers: {
        'x-robots-tag': 'noindex',
        link: '</assets/a.js>; rel=preload',
        'cache-control': 'public, max-age=99999',
        etag: '"mine"',
        vary: 'user-agent',
        'content-security-policy': 'default-src *',
        'content-length': '3',
      },
    },
  }));
  site = await startHttpSite(app);
  const { headers, text } = await site.send('/deals');
  expect(text).toBe('render 1');
  expect(headers).toMatchObject({
    'x-robots-tag': 'noindex',
    link: '</assets/a.js>; rel=preload',
    'cache-control': 'public, max-age=0, must-revalidate',
    vary: 'accept-encoding, cookie',
    'content-length': '8',
  });
  expect(headers.etag).not.toBe('"mine"');
  expect(headers['content-security-policy']).not.toContain('default-src *');
});

it.each([404, 410, 301])(
  'renders a page with status %i once for all waiting visitors, but does not cache it',
  async (status) => {
    const gate = Promise.withResolvers<void>();
    const location: Record<string, string> = status === 301 ? { location: '/deals/new' } : {};
    const { app, renders } = countingApp(() => ({ init: { status, headers: location } }));
    site = await startHttpSite(async (...asked) => {
      await gate.promise;
      return app(...asked);
    });
    const asking = [site.send('/deals/old'), site.send('/deals/old')];
    await expect.poll(() => site?.cache.stats.joined).toBe(1);
    gate.resolve();
    for (const answer of await Promise.all(asking)) {
      expect([answer.status, answer.headers['cache-control']]).toEqual([
        status,
        'private, no-store',
      ]);
      expect(answer.headers.location).toBe(location['location']);
    }
    expect(renders).toHaveLength(1);
    await site.send('/deals/old');
    expect(renders).toHaveLength(2);
  },
);

import { brotliDecompressSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { hashSource } from '#server/security-headers.ts';
import type { SiteApp } from '#server/site-app.ts';

let site: HttpSite | undefined;
afterEach(() => site?.close());

interface Render {
  url: string;
  isForCache: boolean;
  headers: Headers;
  nonce: string;
}

/** A page that shows which render it came from. */
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

it('R19: renders once for all signed-out visitors, whatever their headers', async () => {
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

it('keeps the pages of a query apart', async () => {
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
])('never shares with a request that has %s', async (_name, headers: Record<string, string>) => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  await site.send('/deals');
  const own = await site.send('/deals', { headers });
  expect(own.text).toBe('render 2');
  expect(own.headers['cache-control']).toBe('private, no-store');
  expect(renders[1]?.isForCache).toBe(false);
  expect((await site.send('/deals')).text).toBe('render 1');
});

it('R19: never keeps an answer that sets a cookie', async () => {
  const { app, renders } = countingApp(() => ({ init: { headers: { 'set-cookie': 'a=b' } } }));
  site = await startHttpSite(app);
  const first = await site.send('/deals');
  await site.send('/deals');
  expect(site.cache.size.entries).toBe(0);
  expect(first.headers['cache-control']).toBe('private, no-store');
  expect(renders.filter(({ isForCache }) => !isForCache)).toHaveLength(2);
});

it.each([404, 500, 302])('never keeps an answer with status %i', async (status) => {
  const { app } = countingApp(() => ({ init: { status } }));
  site = await startHttpSite(app);
  expect((await site.send('/deals/x')).status).toBe(status);
  expect(site.cache.size.entries).toBe(0);
});

it('never keeps a page whose loader did not allow it', async () => {
  site = await startHttpSite(async (_request, { isForCache }) => ({
    response: new Response(`for all: ${isForCache}`),
    policy: null,
    error: null,
  }));
  expect((await site.send('/deals')).text).toBe('for all: false');
  expect(site.cache.size.entries).toBe(0);
});

it('does not touch addresses that are not on the list', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  await site.send('/profile');
  await site.send('/deals?search=tv');
  await site.send('/deals.data?_routes=root');
  expect(renders.map(({ isForCache }) => isForCache)).toEqual([false, false, false]);
});

it('allows the page’s own scripts by hash and leaves a smuggled one dead', async () => {
  const { app, renders } = countingApp(({ nonce }) => ({
    body: `<script nonce="${nonce}">own()</script><script>smuggled()</script><script nonce="guess">x()</script>`,
  }));
  site = await startHttpSite(app);
  const answer = await site.send('/');
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toContain(hashSource('own()'));
  expect(policy).not.toContain(hashSource('smuggled()'));
  expect(policy).not.toContain(hashSource('x()'));
  expect(policy).not.toContain('nonce-');
  expect(answer.text).not.toContain(renders[0]?.nonce);
});

it('answers a repeat visit with 304, one tag for each encoding', async () => {
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

it('answers HEAD from the same page without its body', async () => {
  const { app, renders } = countingApp();
  site = await startHttpSite(app);
  const head = await site.send('/deals', { method: 'HEAD' });
  await site.send('/deals');
  expect([head.status, head.text, renders.length]).toEqual([200, '', 1]);
  expect(head.headers['content-length']).toBe('8');
});

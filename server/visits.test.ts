import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import type { SiteApp } from '#server/site-app.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { createTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';

let site: HttpSite;
afterEach(() => site?.close());

const ok: SiteApp = async (request) => ({
  response: new Response(`${request.method} ${await request.text()}`),
  policy: null,
  error: null,
});
const post = (length: number, more = '') =>
  `POST /x HTTP/1.1\r\nhost: deals.test\r\norigin: https://deals.test\r\n` +
  `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${length}\r\n` +
  `connection: close\r\n${more}\r\n`;

const requestLine = () => site.lines.find(({ msg }) => msg === 'request');

/** Opens a page and disconnects as soon as `arrived` resolves. */
async function visitAndLeave(arrived: Promise<unknown>): Promise<void> {
  const headers = { host: 'deals.test' };
  const asking = httpRequest({ host: '127.0.0.1', port: site.port, path: '/profile', headers });
  asking.on('error', () => {});
  asking.end();
  await arrived;
  asking.destroy();
}

describe('a visitor who disconnects', () => {
  it('aborts the render when the visitor disconnects, and logs the request as aborted', async () => {
    const arrived = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<unknown>();
    site = await startHttpSite(async (request) => {
      request.signal.addEventListener('abort', () => stopped.resolve('stopped'));
      arrived.resolve();
      await stopped.promise;
      return { response: new Response('nobody reads it'), policy: null, error: null };
    });
    await visitAndLeave(arrived.promise);
    expect(await stopped.promise).toBe('stopped');
    await expect.poll(requestLine).toMatchObject({ path: '/profile', status: 499 });
    expect(site.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('cancels the body of a long response when the visitor disconnects midway', async () => {
    const cancelled = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    site = await startHttpSite(async () => ({
      response: new Response(
        new ReadableStream({
          pull(controller) {
            controller.enqueue(new Uint8Array(65_536));
            begun.resolve();
          },
          cancel: () => cancelled.resolve('cancelled'),
        }),
      ),
      policy: null,
      error: null,
    }));
    await visitAndLeave(begun.promise);
    expect(await cancelled.promise).toBe('cancelled');
    await expect.poll(requestLine).toMatchObject({ status: 499 });
  });

  it('cancels the body of a response if the visitor disconnects first', async () => {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<string>();
    site = await startHttpSite(async (request) => {
      request.signal.addEventListener('abort', () => gone.resolve());
      arrived.resolve();
      await gone.promise;
      const body = new ReadableStream({ cancel: () => cancelled.resolve('cancelled') });
      return { response: new Response(body), policy: null, error: null };
    });
    await visitAndLeave(arrived.promise);
    expect(await cancelled.promise).toBe('cancelled');
  });
});

describe('R24: a request with Expect: 100-continue', () => {
  it('R24: sends 100 Continue once, and then a response, if the size is allowed', async () => {
    site = await startHttpSite(ok);
    const said = await site.sendRaw(`${post(3, 'expect: 100-continue\r\n')}a=1`);
    expect(said.match(/HTTP\/1\.1 100 Continue/g)).toHaveLength(1);
    expect(said).toMatch(/HTTP\/1\.1 200 OK/);
    expect(said).toContain('POST a=1');
  });

  it.each([
    ['is too large', post(1024 * 1024 + 1, 'expect: 100-continue\r\n'), 413],
    [
      'comes from another site',
      post(3, 'expect: 100-continue\r\nsec-fetch-site: cross-site\r\n'),
      403,
    ],
    [
      'has an unsupported type',
      post(3, 'expect: 100-continue\r\n').replace('x-www-form-urlencoded', 'xml'),
      415,
    ],
  ])(
    'R24: rejects a request with Expect: 100-continue before its body if it %s',
    async (_what, head, status) => {
      site = await startHttpSite(ok);
      const said = await site.sendRaw(head);
      expect(said).not.toContain('100 Continue');
      expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(said).toMatch(/\r\nconnection: close\r\n/i);
    },
  );
});

describe('R20: a request without a host or with two hosts', () => {
  it.each([
    ['no host, as HTTP/1.0 allows', 'GET /x HTTP/1.0\r\n\r\n', 421],
    ['an empty host', 'GET /x HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n', 421],
    [
      'two hosts',
      'GET /x HTTP/1.1\r\nhost: deals.test\r\nhost: evil.test\r\nconnection: close\r\n\r\n',
      0,
    ],
    [
      'a host in the address',
      'GET http://evil.test/x HTTP/1.1\r\nhost: deals.test\r\nconnection: close\r\n\r\n',
      400,
    ],
  ])('R20: rejects a request with %s', async (_what, bytes, status) => {
    let renders = 0;
    site = await startHttpSite(async () => {
      renders += 1;
      return { response: new Response('shown'), policy: null, error: null };
    });
    const said = await site.sendRaw(bytes);
    const answered = Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]);
    // With two hosts, either the first is used or none, but never the second.
    expect(status === 0 ? [200, 400, 421].includes(answered) : answered === status).toBe(true);
    expect(said).not.toContain('evil.test');
    expect(renders).toBe(answered === 200 ? 1 : 0);
  });

  it('R46: never lets conflicting body lengths smuggle a second request past the checks', async () => {
    let renders = 0;
    site = await startHttpSite(async () => {
      renders += 1;
      return { response: new Response('shown'), policy: null, error: null };
    });
    const smuggled = 'GET /admin HTTP/1.1\r\nhost: deals.test\r\n\r\n';
    for (const lengths of [
      `content-length: 0\r\ncontent-length: ${smuggled.length}\r\n`,
      `content-length: ${smuggled.length}\r\ntransfer-encoding: chunked\r\n`,
      'transfer-encoding: chunked, identity\r\n',
    ]) {
      const said = await site.sendRaw(
        `POST /x HTTP/1.1\r\nhost: deals.test\r\n${lengths}\r\n${smuggled}`,
      );
      expect([lengths, said]).toEqual([lengths, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
      expect(said.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
    expect(renders).toBe(0);
  });
});

describe('another spelling of an old address', () => {
  it('redirects only once, straight to the target of the owner’s redirect', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const { db } = database;
    await insertDeal(db, { slug: 'lamp' });
    const rules = [
      { from_path: '/2019/05/my-post', target: '/blog/my-post', status: 301 },
      { from_path: '/shop/*', target: '/categories/*', status: 302 },
      { from_path: '/deals/*', target: '/deals', status: 301 },
      { from_path: '/closed', target: null, status: 410 },
    ];
    await db
      .insertInto('address_redirects')
      .values(rules.map((rule) => ({ ...rule, created_by: 'cli' })))
      .execute();
    const { app, files } = await loadBuiltSite(testServices(database));
    site = await startHttpSite(app, { db, files });
    for (const expected of [
      ['/2019/05/my-post', 301, '/blog/my-post'],
      ['/2019/05/my-post/', 301, '/blog/my-post'],
      ['/2019/05/my-post/?utm_source=mail', 301, '/blog/my-post?utm_source=mail'],
      ['//2019//05/%6Dy-post/', 301, '/blog/my-post'],
      ['/2019/05/My-Post/', 301, '/2019/05/My-Post'],
      ['/shop/lamps/', 302, '/categories/lamps'],
      ['/shop//evil.test/', 302, '/categories/evil.test'],
      ['//evil.test/', 301, '/evil.test'],
      ['/closed/', 410, undefined],
      ['/deals/', 301, '/deals'],
      ['/deals/lamp/', 301, '/deals/lamp'],
      ['/deals/sold-out/', 301, '/deals'],
    ]) {
      const { status, headers } = await site.send(String(expected[0]));
      expect([expected[0], status, headers.location]).toEqual(expected);
    }
    const hits = await db.selectFrom('address_redirects').select('hits').orderBy('id').execute();
    expect(hits.map((one) => one.hits)).toEqual([4, 2, 1, 1]);
    const posted = await site.send('/2019/05/my-post/', { method: 'POST' });
    expect(posted.status).toBe(400);
  });

  it('redirects to the canonical URL if the owner’s redirects cannot be read', async () => {
    site = await startHttpSite(ok); // This site has no database.
    expect((await site.send('/old')).status).toBe(200);
    expect(site.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    const { status, headers } = await site.send('/old/?a=1');
    expect([status, headers.location]).toEqual([301, '/old?a=1']);
    expect(site.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});

describe('a response that fails while streaming', () => {
  it('aborts a response that fails halfway, so that it never looks complete, and logs one error', async () => {
    site = await startHttpSite(async () => ({
      response: new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('half a page'));
          },
          pull(controller) {
            controller.error(new Error('the rest is lost'));
          },
        }),
      ),
      policy: null,
      error: null,
    }));
    const asking = httpRequest({
      host: '127.0.0.1',
      port: site.port,
      path: '/profile',
      headers: { host: 'deals.test' },
    }).end();
    const broken = (async () => {
      const [response] = await once(asking, 'response');
      await buffer(response as IncomingMessage);
    })();
    await expect(broken).rejects.toThrow(/aborted|hang up/);
    const errors = site.lines.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors).toMatchObject([{ msg: 'request failed', err: { message: 'the rest is lost' } }]);
  });
});

it('R23: responds to HEAD with status and headers only if the page fails', async () => {
  site = await startHttpSite(async () => {
    throw new Error('broken');
  });
  const head = await site.send('/profile', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([500, '']);
  expect(head.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(Number(head.headers['content-length'])).toBeGreaterThan(500);
});

it("R41: logs every request's method, path, status and time, including rejected requests", async () => {
  site = await startHttpSite(ok);
  await site.send('/x?token=secret', { method: 'TRACE' });
  await site.send(`/${'a'.repeat(600)}`);
  await expect.poll(() => site.lines.length).toBe(2);
  const [refused, long] = site.lines;
  expect(refused).toMatchObject({ method: 'TRACE', path: '/x', status: 405 });
  expect(refused?.['requestId']).toMatch(/^[\w-]{12}$/);
  expect(refused?.['ms']).toBeGreaterThanOrEqual(0);
  expect(String(long?.['path'])).toHaveLength(500);
  expect(refused?.['requestId']).not.toBe(long?.['requestId']);
});

it('does not log the token of a shared list’s link', async () => {
  site = await startHttpSite(ok);
  await site.send('/lists/s3cret?page=2');
  await site.send('//lists/s3cret/');
  await expect.poll(() => site.lines.length).toBe(2);
  expect(site.lines.map(({ path }) => path)).toEqual(['/lists/…', '//lists/…']);
});

it('assigns each request a unique id', async () => {
  const seen = new Set<string>();
  site = await startHttpSite(
    async (_request, { id }) => {
      seen.add(id);
      return { response: new Response('ok'), policy: null, error: null };
    },
    { env: { RATE_LIMITS: 'page=0' } },
  );
  for (let n = 0; n < 600; n += 20) {
    await Promise.all(Array.from({ length: 20 }, () => site.send('/profile')));
  }
  expect(seen.size).toBe(600);
});

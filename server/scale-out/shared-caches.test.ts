import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cachedPages } from '#app/cached-pages.ts';
import { changeMaintenance } from '#app/features/site-settings/change-maintenance.server.ts';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { Gate } from '#server/gate.ts';
import { examineSharedCaches } from '#server/scale-out/examine-shared-caches.ts';
import {
  sharedCacheHeaderNames,
  sharedCacheHeaders,
  SharedCaches,
} from '#server/scale-out/shared-caches.ts';
import type { SiteApp } from '#server/site-app.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import { type Answer, type HttpSite, startHttpSite } from '#test/http-site.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
const SHARED_CACHES = 'http://127.0.0.1:6081/';
const env = { SHARED_CACHES };
const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const onePage: SiteApp = async () => ({
  response: new Response('a page', { headers: { 'content-type': 'text/html' } }),
  policy: { seconds: 60, tags: ['deal:1', 'deals'] },
  error: null,
});

async function start(...given: Parameters<typeof startHttpSite>): Promise<HttpSite> {
  const site = await startHttpSite(...given);
  closings.push(() => site.close());
  return site;
}

/** Returns the headers that allow a shared cache to store a response. */
function leave({ headers }: Answer) {
  return sharedCacheHeaderNames.map((name) => headers[name]);
}
/** Waits for a condition, however busy the server is. */
const until = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000 });
const form = 'application/x-www-form-urlencoded';
const none = [undefined, undefined];
const shared = ['max-age=60, stale-while-revalidate=60, stale-if-error=600', 'all deal:1 deals'];

describe('a page', () => {
  it('lets configured shared caches store a page, while browsers still revalidate it', async () => {
    const [site, without] = [await start(onePage, { env }), await start(onePage)];
    // The first response is rendered, the second cached.
    for (const answer of [await site.send('/deals'), await site.send('/deals')]) {
      expect(leave(answer)).toEqual(shared);
      expect(answer.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      expect(leave(await without.send('/deals'))).toEqual(none);
    }
    const { etag = '' } = (await site.send('/deals')).headers;
    const known = await site.send('/deals', { headers: { 'if-none-match': etag } });
    expect([known.status, ...leave(known)]).toEqual([304, ...shared]);
    expect(leave(await site.send('/deals', { headers: { cookie: '__Host-session=a' } }))).toEqual(
      none,
    );
  });

  it('does not let shared caches store a page whose rows changed while it was rendered', async () => {
    const site = await start(
      async (request, facts) => {
        site.cache.invalidate(['deal:1'], true);
        return onePage(request, facts);
      },
      { env },
    );
    const answer = await site.send('/deals');
    expect([answer.text, ...leave(answer)]).toEqual(['a page', ...none]);
  });

  it('does not let shared caches store a page while notifications are missing', async () => {
    const site = await start(onePage, { env });
    await site.send('/deals');
    site.cache.trust(false);
    expect(leave(await site.send('/deals'))).toEqual(none);
    expect(leave(await site.send('/'))).toEqual(none);
    site.cache.invalidate(['all']);
    site.cache.trust(true);
    expect(leave(await site.send('/deals'))).toEqual(shared);
  });

  it('does not let shared caches store a stale page', async () => {
    let isAway = false;
    const site = await start(
      async (request, facts) => {
        if (isAway) throw new Error('away');
        return onePage(request, facts);
      },
      { env },
    );
    await site.send('/deals');
    isAway = true;
    site.cache.invalidate(['deals'], true);
    const answer = await site.send('/deals');
    expect(answer.headers['cache-status']).toContain('stand-in');
    expect(leave(answer)).toEqual(none);
  });

  it('does not let shared caches store a page sent to a visitor who bypasses the gate', async () => {
    const settings = { ...defaultMaintenance, enabled: true, allowedIPs: ['192.0.2.7'] };
    await changeMaintenance(database.db, { settings, actor: 'cli', actorAddress: null });
    const site = await start(onePage, {
      db: database.db,
      env: { ...env, TRUSTED_PROXIES: '127.0.0.1' },
      gate: async (services) => {
        const gate = new Gate(services);
        await gate.read();
        return gate;
      },
    });
    const inside = await site.send('/deals', { headers: { 'x-forwarded-for': '192.0.2.7' } });
    expect([inside.status, inside.text, ...leave(inside)]).toEqual([200, 'a page', ...none]);
    await database.db
      .insertInto('stored_pictures')
      .values({ name: 'deals/ab12cd34-640.webp', content: Buffer.from('a picture') })
      .execute();
    const seen = await site.send('/media/deals/ab12cd34-640.webp', {
      headers: { 'x-forwarded-for': '192.0.2.7' },
    });
    expect([seen.text, seen.headers['cache-control']]).toEqual(['a picture', 'private, no-store']);
    const outside = await site.send('/deals', { headers: { 'x-forwarded-for': '192.0.2.8' } });
    expect([outside.status, ...leave(outside)]).toEqual([503, ...none]);
  });

  it('does not let shared caches store a page with too many keys for a header', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, n) => `deal:${1e9 + n}`);
    expect(sharedCacheHeaders({ tags: tags(200), seconds: 60 })['surrogate-key']).toMatch(
      /^all deal:1000000000 /,
    );
    expect(sharedCacheHeaders({ tags: tags(300), seconds: 60 })).toEqual({});
    expect(sharedCacheHeaders({ tags: ['two\nlines'], seconds: 60 })).toEqual({});
    // A deal on the page expires while a cache could still show it.
    const ends = (inSeconds: number) => new Date(1000 * inSeconds);
    const page = { tags: ['deal:1'], seconds: 60 };
    expect(sharedCacheHeaders({ ...page, until: ends(119) }, 0)).toEqual({});
    expect(sharedCacheHeaders({ ...page, until: ends(120) }, 0)).not.toEqual({});
  });
});

it('lets shared caches store a page only if the site caches it and the request has no session', async () => {
  const { db } = database;
  const where = {
    category_id: (await insertCategory(db, { slug: 'tools' })).id,
    merchant_id: (await insertMerchant(db, { slug: 'shop' })).id,
  };
  const product = await insertProduct(db, { slug: 'pen' });
  await insertDeal(db, { slug: 'drill', ...where, product_id: product.id });
  await insertBlogPost(db, { slug: 'guide', is_published: true });
  await db.insertInto('site_pages').values({ slug: '1', title: 'One' }).execute();
  const settings = { ...env, RATE_LIMITS: 'page=0,api-address=0,admin-write=0,member-write=0' };
  const services = {
    db,
    env: readEnv({ NODE_ENV: 'test', ORIGIN: 'https://deals.test', ...settings }),
    log: createLog('silent'),
    now: () => new Date(),
  };
  const { app } = await loadBuiltSite(services);
  const site = await start(app, { db, env: settings });
  const { cookie } = await signIn(database, { role: 'super_admin' }, 'https://deals.test');
  const slugs: Record<string, string> = {
    products: 'pen',
    categories: 'tools',
    merchants: 'shop',
    blog: 'guide',
  };
  const addresses = routePatterns().map(({ pattern }) => ({
    pattern,
    address: pattern
      .replace(':slug', slugs[pattern.split('/')[1] ?? ''] ?? 'drill')
      .replaceAll(/:\w+/g, '1')
      .replace('*', '1'), // the owner's page, not an API path
  }));
  expect(addresses.length).toBeGreaterThan(100);
  const isKept = (path: string) => cachedPages.some((page) => page.path === path);
  const kept = new Set<string>();
  for (const { pattern, address } of addresses) {
    const plain = await site.send(address);
    if (leave(plain)[0] !== undefined) kept.add(pattern);
    const own = [await site.send(address, { headers: { cookie } })];
    if (isKept(pattern)) {
      own.push(await site.send(address, { headers: { authorization: 'Bearer x' } }));
      const headers = { origin: 'https://deals.test', 'content-type': form };
      own.push(await site.send(address, { method: 'POST', headers, body: 'name=Ann' }));
    }
    expect([address, ...own.map(leave)]).toEqual([address, ...own.map(() => none)]);
    for (const answer of [plain, ...own]) {
      const lasting = answer.headers['cache-control'] ?? '';
      const allowed = answer.headers['set-cookie'] ? /^private, no-store$/ : /./;
      expect([address, lasting]).toEqual([address, expect.stringMatching(allowed)]);
    }
  }
  expect([...kept].toSorted()).toEqual(cachedPages.map(({ path }) => path).toSorted());
});

describe('a shared cache', () => {
  /** Starts a cache that records the purges it receives, while `status` is 200. */
  async function startCache() {
    const cache = { told: [] as string[], status: 200, refused: 0, url: '' };
    const server: Server = createServer((request, response) => {
      if (cache.status === 200) {
        cache.told.push(`${request.method} ${String(request.headers['surrogate-key'])}`);
      } else cache.refused++;
      response.writeHead(cache.status).end('a word');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cache.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    closings.push(() => server.close());
    return cache;
  }
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  let lines: string[] = [];
  function open(url: string, pauses: ConstructorParameters<typeof SharedCaches>[2]) {
    lines = [];
    const caches = new SharedCaches([url], log, pauses);
    closings.push(() => caches.stop());
    return caches;
  }
  const never = 3_600_000;

  it('sends a purge to a shared cache immediately, then one for all changes announced meanwhile', async () => {
    const cache = await startCache();
    const caches = open(cache.url, { between: 20, again: never });
    caches.invalidate(['deal:1', 'deals']);
    caches.invalidate(['deal:2']);
    caches.invalidate(['deal:3', 'deals']);
    await until(() =>
      expect(cache.told).toEqual(['PURGE deal:1 deals', 'PURGE deal:2 deal:3 deals']),
    );
  });

  it('repeats each purge of a shared cache after a short time', async () => {
    const cache = await startCache();
    open(cache.url, { again: 20 }).invalidate(['deal:1']);
    await until(() => expect(cache.told).toEqual(['PURGE deal:1', 'PURGE deal:1']));
  });

  it('retries a failing shared cache until it accepts, with one log line', async () => {
    const cache = await startCache();
    cache.status = 403;
    const caches = open(cache.url, { firstRetry: 10, between: 10, again: never });
    caches.invalidate(['deal:1']);
    await until(() => expect(cache.refused).toBeGreaterThan(2));
    caches.invalidate(['deal:2']);
    // Waits for the pending attempt and for one with both keys. After that, no purge of `deal:1`
    // alone is in flight.
    const refused = cache.refused;
    await until(() => expect(cache.refused).toBeGreaterThan(refused + 1));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the cache responded with 403');
    const [result] = await examineSharedCaches({ sharedCaches: [cache.url] });
    expect(result).toMatchObject({
      state: 'warning',
      detail: `${cache.url}: the cache responded with 403`,
    });
    cache.status = 200;
    await until(() => expect(cache.told).toEqual(['PURGE deal:1 deal:2']));
    const [well] = await examineSharedCaches({ sharedCaches: [cache.url] });
    expect(well).toMatchObject({ state: 'ok' });
  });

  it('purges all pages of a shared cache if the tags do not fit into a header', async () => {
    const cache = await startCache();
    const caches = open(cache.url, { again: never });
    caches.invalidate(Array.from({ length: 1_000 }, (_, n) => `deal:${n}`));
    await until(() => expect(cache.told).toEqual(['PURGE all']));
  });

  it('sends pending purges to shared caches when the site stops', async () => {
    const cache = await startCache();
    const caches = open(cache.url, { between: never, again: never });
    caches.invalidate(['deal:1']);
    await until(() => expect(cache.told).toHaveLength(1));
    caches.invalidate(['deal:2']);
    await caches.stop();
    expect(cache.told).toEqual(['PURGE deal:1', 'PURGE deal:2']);
  });
});

it('requires an http URL for a shared cache, and an enabled page cache', () => {
  const read = (settings: Record<string, string>) => () => readEnv(settings);
  expect(read({ SHARED_CACHES: 'http://a:6081, http://b:6081' })().sharedCaches).toEqual([
    'http://a:6081',
    'http://b:6081',
  ]);
  expect(read({ SHARED_CACHES: 'varnish' })).toThrow('http(s) addresses, separated by commas');
  expect(read({ SHARED_CACHES, PAGE_CACHE_MB: '0' })).toThrow('but PAGE_CACHE_MB is 0');
});

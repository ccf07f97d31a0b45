import { afterEach, describe, expect, it, test } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { changeMaintenance } from '#app/features/site-settings/change-maintenance.server.ts';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import { Gate } from '#server/gate.ts';
import { PrefetchLimit } from '#server/prefetch-limit.ts';
import type { SiteApp } from '#server/site-app.ts';
import { Workload } from '#server/workload.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { testServices } from '#test/services.ts';

const database = useTestDatabase();
useStoppedClock();
let site: HttpSite;
afterEach(() => site?.close());

const ahead = { 'sec-purpose': 'prefetch' };
const member = { cookie: '__Host-session=abc' };

/**
 * Creates an app whose pages show how many renders there were. Shared pages such as `/deals` are
 * cached.
 */
function countingApp(headers: Record<string, string> = {}) {
  const rendered: string[] = [];
  const app: SiteApp = async (request, { isForCache }) => {
    const { pathname, search } = new URL(request.url);
    rendered.push(pathname + search);
    const type = { 'content-type': 'text/html', ...headers };
    return {
      response: new Response(`render ${rendered.length}`, { headers: type }),
      policy: isForCache ? { seconds: 60, tags: [] } : null,
      error: null,
    };
  };
  return { app, rendered };
}

/** Creates an app whose pages finish when the test releases them. */
function hangingApp() {
  const gate = Promise.withResolvers<void>();
  const pages = countingApp();
  const app: SiteApp = async (...asked) => {
    const answer = await pages.app(...asked);
    await gate.promise;
    return answer;
  };
  return { app, rendered: pages.rendered, finish: gate.resolve };
}

const prefetch = (path: string, headers: Record<string, string> = {}) =>
  site.send(path, { headers: { ...ahead, ...headers } });

/** A cheap page that is not cached. */
const refused = {
  status: 503,
  text: 'Not prefetched\n',
  headers: expect.objectContaining({
    'cache-control': 'private, no-store',
    'content-type': 'text/plain; charset=utf-8',
  }),
};

const counted = () => database.db.selectFrom('rate_limits').select(['key', 'points']).execute();

describe('a prefetch', () => {
  // Proves R12: limits per account and address (server/refuse-prefetch.ts)
  it("does not count a prefetch against the visitor's limits", async () => {
    const { app } = countingApp();
    const env = { RATE_LIMITS: 'page=40/60,search-burst=1/60,search=1/60' };
    site = await startHttpSite(app, { db: database.db, env });
    for (let n = 0; n < 40; n += 1) expect((await prefetch('/profile', member)).status).toBe(200);
    expect((await prefetch('/profile', member)).status).toBe(503);
    expect((await prefetch('/api/suggest?q=wi')).status).toBe(503);
    expect((await prefetch('/deals?search=wire')).status).toBe(503);
    expect(await counted()).toEqual([]);
    for (let n = 0; n < 38; n += 1) expect((await site.send('/profile')).status).toBe(200);
    expect((await site.send('/deals?search=wire')).status).toBe(200);
    expect((await site.send('/api/suggest?q=wi')).status).toBe(429);
  });

  it("does not count a prefetch against the visitor's fifty simultaneous pages", async () => {
    const { app, rendered, finish } = hangingApp();
    site = await startHttpSite(app, {
      db: database.db,
      workload: new Workload({ mostAtOnce: 200 }),
    });
    const early = Array.from({ length: 60 }, () => prefetch('/profile', member));
    await expect.poll(() => rendered.length).toBe(60);
    const visits = Array.from({ length: 50 }, () => site.send('/profile', { headers: member }));
    await expect.poll(() => rendered.length).toBe(110);
    expect((await site.send('/profile', { headers: member })).status).toBe(503);
    finish();
    const answers = await Promise.all([...early, ...visits]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('limits prefetches per IP address, with 503 and never 429', async () => {
    const { app, rendered } = countingApp();
    const env = { RATE_LIMITS: 'page=5/60', TRUSTED_PROXIES: '127.0.0.1' };
    site = await startHttpSite(app, { db: database.db, env });
    const from = (address: string) => ({ ...member, 'x-forwarded-for': address });
    const answers = [];
    for (let n = 0; n < 8; n += 1) answers.push(await prefetch('/profile', from('203.0.113.9')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
    expect(answers[5]).toMatchObject(refused);
    expect(Number(answers[5]?.headers['retry-after'])).toBeGreaterThan(50);
    expect(rendered).toHaveLength(5);
    expect((await prefetch('/profile', from('203.0.113.10'))).status).toBe(200);
    const visit = await site.send('/profile', { headers: from('203.0.113.9') });
    expect(visit.status).toBe(200);
  });

  it.each(['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip', 'Prefetch'])(
    'recognizes a prefetch by Sec-Purpose: %s',
    async (value) => {
      const { app, rendered } = countingApp();
      site = await startHttpSite(app);
      const headers = { 'sec-purpose': value };
      for (const method of ['GET', 'HEAD']) {
        expect((await site.send('/deals?search=tv', { method, headers })).status).toBe(503);
      }
      expect(rendered).toEqual([]);
    },
  );

  it('does not treat requests with other values, or forms, as prefetches', async () => {
    const { app, rendered } = countingApp();
    site = await startHttpSite(app);
    for (const headers of [{ 'sec-purpose': 'navigate' }, { 'sec-purpose': '' }]) {
      expect((await site.send('/deals?search=tv', { headers })).status).toBe(200);
    }
    const headers = { ...ahead, origin: 'https://deals.test' };
    expect((await site.send('/logout', { method: 'POST', headers })).status).toBe(200);
    expect(rendered).toEqual(['/deals?search=tv', '/deals?search=tv', '/logout']);
  });
});

describe('prefetches of expensive searches', () => {
  it.each([
    '/deals?search=tv',
    '/deals?search=',
    '/deals?page=2&search=tv',
    '/deals.data?search=tv',
    '/api/suggest?q=t',
    '/api/popular-searches',
    '/help?search=refund',
    '/faq?search=refund',
    '/deals?page=21',
  ])('never prefetches an expensive search: %s', async (path) => {
    const { app, rendered } = countingApp();
    site = await startHttpSite(app);
    const answers = [await prefetch(path), await prefetch(path, member)];
    for (const answer of answers) {
      expect(answer).toMatchObject(refused);
      // With Retry-After, a browser would not prefetch anything else until then.
      expect(answer.headers['retry-after']).toBeUndefined();
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
    expect(rendered).toEqual([]);
  });
});

describe('a shared page', () => {
  it('renders a shared page into the cache once on a prefetch, and serves the visit from the cache', async () => {
    const { app, rendered } = countingApp();
    site = await startHttpSite(app);
    const answers = [await prefetch('/deals'), await prefetch('/deals'), await site.send('/deals')];
    expect(answers.map(({ text }) => text)).toEqual(['render 1', 'render 1', 'render 1']);
    expect(answers[0]?.headers).toMatchObject({
      etag: answers[2]?.headers.etag,
      'cache-control': 'public, max-age=0, must-revalidate',
    });
    expect(rendered).toHaveLength(1);
  });

  it('serves prefetches of a cached page even if the site is busy and every limit is reached', async () => {
    const workload = new Workload({ mostDelayMs: 500 });
    const { app } = countingApp();
    site = await startHttpSite(app, { workload, env: { RATE_LIMITS: 'page=1/60' } });
    await site.send('/deals');
    workload.note(1e6);
    for (let n = 0; n < 5; n += 1) expect((await prefetch('/deals')).text).toBe('render 1');
  });
});

// Proves R48: overload sheds, kept pages go on (server/refuse-prefetch.ts)
describe('R48: capacity for prefetches', () => {
  it('R48: uses at most half of the rendering slots for prefetches', async () => {
    const { app, rendered, finish } = hangingApp();
    const workload = new Workload({ mostAtOnce: 4 });
    site = await startHttpSite(app, { workload });
    const making = [prefetch('/profile', member), prefetch('/deals')];
    await expect.poll(() => rendered.length).toBe(2);
    for (const answer of [await prefetch('/blog'), await prefetch('/profile', member)]) {
      expect(answer).toMatchObject(refused);
      expect(answer.headers['retry-after']).toBe('2');
    }
    making.push(site.send('/blog'), site.send('/profile', { headers: member }));
    await expect.poll(() => rendered.length).toBe(4);
    finish();
    const answers = await Promise.all(making);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(workload.takeTurnedAway()).toBe(0);
  });

  it('R48: halves the delay limit for prefetches', async () => {
    const { app, rendered } = countingApp();
    const workload = new Workload({ mostDelayMs: 500 });
    site = await startHttpSite(app, { workload });
    workload.note(600);
    expect(await prefetch('/deals')).toMatchObject(refused);
    expect(rendered).toEqual([]);
    expect((await site.send('/deals')).status).toBe(200);
    expect(await prefetch('/profile', member)).toMatchObject(refused);
  });
});

describe('side effects of a prefetch', () => {
  it('sets cookies only on the visit, not on a prefetch', async () => {
    const { app } = countingApp({ 'set-cookie': 'a=b' });
    site = await startHttpSite(app);
    for (const headers of [{}, member]) {
      const early = await prefetch('/deals', headers);
      expect(early).toMatchObject(refused);
      expect(early.headers['set-cookie']).toBeUndefined();
      expect((await site.send('/deals', { headers })).headers['set-cookie']).toEqual(['a=b']);
    }
  });

  it('rejects prefetches while the gate is closed', async () => {
    const { app, rendered } = countingApp();
    const settings = { ...structuredClone(defaultMaintenance), enabled: true };
    await changeMaintenance(database.db, { settings, actor: 'cli', actorAddress: null });
    const gate = async () => {
      const shut = new Gate({ ...testServices(database), log: createLog('silent') });
      await shut.read();
      return shut;
    };
    site = await startHttpSite(app, { db: database.db, gate });
    for (const path of ['/deals', '/sign-in']) expect(await prefetch(path)).toMatchObject(refused);
    expect(rendered).toEqual([]);
  });
});

describe('the limit per IP address', () => {
  const limited = (RATE_LIMITS: string) => {
    let now = 0;
    const limit = new PrefetchLimit(testServices(database, { RATE_LIMITS }), () => now);
    return { admit: (address: string) => limit.admit(address), wait: (ms: number) => (now += ms) };
  };

  test('limits prefetches from an IP address like pages, and restarts the count with each time window', () => {
    const { admit, wait } = limited('page=2/60');
    const ask = () => admit('192.0.2.1');
    expect([ask(), ask()]).toEqual([{ ok: true }, { ok: true }]);
    wait(50_000);
    expect(ask()).toEqual({ ok: false, retryAfterSeconds: 10 });
    wait(10_000);
    expect([ask().ok, ask().ok, ask().ok]).toEqual([true, true, false]);
  });

  test('shares a prefetch limit within an IPv6 network, but not with neighboring networks', () => {
    const { admit } = limited('page=1/60');
    expect(admit('2001:db8:1:2::1').ok).toBe(true);
    expect(admit('2001:db8:1:2:ffff::9').ok).toBe(false);
    expect(admit('2001:db8:1:3::1').ok).toBe(true);
  });

  test('does not limit prefetches if pages have no limit', () => {
    const { admit } = limited('page=0');
    for (let n = 0; n < 2000; n += 1) expect(admit('192.0.2.1').ok).toBe(true);
  });

  test('rejects new IP addresses when too many are counted, until the first time windows end', () => {
    const { admit, wait } = limited('page=1/60');
    for (let n = 0; n < 20_000; n += 1) expect(admit(`10.0.${n >> 8}.${n & 255}`).ok).toBe(true);
    expect(admit('192.0.2.1')).toEqual({ ok: false, retryAfterSeconds: 60 });
    wait(60_000);
    expect(admit('192.0.2.1').ok).toBe(true);
  });
});

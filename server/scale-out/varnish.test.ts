import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changeMaintenance } from '#app/features/site-settings/change-maintenance.server.ts';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import { createLog } from '#app/platform/log.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { SharedCaches } from '#server/scale-out/shared-caches.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { freePort } from '#test/free-port.ts';
import { type RoundRobin, startRoundRobin } from '#test/round-robin.ts';
import { signIn } from '#test/staff.ts';
import { startVarnish, type Varnish } from '#test/start-varnish.ts';
import { startWebProcess, type WebProcess } from '#test/web-processes.ts';

/** ms; changes usually arrive much sooner, which `bench -- shared-cache` measures */
const longestWaitInMs = 30_000;

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

async function until<T>(what: string, read: () => Promise<T | null | false>): Promise<T> {
  for (const end = performance.now() + longestWaitInMs; performance.now() < end; await wait(20)) {
    const found = await read();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${longestWaitInMs} ms`);
}

type Asked = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

interface Seen {
  status: number;
  text: string;
  headers: Headers;
  isHit: boolean;
}

async function open(url: string, cookie = '', more: Asked = {}): Promise<Seen> {
  const headers = { 'accept-encoding': 'br', ...(cookie && { cookie }), ...more.headers };
  const answer = await fetch(url, { redirect: 'manual', ...more, headers });
  const isHit = answer.headers.get('x-cache') === 'hit';
  return { status: answer.status, text: await answer.text(), headers: answer.headers, isHit };
}

/** Forwards purges to Varnish, and counts requested purges and completed purges of all pages. */
async function startPurges(cache: string) {
  const purges = { port: 0, asked: 0, ofAll: 0, close: () => server.close() };
  const pass = async (keys: string) => {
    const { status } = await open(cache, '', {
      method: 'PURGE',
      headers: { 'surrogate-key': keys },
    });
    if (status === 200 && keys.split(' ').includes('all')) purges.ofAll++;
    return status;
  };
  const server = createServer((request, response) => {
    purges.asked++;
    const told = pass(String(request.headers['surrogate-key'])).catch(() => 502);
    void told.then((status) => response.writeHead(status).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  purges.port = (server.address() as AddressInfo).port;
  return purges;
}

describe('two site processes behind Varnish', () => {
  let database: TestDatabase;
  let webs: WebProcess[];
  let balancer: RoundRobin;
  let varnish: Varnish;
  let purges: Awaited<ReturnType<typeof startPurges>>;
  let deals: { id: number; slug: string }[];
  let pages: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const { db } = database;
    const categories = await Promise.all(Array.from({ length: 8 }, () => insertCategory(db)));
    const merchants = await Promise.all(Array.from({ length: 5 }, () => insertMerchant(db)));
    deals = [];
    for (let n = 0; n < 160; n++) {
      const category_id = categories[n % 8]?.id ?? 0;
      const merchant_id = merchants[n % 5]?.id ?? 0;
      deals.push(await insertDeal(db, { sale_price: 1_000 + n, category_id, merchant_id }));
    }
    const lists = ['', '?sort=price_low', '?page=2'];
    pages = [
      '/',
      '/categories',
      '/merchants',
      '/blog',
      '/about',
      ...lists.map((search) => `/deals${search}`),
      ...categories.map(({ slug }) => `/categories/${slug}`),
      ...merchants.map(({ slug }) => `/merchants/${slug}`),
      ...deals.map(({ slug }) => `/deals/${slug}`),
    ];
    const port = await freePort();
    purges = await startPurges(`http://127.0.0.1:${port}/`);
    const env = {
      DATABASE_URL: database.url,
      ORIGIN: `http://localhost:${port}`,
      SHARED_CACHES: `http://127.0.0.1:${purges.port}/`,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    };
    balancer = await startRoundRobin([]);
    varnish = await startVarnish(port, balancer.port);
    webs = await Promise.all([startWebProcess(env), startWebProcess(env)]);
    balancer.targets = webs.map((web) => web.port);
    // Each start purges all pages twice.
    await until('both have started', async () => purges.ofAll >= 2 * webs.length);
    for (const page of pages) {
      await until(`${page} is kept`, async () => (await open(varnish.origin + page)).isHit);
    }
  }, 120_000);
  afterAll(async () => {
    await varnish.stop();
    await balancer.close();
    purges.close();
    await Promise.all(webs.map((web) => web.stop()));
    await database.close();
  });

  async function changePrice(id: number, sale_price: number): Promise<void> {
    await database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
  }

  it('serves 95 of 100 responses from Varnish, with current prices, and never mixes up visitors', async () => {
    const people = await Promise.all(
      ['ann@mail.example', 'bob@mail.example'].map(async (email) => ({
        email,
        cookie: (await signIn(database, { email }, varnish.origin)).cookie,
      })),
    );
    const [requests, changes] = [2_400, 6];
    const random = seeded(17);
    const count = { hits: 0, all: 0 };
    const waits: number[] = [];
    const faults: string[] = [];
    let sent = 0;

    async function visit(): Promise<void> {
      while (sent < requests) {
        const number = sent++;
        // A few pages get most of the visits.
        const page = pages[Math.floor(pages.length * random() ** 4)] ?? '/';
        const person = number % 10 === 0 ? people[number % 20 ? 0 : 1] : undefined;
        const own = number % 40 === 0 ? '/profile' : page;
        const stranger = `theme=dark; _ga=${random()}; flash=${random()}; wrote=${number % 2}`;
        const seen = await open(
          varnish.origin + (person ? own : `${page}${number % 7 ? '' : campaign(page, number)}`),
          person ? `x=1; ${person.cookie}` : stranger,
        );
        const { status, text, headers, isHit } = seen;
        const names = people.filter(({ email }) => text.includes(email)).map(({ email }) => email);
        if (status !== 200) faults.push(`${page}: ${status}`);
        if (names.join() !== (person?.email ?? '')) faults.push(`${page} names ${names.join()}`);
        if (person && (isHit || headers.get('cache-control') !== 'private, no-store')) {
          faults.push(`${page} of ${person.email} is kept`);
        }
        if (headers.has('surrogate-key') || headers.has('cdn-cache-control')) faults.push('told');
        if (!person) {
          count.all++;
          if (isHit) count.hits++;
          if (headers.has('set-cookie')) faults.push(`${page} sets a cookie`);
        }
      }
    }

    async function change(): Promise<void> {
      for (let n = 0; n < changes; n++) {
        await until('the next change', async () => sent >= (n * requests) / changes);
        const deal = deals[n * 3];
        if (!deal) continue;
        const price = 700_000 + n * 100;
        await changePrice(deal.id, price);
        const since = performance.now();
        const words = formatMoney(price, 'USD');
        await until(`${words} on the page of the deal`, async () =>
          (await open(`${varnish.origin}/deals/${deal.slug}`)).text.includes(words),
        );
        waits.push(performance.now() - since);
        // The list with the deal also shows the price.
        await until(`${words} on the first list`, async () =>
          (await open(`${varnish.origin}/deals?sort=price_high`)).text.includes(words),
        );
      }
    }

    await Promise.all([change(), ...Array.from({ length: 8 }, visit)]);
    const ratio = count.hits / count.all;
    console.log(
      `${count.hits} of ${count.all} from Varnish (${(ratio * 100).toFixed(1)} %); a changed price was seen after ` +
        `${waits.map((ms) => Math.round(ms)).join(', ')} ms`,
    );
    expect(faults).toEqual([]);
    expect(waits).toHaveLength(changes);
    expect(ratio).toBeGreaterThanOrEqual(0.95);
  }, 180_000);

  it('sends each visitor a separate form token through Varnish, and never serves a post from the cache', async () => {
    const [one, two] = [
      await open(`${varnish.origin}/sign-up`),
      await open(`${varnish.origin}/sign-up`),
    ];
    for (const seen of [one, two]) {
      expect([seen.isHit, seen.headers.get('cache-control')]).toEqual([false, 'private, no-store']);
    }
    const post = {
      method: 'POST',
      body: new URLSearchParams({ email: 'canary@mail.example', password: 'wrong' }),
      headers: { origin: varnish.origin },
    };
    const refused = await open(`${varnish.origin}/sign-in`, '', post);
    expect([refused.status, refused.isHit]).toEqual([422, false]);
    expect(refused.text).toContain('canary@mail.example');
    expect((await open(`${varnish.origin}/sign-in`)).text).not.toContain('canary@mail.example');
  });

  it('recognizes a session through Varnish in any form of the cookie header', async () => {
    const { cookie } = await signIn(database, { email: 'eve@mail.example' }, varnish.origin);
    for (const headers of [
      ['cookie', cookie],
      ['cookie', `a=1;${cookie}`],
      ['Cookie', 'a=1', 'cookie', cookie],
    ]) {
      const request = ask(`${varnish.origin}/`, {
        headers: ['host', new URL(varnish.origin).host, ...headers],
      });
      request.end();
      const [response] = await once(request, 'response');
      let text = '';
      for await (const chunk of response) text += chunk;
      expect([text.includes('eve@mail.example'), response.headers['x-cache']]).toEqual([
        true,
        'miss',
      ]);
    }
    expect((await open(`${varnish.origin}/`)).text).not.toContain('eve@mail.example');
  });

  it('closes and reopens the site behind Varnish, except for visitors who bypass the gate', async () => {
    const set = (settings: typeof defaultMaintenance) =>
      changeMaintenance(database.db, { settings, actor: 'cli', actorAddress: null });
    const statusFor = async (address: string) =>
      (await open(`${varnish.origin}/deals`, '', { headers: { 'x-forwarded-for': address } }))
        .status;
    // Visitors who bypass the gate must not cause pages to be cached for others.
    await set({ ...defaultMaintenance, enabled: true, allowedIPs: ['192.0.2.7'] });
    await until('the gate is shut', async () => (await statusFor('192.0.2.8')) === 503);
    for (let n = 0; n < 4; n++) {
      expect([await statusFor('192.0.2.7'), await statusFor('192.0.2.8')]).toEqual([200, 503]);
    }
    await set(defaultMaintenance);
    await until('the gate is open', async () => (await statusFor('192.0.2.8')) === 200);
  });

  it('accepts purges in Varnish from the site only', async () => {
    const purge = { method: 'PURGE', headers: { 'surrogate-key': 'all' } };
    const page = `${varnish.origin}/about`;
    const headers = { ...purge.headers, 'x-forwarded-for': '192.0.2.1' };
    // The site may still purge changes from earlier tests. The result is then inconclusive, so the
    // test retries.
    const { isHit } = await until('the site purges nothing meanwhile', async () => {
      await until('the page is kept', async () => (await open(page)).isHit);
      const { asked } = purges;
      expect((await open(page, '', { ...purge, headers })).status).toBe(403);
      expect((await open(page, '', { method: 'PURGE' })).status).toBe(400);
      const seen = await open(page);
      return purges.asked === asked ? seen : null;
    });
    expect(isHit).toBe(true);
    expect((await open(page, '', purge)).status).toBe(200);
    expect((await open(page)).isHit).toBe(false);
  });
});

describe('Varnish', () => {
  const forLater = ', stale-while-revalidate=60, stale-if-error=600';
  /**
   * Starts a server that responds like the site, with pages that contain this text. A request with
   * `?slow` waits until the test releases it.
   */
  async function startStandIn(seconds: number) {
    const site = { text: 'old', held: Promise.resolve(), asked: 0, port: 0, close: () => {} };
    const server = createServer((request, response) => {
      if (request.url === '/health/live') return void response.end('ok');
      site.asked++;
      const { text } = site; // Reads the text before the change, and sends it afterwards.
      const held = request.url?.endsWith('?slow') ? site.held : Promise.resolve();
      void held.then(() =>
        response
          .writeHead(200, {
            'cdn-cache-control': `max-age=${seconds}${forLater}`,
            'cache-control': 'public, max-age=0, must-revalidate',
            'surrogate-key': 'all deal:1',
            vary: 'accept-encoding, cookie',
          })
          .end(text),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    site.port = (server.address() as AddressInfo).port;
    site.close = () => {
      server.closeAllConnections();
      server.close();
    };
    closings.push(site.close);
    const varnish = await startVarnish(await freePort(), site.port);
    closings.push(() => varnish.stop());
    return { site, page: `${varnish.origin}/deals`, varnish };
  }

  it('does not store an outdated page in Varnish if it was in flight during a purge', async () => {
    const { site, page, varnish } = await startStandIn(60);
    const caches = new SharedCaches([varnish.origin], createLog('silent'));
    closings.push(() => caches.stop());
    await until('another page is kept', async () => (await open(page)).isHit);
    const isLetGo = Promise.withResolvers<void>();
    site.held = isLetGo.promise;
    const before = site.asked;
    const old = open(`${page}?slow`);
    await until('the site is asked', async () => site.asked > before);
    site.text = 'new';
    caches.invalidate(['deal:1']);
    await until('the other page is dropped', async () => (await open(page)).text === 'new');
    isLetGo.resolve();
    expect((await old).text).toBe('old');
    await until('the new page', async () => (await open(`${page}?slow`)).text === 'new');
  });

  it('keeps serving pages from Varnish while the site is down', async () => {
    const { site, page } = await startStandIn(1);
    await until('the page is kept', async () => (await open(page)).isHit);
    site.close();
    await until(
      'a page that is not kept is away',
      async () => (await open(`${page}/x`)).status === 503,
    );
    await wait(1_500); // ms; longer than the page stays fresh
    for (let n = 0; n < 5; n++) {
      expect(await open(page)).toMatchObject({ status: 200, text: 'old', isHit: true });
    }
  });
});

function campaign(page: string, number: number): string {
  return `${page.includes('?') ? '&' : '?'}from=newsletter-${number}-3&utm_source=mail-${number}&gclid=${number}`;
}

/** Returns pseudorandom numbers from 0 to 1, the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

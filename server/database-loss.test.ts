import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { startJobs } from '#app/platform/run-jobs.server.ts';
import { connect, type Connection } from '#database/connect.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { listenForPageChanges, type PageInvalidation } from '#server/page-invalidation.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';

type Line = 'up' | 'refusing' | 'unresponsive' | 'swallowing';

let line: Line = 'up';
const sockets = new Set<Socket>();
const swallowed = new Set<Socket>();
let database: TestDatabase;
let url: URL;
let throughLine: Connection;
let site: HttpSite;
let app: Awaited<ReturnType<typeof loadBuiltSite>>;
const log = createLog('silent');
const env = readEnv({ NODE_ENV: 'test', ORIGIN: 'https://deals.test' });
const servicesOf = ({ db }: Connection) => ({ db, env, log, now: () => new Date() });

/**
 * A relay between the site and the database, which can forward bytes, close all connections, or
 * stop responding. The relay can also drop everything without closing connections, like a server
 * that lost power. A dropped connection never recovers.
 */
const relay = createServer({ allowHalfOpen: true }, (near) => {
  near.on('error', () => {});
  near.on('end', () => void (swallowed.has(near) || near.end()));
  if (line === 'refusing') return near.destroy();
  sockets.add(near);
  if (line === 'unresponsive') return;
  if (line === 'swallowing') swallowed.add(near);
  const { hostname, port } = new URL(database.url);
  const far = connectSocket(Number(port || 5432), hostname);
  far.on('error', () => near.destroy());
  near.on('data', (bytes) => void (swallowed.has(near) || far.write(bytes)));
  far.on('data', (bytes) => void (swallowed.has(near) || near.write(bytes)));
  far.on('close', () => void (swallowed.has(near) || near.destroy()));
  near.on('close', () => far.destroy());
});

function setLine(next: Line): void {
  const wasSwallowing = line === 'swallowing';
  line = next;
  if (next === 'swallowing') for (const socket of sockets) swallowed.add(socket);
  else if (!wasSwallowing) hangUp();
}

function hangUp(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  swallowed.clear();
}

beforeAll(async () => {
  database = await createTestDatabase();
  const category = await insertCategory(database.db, { slug: 'tools' });
  const merchant = await insertMerchant(database.db, { slug: 'shop' });
  const places = { category_id: category.id, merchant_id: merchant.id };
  for (const slug of ['drill', 'saw']) await insertDeal(database.db, { ...places, slug });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((relay.address() as AddressInfo).port);
  throughLine = connect(url.href, { maxConnections: 4 });
  app = await loadBuiltSite(servicesOf(throughLine));
  site = await startHttpSite(app.app, { db: throughLine.db, files: app.files });
});
afterAll(async () => {
  hangUp();
  await site?.close();
  await throughLine?.close();
  setLine('refusing');
  relay.close();
  await database?.close();
});

// The request has a session cookie, so that no shared page is served.
const headers = { cookie: '__Host-session=abc' };
const pages = ['/', '/deals', '/deals/drill', '/deals?search=drill', '/feeds/deals.xml', '/out/1'];

async function statuses(of = site): Promise<Set<number>> {
  const answers = await Promise.all(pages.map((page) => of.send(page, { headers })));
  return new Set(answers.map(({ status }) => status));
}

// Proves Storefront 8: Data load errors (entry.server.tsx)
// Proves Storefront 8: Role lookup fails (session-context.server.ts)
// Proves R35: the database is away (connect.ts)
it.each<Line>(['refusing', 'unresponsive'])(
  'R35: returns 503 with Retry-After while the database is %s, and recovers by itself',
  async (trouble) => {
    expect(await statuses()).toEqual(new Set([200, 302]));
    expect((await site.send('/deals')).status).toBe(200);
    setLine(trouble);
    const answers = await Promise.all(pages.map((page) => site.send(page, { headers })));
    for (const [n, answer] of answers.entries()) {
      const seen = [pages[n], answer.status, answer.headers['retry-after']];
      expect(seen).toEqual([pages[n], 503, '5']);
      expect(answer.text).not.toMatch(/ECONN|timeout exceeded|Connection terminated/);
    }
    // A shared page that was shown earlier is still served.
    expect((await site.send('/deals')).status).toBe(200);
    expect((await site.send('/health/live')).status).toBe(200);
    expect((await site.send('/health/ready', { headers: { host: 'localhost' } })).status).toBe(503);
    setLine('up');
    expect(await statuses()).toEqual(new Set([200, 302]));
  },
);

describe('R62: half-open database connections', () => {
  let quick: Connection;
  let quickSite: HttpSite;
  let news: PageInvalidation | undefined;

  beforeAll(async () => {
    // The connection is the same as in production, except for the timeout.
    quick = connect(url.href, { maxConnections: 6, statementTimeout: 3_000 });
    const { app: quickApp, files } = await loadBuiltSite(servicesOf(quick));
    quickSite = await startHttpSite(quickApp, { db: quick.db, files });
  });
  afterAll(async () => {
    await news?.stop();
    await quickSite?.close();
    await quick?.close();
    hangUp();
  });

  /** Uses every connection in the pool once, so that all are open and idle. */
  async function warmUp(): Promise<void> {
    const all = Array.from({ length: 6 }, () => sql`select pg_sleep(0.05)`.execute(quick.db));
    await Promise.all(all);
    expect(quick.pool.idleCount).toBe(6);
    expect(await statuses(quickSite)).toEqual(new Set([200, 302]));
  }

  it('R62: makes only one visitor wait for a half-open connection, then serves all pages again', async () => {
    await warmUp();
    setLine('swallowing');
    const lost = await quickSite.send('/deals/drill', { headers });
    expect([lost.status, lost.headers['retry-after']]).toEqual([503, '5']);
    setLine('up');
    // The first failure drops all dead connections, so that all pages work again.
    for (const page of pages) {
      const { status } = await quickSite.send(page, { headers });
      expect([page, [200, 302].includes(status)]).toEqual([page, true]);
    }
  });

  it('R62: returns 503 to simultaneous visitors on half-open connections, then serves all of them again', async () => {
    await warmUp();
    setLine('swallowing');
    const crowd = [...pages, ...pages, ...pages];
    const lost = await Promise.all(crowd.map((page) => quickSite.send(page, { headers })));
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([503]));
    setLine('up');
    expect(await statuses(quickSite)).toEqual(new Set([200, 302]));
  });

  it('R62: fails a running transaction on a half-open connection as if the database were unreachable', async () => {
    await warmUp();
    const write = quick.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      setLine('swallowing');
      await sql`select 2`.execute(tx);
    });
    await expect(write).rejects.toThrow(/not queryable|Query read timeout/);
    setLine('up');
    expect(await statuses(quickSite)).toEqual(new Set([200, 302]));
  });

  it('R62: stops without waiting for a half-open connection', async () => {
    const leaving = connect(url.href, { maxConnections: 2, statementTimeout: 60_000 });
    await sql`select 1`.execute(leaving.db);
    setLine('swallowing');
    const asked = expect(sql`select 1`.execute(leaving.db)).rejects.toThrow(/terminated/);
    await expect.poll(() => leaving.pool.idleCount).toBe(0);
    await leaving.close();
    await asked;
    setLine('up');
  });

  it('R62: resumes jobs after half-open connections, though their statements may take a minute', async () => {
    const runs: number[] = [];
    const job = {
      name: 'count',
      isDue: () => sql`true`,
      run: async ({ db }: { db: Connection['db'] }) => {
        runs.push((await sql<{ n: number }>`select 1 as n`.execute(db)).rows.length);
      },
    };
    const jobs = await startJobs(url.href, [job], servicesOf(quick));
    const heard: string[] = [];
    const listener = { invalidate: () => {}, trust: (is: boolean) => void heard.push(String(is)) };
    news = listenForPageChanges(url.href, [listener], log, () => jobs.dropConnections());
    await expect.poll(() => heard.at(-1)).toBe('true');
    await expect.poll(() => runs.length).toBeGreaterThan(0);
    setLine('swallowing');
    await expect.poll(() => heard.at(-1), { timeout: 30_000 }).toBe('false');
    setLine('up');
    const before = runs.length;
    await expect.poll(() => runs.length, { timeout: 30_000 }).toBeGreaterThan(before);
    await expect.poll(() => heard.at(-1), { timeout: 30_000 }).toBe('true');
    await jobs.stop(1);
    await news.stop();
  });
});

// Proves R62: a read-only server counts as unreachable for writes (connect.ts)
it('R62: treats a read-only server as unreachable for writes, and tries another server', async () => {
  const { db, pool, close } = connect(database.url, { maxConnections: 2 });
  const standby = await sql<{ pid: number }>`
    select set_config('default_transaction_read_only', 'on', false), pg_backend_pid() as pid`.execute(
    db,
  );
  const write = db.updateTable('deals').set({ is_featured: true }).execute();
  const error = await write.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: '25006' });
  expect(isDatabaseUnavailable(error)).toBe(true);
  const next = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  expect(next.rows[0]?.pid).not.toBe(standby.rows[0]?.pid);
  expect(pool.totalCount).toBe(1);
  await close();
});

describe('R62: an unreachable database after a change', () => {
  const lists = ['/', '/deals', '/categories', '/categories/tools', '/merchants', '/deals/drill'];

  it('R62: serves outdated pages as stale while the database is unreachable, but no removed pages', async () => {
    const heard: string[] = [];
    const listener = {
      invalidate: (tags: readonly string[]) => void heard.push(tags.join(' ')),
      trust: (isTrusted: boolean) => void heard.push(isTrusted ? 'trusted' : 'cut off'),
    };
    const news = listenForPageChanges(url.href, [site.cache, listener], log);
    const hear = async (what: string | RegExp) => {
      await expect.poll(() => heard.at(-1), { timeout: 30_000 }).toMatch(what);
    };
    const change = (slug: string, values: object) =>
      database.db.updateTable('deals').set(values).where('slug', '=', slug).execute();
    const visit = async (addresses: readonly string[]) => {
      for (const page of addresses)
        expect([page, (await site.send(page)).status]).toEqual([page, 200]);
    };
    try {
      await hear('trusted');
      await visit(lists);
      await change('drill', { sale_price: 999, is_featured: true });
      await hear(/^deals deals:category:/);
      setLine('refusing');
      for (const page of lists) {
        const { status, headers: told } = await site.send(page);
        const cacheStatus = expect.stringMatching(/^deal-hub; hit; ttl=-?\d+; detail=stand-in$/);
        expect([page, status, told['cache-status'], told['cache-control']]).toEqual([
          page,
          200,
          cacheStatus,
          'private, no-store',
        ]);
        // The second response comes from memory and has the same ETag as the first.
        const again = await site.send(page, { headers: { 'if-none-match': told.etag ?? '' } });
        expect([page, again.status, again.headers['cache-status']]).toEqual([
          page,
          304,
          cacheStatus,
        ]);
      }
      setLine('up');
      await hear('trusted');
      for (const page of lists)
        expect([page, (await site.send(page)).headers['cache-status']]).toEqual([page, undefined]);
      await visit([...lists, '/deals/saw', '/privacy']);
      await change('saw', { is_active: false });
      await hear(/^deals deals:category:/);
      setLine('refusing');
      expect((await site.send('/deals/saw')).status).toBe(503);
      expect((await site.send('/deals')).status).toBe(503);
      // The change affected only a count, so only that number is outdated.
      const counted = await site.send('/categories');
      expect([counted.status, counted.headers['cache-status']]).toEqual([
        200,
        expect.stringMatching(/^deal-hub; hit; ttl=-?\d+; detail=stand-in$/),
      ]);
      // Another page, which never showed the deal, is still served.
      expect((await site.send('/privacy')).status).toBe(200);
    } finally {
      setLine('up');
      await news.stop();
    }
  });
});

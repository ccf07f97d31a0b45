import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { testServices } from '#test/services.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { createMetrics, type Measured } from '#server/metrics.ts';
import { RouteNames } from '#server/route-names.ts';
import type { SiteApp } from '#server/site-app.ts';

const folder = fileURLToPath(new URL('../docs/prometheus', import.meta.url));
const database = useTestDatabase();
let site: HttpSite | undefined;
afterEach(() => site?.close());

const patterns = ['/', '/deals', '/deals/:slug', '/deals/new', '/admin/deals/:id/edit', '/*'];
const idle = { totalCount: 3, idleCount: 2, waitingCount: 0 };
const measured = (more: Partial<Measured> = {}): Measured => ({
  services: testServices(database),
  pool: idle,
  cache: null,
  patterns,
  ...more,
});

/** Returns the time series, with their values. */
async function seriesOf(metrics: { describe(): Promise<string> }) {
  const lines = (await metrics.describe()).split('\n').filter((line) => /^[a-z]/.test(line));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

describe('route names', () => {
  const names = new RouteNames(patterns);

  it.each([
    ['/', '/'],
    ['/_root.data', '/'],
    ['/deals?page=2', '/deals'],
    ['/deals/blue-lamp', '/deals/:slug'],
    ['/deals/blue-lamp.data?x', '/deals/:slug'],
    ['/deals/new', '/deals/new'],
    ['/admin/deals/7/edit', '/admin/deals/:id/edit'],
    ['/assets/entry-1.js', '/assets/*'],
    ['/media/2/a.webp', '/media/*'],
    ['/made/up', '/*'],
    ['/deals/a/b', '/*'],
    ['*', 'none'],
  ])('names the route of %s: %s', (target, name) => {
    expect(names.of(target)).toBe(name);
    expect(names.of(target)).toBe(name);
  });
});

describe('process metrics', () => {
  const page: SiteApp = async (request) => ({
    response: new Response('page', { status: request.url.endsWith('/none') ? 404 : 200 }),
    policy: null,
    error: null,
  });

  it('counts requests by route pattern and status, and limits the number of series for arbitrary URLs', async () => {
    const metrics = await createMetrics(measured());
    site = await startHttpSite(page, { db: database.db, metrics, env: { RATE_LIMITS: 'page=0' } });
    for (let n = 0; n < 40; n++) await site.send(`/deals/made-up-${n}?email=ada@mail.example`);
    await site.send('/deals/none');
    await site.send('/wp-admin/none');
    const of = (route: string, status: number) =>
      `dealhub_http_requests_total{route="${route}",status="${status}"}`;
    await expect.poll(async () => (await seriesOf(metrics)).get(of('/*', 404))).toBe(1);
    const series = await seriesOf(metrics);
    expect(series.get(of('/deals/:slug', 200))).toBe(40);
    expect(series.get(of('/deals/:slug', 404))).toBe(1);
    expect(series.get('dealhub_http_request_duration_seconds_count{area="visitors"}')).toBe(42);
    expect(series.size).toBeLessThan(200);
    expect(await metrics.describe()).not.toMatch(/made-up|ada@/);
  });

  it('reports metrics about the site’s content', async () => {
    await insertDeal(database.db, { sale_price: 1900 });
    await queueMail(database.db, { key: 'late', kind: 'test', to: 'ada@mail.example', props: {} });
    await database.db
      .updateTable('mail_outbox')
      .set({ due_at: new Date(Date.now() - 900_000) })
      .execute();
    const source = await database.db
      .insertInto('feed_sources')
      .values({
        merchant_id: (await insertMerchant(database.db)).id,
        name: 'A shop',
        location: 'https://shop.example/feed.csv',
        schedule_minutes: 60,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const stats = { hits: 7, stale: 1, misses: 2, staleOnError: 0 };
    const cache = { stats, size: { entries: 3, bytes: 4_000 } };
    const series = await seriesOf(await createMetrics(measured({ cache })));
    expect(Object.fromEntries(series)).toMatchObject({
      dealhub_database_up: 1,
      dealhub_deals_live: 1,
      dealhub_page_cache_bytes: 4_000,
      'dealhub_page_cache_reads_total{state="hit"}': 7,
      'dealhub_database_connections{state="used"}': 1,
      'dealhub_outbox_waiting{outbox="mail"}': 1,
      'dealhub_outbox_waiting{outbox="webhook"}': 0,
      'dealhub_outbox_newest{outbox="mail",state="queued"}': 1,
      [`dealhub_feed_interval_seconds{feed="${source.id}"}`]: 3_600,
    });
    expect(series.get('dealhub_prices_logged_total')).toBeGreaterThan(0);
    expect(series.get('dealhub_outbox_oldest_seconds{outbox="mail"}')).toBeGreaterThanOrEqual(900);
    expect(series.has('dealhub_backup_age_seconds')).toBe(false);
  });

  it('serves metrics while the database is down, and reports the outage', async () => {
    const db = new Proxy(database.db, {
      get() {
        throw new Error('The connection is gone.');
      },
    });
    const services = { ...testServices(database), db };
    const series = await seriesOf(await createMetrics(measured({ services })));
    expect(series.get('dealhub_database_up')).toBe(0);
    expect(series.has('dealhub_deals_live')).toBe(false);
    expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  });
});

describe('docs/prometheus', () => {
  it.each(['alerts.yml', 'dashboard.json'])('uses only existing metrics in %s', async (file) => {
    const told = await (await createMetrics(measured())).describe();
    const names = new Set([...told.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const text = await readFile(path.join(folder, file), 'utf8');
    const asked = text.match(/\b(?:dealhub|nodejs|process)_[a-z0-9_]+\b/g) ?? [];
    expect(asked.length).toBeGreaterThan(10);
    const unknown = asked.filter((name) => !names.has(name.replace(/_(?:bucket|count|sum)$/, '')));
    expect(unknown).toEqual([]);
  });

  const promtool = spawnSync('promtool', ['--version']).status === 0;
  it.runIf(promtool)('fires the documented alerts exactly when it should', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts-test.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

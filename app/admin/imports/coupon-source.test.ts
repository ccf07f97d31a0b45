import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importCouponFeed } from '#app/features/coupons/import-coupon-feed.server.ts';
import { queueDueImports } from '#app/features/feeds/runs/queue-import.server.ts';
import { runQueuedImports } from '#app/features/feeds/runs/run-queued-imports-job.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite, type TestSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
let folder = '';
let site: TestSite;
let cookie = '';
let shop: Server;
let feed = '';
const env = () =>
  readEnv({
    NODE_ENV: 'test',
    ORIGIN: testOrigin,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    FEED_PRIVATE_HOSTS: '127.0.0.1',
  });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'coupon-source-'));
  shop = createServer((_request, response) => response.end(feed));
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  shop.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  site = testSite(database, { env: env() });
  ({ cookie } = await signIn(database, { role: 'admin' }));
  feed = couponFeed(['LAMP10', 'LAMP20']);
});

const couponFeed = (codes: string[]) =>
  ['store,code,title,end_date', ...codes.map((code) => `,${code},Lamps for less,2099-12-31`)].join(
    '\n',
  );
const send = (address: string, fields: Record<string, string>) =>
  site.page(address, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });
const work = () =>
  runQueuedImports(
    { db: database.db, env: env(), log: createLog('silent'), now: () => new Date() },
    undefined,
    { importCoupons: importCouponFeed },
  );

/** Creates the source, and returns the URL of the redirect. */
async function begin(): Promise<string> {
  const { port } = shop.address() as AddressInfo;
  const location = `http://127.0.0.1:${port}/feed.csv`;
  const answer = await send('/admin/imports/new', { kind: 'url', location, merchant: 'Lamps' });
  return answer.headers.get('location') ?? '';
}

/** Makes the source due at once, and runs it on schedule. */
async function runOnSchedule() {
  await sql`update feed_sources set schedule_minutes = 60, next_run_at = now()`.execute(
    database.db,
  );
  await queueDueImports(database.db);
  const [report] = await work();
  return report;
}

async function coupons() {
  const { rows } = await sql<{ line: string }>`
    select concat(m.name, ' ', c.code, case when c.ends_at <= now() then ' ended' end) as line
      from coupons c join merchants m on m.id = c.merchant_id order by c.code`.execute(database.db);
  return rows.map(({ line }) => line);
}

describe('a coupon source', () => {
  test('recognizes, previews and imports a coupon feed without asking for columns', async () => {
    const preview = await begin();
    expect(preview).toMatch(/^\/admin\/imports\/runs\/\d+$/);
    expect(await work()).toMatchObject([{ state: 'done', counts: { new: 2, rejected: 0 } }]);
    expect(await coupons()).toEqual([]);
    const shown = await site.page(preview, { headers: { cookie } });
    expect(shown.html).toContain('Run the import');
    expect(shown.html).not.toContain('Change columns');

    expect((await send(preview, { intent: 'import' })).status).toBe(302);
    await work();
    expect(await coupons()).toEqual(['Lamps LAMP10', 'Lamps LAMP20']);
    const source = await site.page('/admin/imports/sources/1', { headers: { cookie } });
    expect(source.html).toContain('<option value="coupons" selected="">');
  });

  test('recognizes coupons that a network sends as JSON', async () => {
    const offer = { store: '', title: 'Lamps for less', url: 'https://lamps.example' };
    feed = JSON.stringify({ result: true, offers: [{ ...offer, lmd_id: 1, code: 'LAMP10' }] });
    expect(await begin()).toMatch(/^\/admin\/imports\/runs\/\d+$/);
    await work();
    expect(await runOnSchedule()).toMatchObject({ counts: { new: 1, rejected: 0 } });
    expect(await coupons()).toEqual(['Lamps LAMP10']);
    feed = '{"result":false,"message":"Invalid key"}';
    expect(await runOnSchedule()).toMatchObject({ state: 'failed', counts: { ended: 0 } });
  });

  test('adds, keeps and ends coupons on its schedule', async () => {
    await begin();
    await work();
    expect(await runOnSchedule()).toMatchObject({ counts: { new: 2 } });
    expect(await runOnSchedule()).toMatchObject({ counts: { new: 0, unchanged: 2, ended: 0 } });
    feed = couponFeed(['LAMP20', 'LAMP30']);
    expect(await runOnSchedule()).toMatchObject({ counts: { new: 1, unchanged: 1, ended: 1 } });
    expect(await coupons()).toEqual(['Lamps LAMP10 ended', 'Lamps LAMP20', 'Lamps LAMP30']);
    feed = couponFeed(['LAMP10']);
    await sql`update feed_sources set ends_missing = false`.execute(database.db);
    expect(await runOnSchedule()).toMatchObject({ counts: { changed: 1, ended: 0 } });
    expect(await coupons()).toEqual(['Lamps LAMP10', 'Lamps LAMP20', 'Lamps LAMP30']);
  });

  test('fails without a change when the feed contains something else', async () => {
    await begin();
    await work();
    await runOnSchedule();
    feed = '<html><body>Service unavailable</body></html>';
    expect(await runOnSchedule()).toMatchObject({ state: 'failed', counts: { ended: 0 } });
    expect(await coupons()).toEqual(['Lamps LAMP10', 'Lamps LAMP20']);
  });

  test('does not end the coupons of another source', async () => {
    await begin();
    await work();
    await runOnSchedule();
    feed = couponFeed(['LAMP40']);
    await begin();
    await work();
    await sql`update feed_sources set is_active = id = 2`.execute(database.db);
    expect(await runOnSchedule()).toMatchObject({ counts: { new: 1, ended: 0 } });
    expect(await coupons()).toEqual(['Lamps LAMP10', 'Lamps LAMP20', 'Lamps LAMP40']);
  });

  test('does not treat a product feed with a column of coupons as a coupon source', async () => {
    feed = 'id,title,link,price,coupon_code\n1,Lamp,https://shop.example/1,5,LAMP10\n';
    expect(await begin()).toMatch(/^\/admin\/imports\/sources\/1\/columns/);
  });
});

test('saves the option that a source only updates deals', async () => {
  feed = 'id,title,link,price\n1,Lamp,https://shop.example/1,5\n';
  await begin();
  const location = await database.db
    .selectFrom('feed_sources')
    .select('location')
    .executeTakeFirstOrThrow();
  const fields = { name: 'Lamps', merchant: 'Lamps', updates_only: 'on', ...location };
  expect((await send('/admin/imports/sources/1', fields)).status).toBe(302);
  expect(
    await database.db.selectFrom('feed_sources').select('updates_only').executeTakeFirstOrThrow(),
  ).toEqual({ updates_only: true });
});

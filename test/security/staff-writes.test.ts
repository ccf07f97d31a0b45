import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { signIn } from '#test/staff.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
useStoppedClock();
const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: 'admin-write=3/60' });
const site = testSite(database, { env });

/** Each test uses a different account, because the process caches rejections. */
const enter = async () => (await signIn(database, { id: randomUUID(), role: 'admin' })).cookie;

// Proves R12: admin writes per account 120 a minute (limit-staff-writes.server.ts)
describe('R12: changes by one staff account', () => {
  let cookie: string;
  let dealId: number;
  beforeEach(async () => {
    cookie = await enter();
    const { db } = database;
    const category_id = (await insertCategory(db)).id;
    const merchant_id = (await insertMerchant(db)).id;
    dealId = (await insertDeal(db, { category_id, merchant_id })).id;
  });

  const send = (path: string, init: RequestInit = {}, as = cookie) =>
    site.request(path, {
      method: 'POST',
      body: new URLSearchParams({ intent: 'feature', id: String(dealId) }),
      ...init,
      headers: { cookie: as },
    });
  const isFeatured = async () =>
    (
      await database.db
        .selectFrom('deals')
        .select('is_featured')
        .where('id', '=', dealId)
        .executeTakeFirstOrThrow()
    ).is_featured;
  const exhaust = async () => {
    for (const path of ['/admin/categories', '/admin/merchants', '/admin/deals/new']) {
      expect([path, (await send(path)).status]).not.toEqual([path, 429]);
    }
  };

  test('R12: rejects changes by one staff account beyond the limit for all screens, and reports the time to wait', async () => {
    await exhaust();
    const refused = await send('/admin/deals');
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const html = (await refused.text()).replaceAll('<!-- -->', '');
    expect(html).toContain('Too Many Changes');
    expect(html).toMatch(/Please try again in \d+ seconds?\./);
    expect(html).not.toContain('Something went wrong');
    expect(await isFeatured()).toBe(false);
  });

  test('R12: rejects changes sent by scripts or with any other write method, too', async () => {
    await exhaust();
    const scripted = await send('/admin/deals.data');
    expect(scripted.status).toBe(429);
    expect(Number(scripted.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect([method, (await send('/admin/deals', { method })).status]).toEqual([method, 429]);
    }
    expect(await isFeatured()).toBe(false);
  });

  test('R12: limits neither reads nor other accounts because of one staff account’s changes', async () => {
    await exhaust();
    const read = await site.request('/admin/deals', { headers: { cookie } });
    expect([read.status, read.headers.get('retry-after')]).toEqual([200, null]);
    const other = await send('/admin/deals', {}, await enter());
    expect(other.status).toBe(302);
    expect(await isFeatured()).toBe(true);
  });

  test('R12: does not count rejected changes by signed-out callers', async () => {
    for (let n = 0; n < 5; n++) expect((await send('/admin/deals', {}, '')).status).toBe(401);
    expect(await database.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { rightsOf } from '#app/features/accounts/policy.ts';
import { addClicks } from '#app/features/clicks/click-queries.server.ts';
import { createApiKey } from '#app/features/public-api/create-api-key.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import type { ApiKeyRight } from '#database/schema/program-tables.ts';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';

// Click counts are private to the owner: only keys with “Read clicks” may read them.

const database = useTestDatabase();
const env = readEnv({
  NODE_ENV: 'test',
  ORIGIN: testOrigin,
  RATE_LIMITS: 'api-address=0, api-key=0',
});
const site = testSite(database, { env });
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const paths = ['/clicks', '/clicks/places?by=merchant', '/clicks/deals'];

async function aKey(...rights: ApiKeyRight[]): Promise<string> {
  const made = await createApiKey(database.db, {
    actor: 'clerk',
    name: 'Sheet',
    perMinute: null,
    rights,
  });
  if (!made.ok) throw new Error(made.reason);
  return made.key;
}

async function ask(path: string, key: string | null, asked = site) {
  const response = await asked.request(`/api/v1${path}`, {
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

let saw: number;
let axe: number;

beforeEach(async () => {
  const { db } = database;
  await insertUser(db, { id: 'clerk', role: 'admin' });
  const tools = await insertCategory(db, { slug: 'tools', name: 'Tools' });
  const acme = await insertMerchant(db, { slug: 'acme', name: 'Acme' });
  const zed = await insertMerchant(db, { slug: 'zed', name: 'Zed' });
  const shared = { category_id: tools.id };
  saw = (await insertDeal(db, { ...shared, merchant_id: acme.id, slug: 'saw', title: 'Saw' })).id;
  axe = (await insertDeal(db, { ...shared, merchant_id: zed.id, slug: 'axe', title: 'Axe' })).id;
  await addClicks(db, [
    { dealId: saw, day: day(0), count: 2 },
    { dealId: axe, day: day(6), count: 30 },
    { dealId: axe, day: day(7), count: 16 },
    { dealId: axe, day: day(89), count: 1_000 },
  ]);
});

describe('clicks in the API', () => {
  test('returns clicks to a key with the right, uncached', async () => {
    const key = await aKey('clicks');
    for (const path of paths) {
      const { status, headers } = await ask(path, key);
      expect([path, status, headers.get('cache-control'), headers.get('etag')]).toEqual([
        path,
        200,
        'private, no-store',
        null,
      ]);
      expect(headers.get('vary')?.toLowerCase()).toContain('authorization');
      // A stranger and a key without the right send the same request, to prove that nothing was
      // cached.
      const stranger = await ask(path, null);
      expect([path, stranger.status, stranger.json.type]).toEqual([
        path,
        401,
        `${testOrigin}/developers#key-needed`,
      ]);
      expect(stranger.headers.get('www-authenticate')).toBe('Bearer realm="api"');
      expect(stranger.headers.get('vary')).toContain('Authorization');
      expect(stranger.headers.get('cache-control')).toContain('no-store');
    }
    const limited = await ask('/clicks', await aKey('limits'));
    expect([limited.status, limited.json]).toEqual([
      403,
      expect.objectContaining({
        type: `${testOrigin}/developers#right-needed`,
        title: 'The API key lacks a permission',
        detail: expect.stringContaining('“Read clicks”'),
      }),
    ]);
    expect(limited.headers.get('www-authenticate')).toContain('insufficient_scope');
    expect((await ask('/clicks', key)).status).toBe(200);
  });

  test('lists clicks by day of the site, a store, a category, a feed or a deal, in each period', async () => {
    const key = await aKey('clicks');
    const total = async (search: string) => {
      const { json } = await ask(`/clicks?${search}`, key);
      return [json.from, json.to, json.data.length, json.total];
    };
    expect(await total('')).toEqual([day(29), day(0), 30, 48]);
    expect(await total('days=7')).toEqual([day(6), day(0), 7, 32]);
    expect(await total('days=90&merchant=zed')).toEqual([day(89), day(0), 90, 1_046]);
    expect((await total('days=364&category=tools'))[3]).toBe(1_048);
    expect((await total('feed=0'))[3]).toBe(48);
    expect((await total(`days=90&deal=${axe}`))[3]).toBe(1_046);
    expect((await ask(`/clicks?deal=${axe}`, key)).json.data.slice(-8, -6)).toEqual([
      { day: day(7), clicks: 16 },
      { day: day(6), clicks: 30 },
    ]);
  });

  test('lists clicks by store, category, feed and deal, the most clicked first', async () => {
    const key = await aKey('clicks');
    const places = async (by: string) =>
      (await ask(`/clicks/places?by=${by}`, key)).json.data.map(
        ({ name, clicks }: { name: string; clicks: number }) => [name, clicks],
      );
    expect(await places('merchant')).toEqual([
      ['Zed', 46],
      ['Acme', 2],
    ]);
    expect(await places('category')).toEqual([['Tools', 48]]);
    expect(await places('feed')).toEqual([['Without a feed', 48]]);
    const { json, headers } = await ask('/clicks/deals', key);
    expect(json.data).toMatchObject([
      { id: axe, title: 'Axe', url: `${testOrigin}/deals/axe`, is_live: true, clicks: 46 },
      { id: saw, merchant: { slug: 'acme' }, clicks: 2 },
    ]);
    expect(json.page).toEqual({
      number: 1,
      count: 1,
      size: 24,
      total: 2,
      is_total_capped: false,
    });
    expect(headers.get('link')).toContain('rel="last"');
    expect((await ask('/clicks/deals?merchant=acme', key)).json.data).toHaveLength(1);
  });

  test('paginates clicks by 24', async () => {
    const key = await aKey('clicks');
    const more = await Promise.all(Array.from({ length: 23 }, () => insertDeal(database.db)));
    await addClicks(
      database.db,
      more.map(({ id }) => ({ dealId: id, day: day(1), count: 1 })),
    );
    const second = (await ask('/clicks/deals?page=2', key)).json;
    expect([second.data.length, second.page.count, second.page.total]).toEqual([1, 2, 25]);
    expect((await ask('/clicks/deals?page=3', key)).status).toBe(404);
    expect((await ask('/clicks/deals?page=501', key)).status).toBe(422);
    expect((await ask('/clicks/places?by=merchant&page=2', key)).status).toBe(200);
  });

  test.each([
    ['/clicks?days=8', 'days'],
    ['/clicks?merchant=nobody', 'merchant'],
    ['/clicks?category=tools&merchant=zed', 'category'],
    ['/clicks?deal=999999', 'deal'],
    ['/clicks?deal=1&merchant=zed', 'deal'],
    ['/clicks?feed=77', 'feed'],
    ['/clicks?store=zed', 'store'],
    ['/clicks/places', 'by'],
    ['/clicks/places?by=site', 'by'],
    ['/clicks/deals?days=7', 'days'],
  ])('rejects %s for clicks and names the invalid parameter', async (path, parameter) => {
    const { status, json } = await ask(path, await aKey('clicks'));
    expect([status, json.errors?.[0]?.parameter]).toEqual([422, parameter]);
  });
});

describe('rights of a key', () => {
  const update = (values: object) =>
    database.db.updateTable('users').set(values).where('id', '=', 'clerk').execute();

  test('removes a key’s rights while its creator is suspended, or no longer staff', async () => {
    const key = await aKey('limits', 'clicks');
    for (const [lost, back] of [
      [
        { suspended_at: new Date(), suspended_for: 'left' },
        { suspended_at: null, suspended_for: null },
      ],
      [{ role: 'user' }, { role: 'super_admin' }],
    ]) {
      await update(lost ?? {});
      expect((await ask('/clicks', key)).status).toBe(401);
      expect((await ask('/deals', key)).status).toBe(401);
      await update(back ?? {});
      expect((await ask('/clicks', key)).status).toBe(200);
    }
    await database.db.deleteFrom('users').where('id', '=', 'clerk').execute();
    expect((await ask('/deals', key)).status).toBe(401);
  });

  test('removes a key’s rights that its creator’s role lost', async () => {
    const key = await aKey('limits', 'clicks');
    const narrow = testSite(database, {
      env,
      rightsOfRole: (role) => new Set([...rightsOf(role)].filter((one) => one !== 'catalog.read')),
    });
    expect((await ask('/clicks', key, narrow)).status).toBe(403);
    expect((await ask('/deals', key, narrow)).status).toBe(200);
  });

  test('leaves a key only the higher limits when its creator’s account was deleted', async () => {
    const key = await aKey('limits', 'clicks');
    await database.db.updateTable('api_keys').set({ created_by: null }).execute();
    const { status, headers } = await ask('/deals', key);
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, null]);
    expect((await ask('/clicks', key)).status).toBe(403);
  });

  test('applies a stranger’s limits to a key without “Higher limits”', async () => {
    const counted = testSite(database, {
      env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: 'api-address=2/60' }),
    });
    const key = await aKey('clicks');
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await ask('/clicks', key, counted)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

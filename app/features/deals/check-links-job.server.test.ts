import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { askLink } from './ask-link.server.ts';
import { checkLinks } from './check-links-job.server.ts';
import { countBrokenLinks } from './link-check-queries.server.ts';
import { trustLink } from './trust-link.server.ts';

const database = useTestDatabase();

const start = new Date('2026-06-01T08:00:00Z');
const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

/** Creates a fake web of addresses with these statuses, which records the requests. */
function aWeb(statuses: Record<string, number> = {}) {
  const asked: string[] = [];
  const ask = async (address: string, method: 'HEAD' | 'GET') => {
    asked.push(`${method} ${address}`);
    const status = statuses[address] ?? 200;
    if (status === 0) throw new SafeFetchError('no response within 10 s');
    return status;
  };
  return { asked, ask, statuses };
}

const run = (web: ReturnType<typeof aWeb>, hours = 0, env: Record<string, string> = {}) =>
  checkLinks({ ...testServices(database, env), now: () => later(hours) }, { ask: web.ask });

async function aShop() {
  const category_id = (await insertCategory(database.db)).id;
  const merchant_id = (await insertMerchant(database.db)).id;
  return (deal_url: string, overrides: Partial<NewDeal> = {}) =>
    insertDeal(database.db, { category_id, merchant_id, deal_url, ...overrides });
}

const read = (id: number) =>
  database.db
    .selectFrom('deals')
    .select(['link_checked_at', 'link_missed_at', 'link_broken_since', 'version', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const mug = 'https://shop.test.net/mug';

describe('a link', () => {
  // Proves Design: Saved view "Broken link"
  test.each([404, 410])(
    'marks a link as broken after two %i responses half a day apart',
    async (status) => {
      const { id } = await (await aShop())(mug);
      const web = aWeb({ [mug]: status });
      await run(web);
      expect(await read(id)).toMatchObject({ link_missed_at: start, link_broken_since: null });
      expect(await countBrokenLinks(database.db)).toBe(0);
      await run(web, 25);
      expect(await read(id)).toMatchObject({
        link_broken_since: start,
        link_checked_at: later(25),
      });
      expect(await countBrokenLinks(database.db)).toBe(1);
      await run(web, 50);
      expect(await read(id)).toMatchObject({ link_broken_since: start });
    },
  );

  test('does not mark a link as broken after two responses within twelve hours', async () => {
    const { id } = await (await aShop())(mug);
    const web = aWeb({ [mug]: 404 });
    await run(web);
    await sql`update deals set link_checked_at = null`.execute(database.db);
    await run(web, 11);
    expect(await read(id)).toMatchObject({ link_broken_since: null, link_missed_at: start });
  });

  test('clears a broken link at once when it responds with a page, and starts counting again', async () => {
    const { id } = await (await aShop())(mug);
    const web = aWeb({ [mug]: 404 });
    await run(web);
    await run(web, 25);
    web.statuses[mug] = 200;
    await run(web, 50);
    expect(await read(id)).toMatchObject({ link_missed_at: null, link_broken_since: null });
    web.statuses[mug] = 404;
    await run(web, 75);
    expect(await countBrokenLinks(database.db)).toBe(0);
  });

  test.each([0, 301, 400, 401, 403, 405, 429, 500, 503])(
    'neither marks a link as broken nor clears it for status %i (0: no response)',
    async (status) => {
      const { id } = await (await aShop())(mug);
      const web = aWeb({ [mug]: status });
      await run(web);
      await run(web, 25);
      expect(await read(id)).toMatchObject({ link_missed_at: null, link_checked_at: later(25) });
      web.statuses[mug] = 404;
      await run(web, 50);
      web.statuses[mug] = status;
      await run(web, 75);
      expect(await read(id)).toMatchObject({ link_missed_at: later(50), link_broken_since: null });
    },
  );

  test('resets a link’s state when any user changes the deal’s URL', async () => {
    const { id } = await (await aShop())(mug);
    const web = aWeb({ [mug]: 404 });
    await run(web);
    await run(web, 25);
    await sql`update deals set deal_url = deal_url`.execute(database.db);
    expect(await countBrokenLinks(database.db)).toBe(1);
    await sql`update deals set deal_url = 'https://shop.test.net/cup'`.execute(database.db);
    expect(await read(id)).toMatchObject({
      link_checked_at: null,
      link_missed_at: null,
      link_broken_since: null,
    });
  });

  test('ignores the check of a link whose URL changed during the request', async () => {
    const { id } = await (await aShop())(mug);
    const ask = async () => {
      await sql`update deals set deal_url = 'https://shop.test.net/cup'`.execute(database.db);
      return 404;
    };
    await checkLinks({ ...testServices(database), now: () => start }, { ask });
    expect(await read(id)).toMatchObject({ link_checked_at: null, link_missed_at: null });
  });
});

describe('a link that staff mark as working', () => {
  const audited = async () =>
    (await database.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(
      ({ action }) => action,
    );
  const trust = (id: number, isTrusted = true) =>
    trustLink(database.db, { actor: 'u1', id, isTrusted });

  test('never marks a link as broken that staff confirmed, and logs who confirmed it', async () => {
    const { id } = await (await aShop())(mug);
    const web = aWeb({ [mug]: 404 });
    await run(web);
    expect(await trust(id)).toBe(false); // The link is not broken yet.
    await run(web, 25);
    expect(await trust(id)).toBe(true);
    expect(await trust(id)).toBe(false);
    await run(web, 50);
    await run(web, 75);
    expect(await countBrokenLinks(database.db)).toBe(0);
    expect(await audited()).toEqual(['deal.trust-link']);
  });

  test('checks a confirmed link again after the confirmation is undone', async () => {
    const { id } = await (await aShop())(mug);
    const web = aWeb({ [mug]: 404 });
    await run(web);
    await run(web, 25);
    expect(await trust(id, false)).toBe(false);
    await trust(id);
    expect(await trust(id, false)).toBe(true);
    expect(await countBrokenLinks(database.db)).toBe(1);
    expect(await audited()).toEqual(['deal.trust-link', 'deal.doubt-link']);
  });

  test('checks a confirmed link again like other links once it worked or its URL was changed', async () => {
    const { id } = await (await aShop())(mug);
    const web = aWeb({ [mug]: 404 });
    await run(web);
    await run(web, 25);
    await trust(id);
    web.statuses[mug] = 200;
    await run(web, 50);
    web.statuses[mug] = 404;
    await run(web, 75);
    await run(web, 100);
    expect(await countBrokenLinks(database.db)).toBe(1);
    await trust(id);
    const cup = 'https://shop.test.net/cup';
    await sql`update deals set deal_url = ${cup}`.execute(database.db);
    web.statuses[cup] = 404;
    await run(web, 125);
    await run(web, 150);
    expect(await countBrokenLinks(database.db)).toBe(1);
  });
});

describe('requests', () => {
  test('starts with HEAD, and accepts only GET as proof that a page is gone', async () => {
    const asked: string[] = [];
    const server = (head: number, get: number) =>
      askLink(mug, async (_address, method) => {
        asked.push(method);
        return method === 'HEAD' ? head : get;
      });
    expect(await server(200, 404)).toBe('there');
    expect(await server(404, 200)).toBe('there');
    expect(await server(405, 410)).toBe('gone');
    expect(await server(501, 200)).toBe('there');
    expect(asked.splice(0)).toEqual(['HEAD', 'HEAD', 'GET', 'HEAD', 'GET', 'HEAD', 'GET']);
    expect(await server(429, 404)).toBe('unclear');
    expect(await server(503, 404)).toBe('unclear');
    expect(asked).toEqual(['HEAD', 'HEAD']);
  });

  test('skips responses that reveal nothing about the page', async () => {
    const fault = async () => Promise.reject(new Error('a fault of ours'));
    await expect(askLink(mug, fault)).rejects.toThrow('a fault of ours');
  });

  test('checks at most three links per host and minute, the longest waiting first', async () => {
    const add = await aShop();
    for (let n = 0; n < 5; n++) await add(`https://many.test.net/${n}`);
    const merchant_id = (await insertMerchant(database.db)).id;
    for (let n = 5; n < 9; n++) await add(`https://many.test.net/${n}`, { merchant_id });
    await add('https://few.test.net/0', { merchant_id: (await insertMerchant(database.db)).id });
    const web = aWeb();
    await run(web);
    const many = () => web.asked.filter((line) => line.includes('many')).length;
    expect(many()).toBe(3);
    expect(web.asked).toContain('HEAD https://few.test.net/0');
    await run(web, 1);
    await run(web, 2);
    expect(new Set(web.asked).size).toBe(10);
    expect(web.asked).toHaveLength(10);
    await run(web, 3);
    expect(web.asked).toHaveLength(10);
    await run(web, 25);
    // A day later, three links of one host are checked again, and the only link of the other.
    expect(web.asked).toHaveLength(14);
  });

  test('skips links of deals that are not live, the demo shop and reserved names', async () => {
    const add = await aShop();
    await add('https://a.test.net/inactive', { is_active: false });
    await add('https://a.test.net/expired', { expires_at: new Date('2020-01-01') });
    await add('https://a.test.net/demo', { is_demo: true });
    const { id } = await add('https://shop.example/mug');
    const web = aWeb();
    await run(web);
    expect(web.asked).toEqual([]);
    expect(await read(id)).toMatchObject({ link_checked_at: start, link_missed_at: null });
  });

  test('does not check links if LINK_CHECKS is off, and stops with the process', async () => {
    const { id } = await (await aShop())(mug);
    const web = aWeb();
    await run(web, 0, { LINK_CHECKS: 'off' });
    const signal = AbortSignal.abort();
    await checkLinks({ ...testServices(database), now: () => start }, { ask: web.ask, signal });
    expect(web.asked).toEqual([]);
    expect(await read(id)).toMatchObject({ link_checked_at: null });
  });
});

test('neither creates a new version of a deal nor invalidates a page when a link is checked', async () => {
  const { id } = await (await aShop())(mug);
  const before = await read(id);
  const listener = await database.pool.connect();
  const heard: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload));
  try {
    await listener.query('listen pages');
    const web = aWeb({ [mug]: 404 });
    await run(web);
    await run(web, 25);
    await listener.query('select 1');
    expect(heard).toEqual([]);
    expect(await countBrokenLinks(database.db)).toBe(1);
    expect(await read(id)).toMatchObject({
      version: before.version,
      updated_at: before.updated_at,
    });
  } finally {
    await listener.query('unlisten *');
    listener.release();
  }
});

import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { pushReceiver } from '#test/push-stand-in.ts';
import { sampleSite } from '#test/sample-mails.ts';
import { testServices } from '#test/services.ts';
import { mails } from '#app/mails.server.ts';
import { ask } from '#database/ask.ts';
import { pushes } from '#app/pushes.server.ts';
import { saveSubscription } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { newSince } from './new-since.ts';
import { readWatchable } from './read-watchable.server.ts';
import { stopByMail } from './stop-by-mail.server.ts';
import { matchOnce, spreadOnce } from './match-searches.server.ts';
import { notifyOfSearches } from './notify-of-searches-job.server.ts';
import type { Cadence } from './watch-cadence.ts';
import {
  changeWatchedSearch,
  deleteWatchedSearch,
  listWatchedSearches,
  markSeen,
  mostSearchesPerOwner,
  saveWatchedSearch,
} from './watched-search-queries.server.ts';

const database = useTestDatabase();
let owner = { userId: '' };
let places: { category_id: number; merchant_id: number };

beforeEach(async () => {
  const { db } = database;
  await sql`delete from watch_marks`.execute(db);
  await matchOnce(db); // ignores all earlier deals
  owner = { userId: (await insertUser(db, { email_verified: true })).id };
  const category_id = (await insertCategory(db, { name: 'Lighting' })).id;
  places = { category_id, merchant_id: (await insertMerchant(db)).id };
});

const slugOf = async (table: 'categories' | 'merchants', id: number) =>
  (
    await database.db
      .selectFrom(table)
      .select('slug')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).slug;

async function watch(href: string, cadence: Cadence = 'at_once') {
  const read = await readWatchable(database.db, href, 'USD');
  if (!read.ok) throw new Error(read.message);
  expect(await saveWatchedSearch(database.db, owner, read.watchable, cadence)).toBe('saved');
  return read.watchable;
}
const newDeal = (deal: Partial<NewDeal> = {}) =>
  insertDeal(database.db, { ...places, title: 'Brass lamp', sale_price: 5_000, ...deal });
const setPrice = (id: number, sale_price: number) =>
  database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();

/**
 * Queries until everything written is processed: the first query after a change sets the boundary,
 * which waits for open writes.
 */
async function matchAll() {
  const latest = sql<boolean>`seen_log >= (select coalesce(max(id), 0) from price_log)
    and seen_deal >= (select coalesce(max(id), 0) from deals)`;
  await expect
    .poll(async () => {
      await matchOnce(database.db);
      return (await database.db.selectFrom('watch_marks').select(latest.as('is')).execute())[0]?.is;
    })
    .toBe(true);
  while (await spreadOnce(database.db));
}
const finds = () =>
  ask(database.db).rows<{ address: string; deal_id: number }>`
    select address, deal_id from (
      select id, address, unnest(waiting_deals) as deal_id from watched_searches
      union all
      select s.id, s.address, f.deal_id from watched_search_finds f join watched_searches s on s.id = f.search_id) found
     order by id, deal_id`;
const found = async () => (await finds()).map(({ deal_id }) => deal_id);
const outbox = (): Promise<OutboxMail[]> =>
  database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();
const write = async (mail: OutboxMail | undefined) => {
  if (!mail) throw new Error('no such mail');
  return mails[mail.kind]?.write(database.db, mail, sampleSite, 'send') ?? null;
};

describe('a watchable address', () => {
  test('uses the same address and name for a filtered list, whatever its order and page', async () => {
    const read = async (href: string) => readWatchable(database.db, href, 'USD');
    expect(
      await read('/deals?search=brass+lamp&max=50&sort=newest&page=3&status=new'),
    ).toMatchObject({
      ok: true,
      watchable: {
        address: '/deals?search=brass+lamp&status=new&max=50',
        name: '“brass lamp”, New, Up to $50',
        max_price: 5_000,
        key_word: 'brass',
      },
    });
    const category = await slugOf('categories', places.category_id);
    expect(await read(`/categories/${category}?type=coupon`)).toMatchObject({
      ok: true,
      watchable: { name: 'Lighting, Coupon deals', category_id: places.category_id },
    });
    expect(await read('/deals?page=2')).toMatchObject({
      watchable: { address: '/deals', name: 'All deals' },
    });
  });

  test.each([
    '',
    'deals',
    '//evil.example/deals',
    'https://evil.example/deals',
    '/\\evil.example',
    '/admin',
    '/deals/brass-lamp',
    '/categories/nowhere',
    '/deals?search=lamp&merchant=nobody',
    '/deals?search=the',
  ])('does not offer to watch %j', async (href) => {
    expect(await readWatchable(database.db, href, 'USD')).toMatchObject({ ok: false });
  });

  test('watches a list of real lows, and finds a deal when its price falls to a real low', async () => {
    const low = await watch('/deals?evidence=low');
    expect(low).toMatchObject({ name: 'All deals, Real lows only', evidence: 'low' });
    await watch('/deals?search=lamp&evidence=fell');
    const since = new Date(Date.now() - 40 * 86_400_000);
    const [old, young] = [await newDeal({ price_since: since }), await newDeal()];
    await matchAll();
    expect(await found()).toEqual([]);
    await setPrice(old.id, 6_000);
    await setPrice(young.id, 6_000);
    await matchAll();
    expect(await found()).toEqual([]);
    await setPrice(old.id, 4_500);
    await setPrice(young.id, 4_500);
    await matchAll();
    // The younger deal is too new for a real low.
    expect(await finds()).toEqual([
      { address: '/deals?evidence=low', deal_id: old.id },
      { address: '/deals?search=lamp&evidence=fell', deal_id: old.id },
      { address: '/deals?search=lamp&evidence=fell', deal_id: young.id },
    ]);
  });

  test('watches a list by condition, discount and brand, and finds a deal by its new price', async () => {
    const href = '/deals?condition=refurbished&brand=Lumo&off=50';
    expect(await watch(href)).toMatchObject({
      name: 'All deals, Refurbished, Lumo, At least 50% off',
      brand: 'lumo',
    });
    const all = { status: 'used', condition: 'refurbished', brand: 'LÚMO' } as const;
    const near = await newDeal({ ...all, sale_price: 6_000, original_price: 10_000 });
    const half = { ...all, sale_price: 5_000, original_price: 10_000 };
    const [match] = [await newDeal(half), await newDeal({ ...half, condition: 'good' })];
    await newDeal({ ...half, brand: 'Vela' });
    await matchAll();
    expect(await found()).toEqual([match.id]);
    await setPrice(near.id, 5_500);
    await matchAll();
    expect(await found()).toEqual([match.id]);
    await setPrice(near.id, 4_900);
    await matchAll();
    expect(await found()).toEqual([near.id, match.id]);
  });

  test('limits an owner to twenty watched searches, and stores each only once', async () => {
    for (let n = 0; n < mostSearchesPerOwner; n++) await watch(`/deals?max=${n + 10}`);
    await watch('/deals?max=10', 'weekly');
    const own = await listWatchedSearches(database.db, owner);
    expect(own).toHaveLength(mostSearchesPerOwner);
    const read = await readWatchable(database.db, '/deals?max=99', 'USD');
    if (!read.ok) throw new Error(read.message);
    expect(await saveWatchedSearch(database.db, owner, read.watchable, 'daily')).toBe('too-many');
  });
});

describe('finds', () => {
  test('finds a new deal only if its words, category, store, price and kind match', async () => {
    const other = (await insertCategory(database.db)).id;
    const category = await slugOf('categories', places.category_id);
    const merchant = await slugOf('merchants', places.merchant_id);
    const all = [
      '/deals',
      '/deals?search=lamps',
      '/deals?search=brass+lamp&max=60',
      `/categories/${category}?min=40`,
      `/merchants/${merchant}`,
      '/deals?type=coupon',
      '/deals?search=brass+lamp&max=49',
      '/deals?search=brass+kettle',
      `/deals?search=lamp&category=${await slugOf('categories', other)}`,
      '/deals?status=used',
      '/deals?min=51',
    ];
    for (const href of all) await watch(href);
    await newDeal({ coupon_code: 'SAVE' });
    await matchAll();
    expect((await finds()).map(({ address }) => address)).toEqual(all.slice(0, 6));
  });

  test('finds a deal whose new price enters a range, but not one already in it', async () => {
    const old = await newDeal({ sale_price: 9_000 });
    const inside = await newDeal({ sale_price: 4_000 });
    await matchAll();
    await watch('/deals?search=lamp&max=50');
    await watch('/deals?search=lamp');
    await matchAll();
    expect(await found()).toEqual([]);
    await setPrice(old.id, 4_900);
    await setPrice(inside.id, 3_900);
    await matchAll();
    expect(await finds()).toMatchObject([
      { address: '/deals?search=lamp&max=50', deal_id: old.id },
    ]);
    // A price that rose and fell again is not reported for a while.
    await setPrice(old.id, 9_000);
    await matchAll();
    await setPrice(old.id, 4_800);
    await matchAll();
    expect(await found()).toEqual([old.id]);
  });

  test('does not find expired or hidden deals, or deals whose prices no email may show', async () => {
    await watch('/deals');
    const quiet = await insertMerchant(database.db, { allow_alerts: false });
    const hiding = await insertMerchant(database.db, { hide_price_after_hours: 24 });
    await newDeal({ merchant_id: quiet.id });
    await newDeal({ merchant_id: hiding.id });
    await newDeal({ is_active: false });
    await newDeal({ expires_at: new Date(Date.now() - 1_000) });
    await matchAll();
    expect(await found()).toEqual([]);
  });

  test('finds deals that commit late, even if later ids were already processed', async () => {
    const first = await newDeal({ sale_price: 9_000 });
    const second = await newDeal({ sale_price: 9_000 });
    await matchAll();
    await watch('/deals?max=50');
    const released = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const late = database.db.transaction().execute(async (tx) => {
      await tx.updateTable('deals').set({ sale_price: 4_000 }).where('id', '=', first.id).execute();
      written.resolve();
      await released.promise;
    });
    try {
      await written.promise;
      await setPrice(second.id, 4_000);
      expect(await matchOnce(database.db)).toBe(0);
      expect(await matchOnce(database.db)).toBe(0);
    } finally {
      released.resolve();
    }
    await late;
    await matchAll();
    expect(await found()).toEqual([first.id, second.id]);
  });

  test('does not find a deal twice with two parallel queries', async () => {
    await watch('/deals');
    await newDeal();
    await Promise.all([matchOnce(database.db), matchOnce(database.db), matchOnce(database.db)]);
    await matchAll();
    expect(await found()).toHaveLength(1);
    expect(await listWatchedSearches(database.db, owner)).toMatchObject([{ unseen: 1 }]);
  });
});

describe('the email', () => {
  const run = async () => {
    await matchAll();
    await notifyOfSearches(testServices(database));
  };
  const hoursPass = (hours: number) =>
    sql`update watched_searches set next_mail_at = next_mail_at - make_interval(hours => ${hours})`.execute(
      database.db,
    );

  test('lists everything new once in one email, with evidence from our price log', async () => {
    await watch('/deals?search=lamp&max=60');
    await newDeal();
    await newDeal({ title: 'Copper lamp' });
    await run();
    const [mail, ...more] = await outbox();
    expect(more).toEqual([]);
    const written = await write(mail);
    expect(written?.subject).toBe('2 new deals: “lamp”, Up to $60');
    for (const words of ['Brass lamp', 'Copper lamp', '$50.00', 'Price log: No history yet']) {
      expect(written?.text).toContain(words);
    }
    expect(written?.text).toContain('https://deals.test/deals?search=lamp&max=60');
    expect(written?.unsubscribePath).toMatch(/^\/stop-mails\/one-click\?token=v1\.search\./);
    await hoursPass(2);
    await run();
    expect(await outbox()).toHaveLength(1);
    // Within an hour of the last email, news is only collected.
    await newDeal({ title: 'Steel lamp' });
    await hoursPass(-2);
    await run();
    expect(await outbox()).toHaveLength(1);
    await newDeal({ title: 'Glass lamp' });
    await hoursPass(3);
    await run();
    expect(await outbox()).toHaveLength(2);
    const second = await write((await outbox())[1]);
    expect(second?.text).toContain('Steel lamp');
    expect(second?.text).not.toContain('Brass lamp');
  });

  test('sends a search’s email once a day or a week if chosen', async () => {
    await watch('/deals', 'daily');
    await newDeal();
    await run();
    await newDeal();
    await hoursPass(23);
    await run();
    expect(await outbox()).toHaveLength(1);
    await hoursPass(1);
    await run();
    expect(await outbox()).toHaveLength(2);
  });

  test('leaves expired and more expensive deals out of an email, and cancels an empty email', async () => {
    await watch('/deals?max=60');
    const gone = await newDeal();
    const dear = await newDeal();
    await newDeal({ title: 'Copper lamp' });
    await run();
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', gone.id)
      .execute();
    await setPrice(dear.id, 7_000);
    const [mail] = await outbox();
    expect((await write(mail))?.subject).toBe('1 new deal: All deals, Up to $60');
    await database.db.updateTable('deals').set({ sale_price: 9_000 }).execute();
    expect(await write(mail)).toBeNull();
  });

  test('sends at most ten emails a day, and the others the next day', async () => {
    for (let n = 0; n < 12; n++) await watch(`/deals?max=${60 + n}`);
    await newDeal();
    await run();
    expect(await outbox()).toHaveLength(10);
    await run();
    expect(await outbox()).toHaveLength(10);
    await sql`update alert_mail_days set day = day - 1`.execute(database.db);
    await hoursPass(24);
    await run();
    expect(await outbox()).toHaveLength(12);
  });

  test('sends no email to unverified or suspended users, nor for a stopped search', async () => {
    const { db } = database;
    await watch('/deals');
    await newDeal();
    await db.updateTable('users').set({ email_verified: false }).execute();
    await run();
    await db
      .updateTable('users')
      .set({ email_verified: true, suspended_at: new Date(), suspended_for: 'x' })
      .execute();
    await run();
    expect(await outbox()).toEqual([]);
    await db.updateTable('users').set({ suspended_at: null, suspended_for: null }).execute();
    await run();
    const [mail] = await outbox();
    const id = String((await listWatchedSearches(db, owner))[0]?.id);
    await stopByMail(db, { what: 'search', id });
    expect(await write(mail)).toBeNull();
    await newDeal();
    await run();
    expect(await outbox()).toHaveLength(1);
  });
});

describe('a push message', () => {
  const addBrowser = async (userId: string) => {
    const { keys } = pushReceiver();
    const endpoint = `https://push.example/${userId}`;
    await saveSubscription(database.db, userId, { endpoint, ...keys }, 'Firefox/128 Linux');
  };
  const queued = () => database.db.selectFrom('push_outbox').selectAll().orderBy('id').execute();
  const says = async () => {
    const [push] = (await queued()).slice(-1);
    if (!push) throw new Error('no push');
    return pushes[push.kind](database.db, push, 'USD');
  };
  const run = async () => {
    await matchAll();
    await notifyOfSearches(testServices(database));
  };

  test('pushes what is new to the owner’s browsers with each email', async () => {
    await addBrowser(owner.userId);
    await addBrowser((await insertUser(database.db)).id);
    await watch('/deals?search=lamp&max=60');
    const first = await newDeal();
    await newDeal({ title: 'Copper lamp' });
    await run();
    await newDeal({ title: 'Steel lamp' });
    await run(); // sends neither email nor push within an hour
    const [push, ...more] = await queued();
    expect(more).toEqual([]);
    expect(push).toMatchObject({ kind: 'search-news', event_id: null, state: 'queued' });
    expect(await says()).toEqual({
      title: '2 new deals: “lamp”, Up to $60',
      body: '$50.00: Copper lamp, and 1 more',
      path: '/deals?search=lamp&max=60',
      tag: `search-${push?.search_id}`,
    });
    await database.db.updateTable('deals').set({ sale_price: 9_000 }).execute();
    await setPrice(first.id, 5_500);
    expect(await says()).toMatchObject({ body: '$55.00: Brass lamp' });
  });

  test('R09: cancels a push message when everything expired or the search was stopped', async () => {
    await addBrowser(owner.userId);
    await watch('/deals');
    const deal = await newDeal();
    await run();
    const [search] = await listWatchedSearches(database.db, owner);
    await stopByMail(database.db, { what: 'search', id: String(search?.id) });
    expect(await says()).toBeNull();
    await changeWatchedSearch(database.db, owner, search?.id ?? 0, { is_active: true });
    expect(await says()).toMatchObject({ title: '1 new deal: All deals' });
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', deal.id)
      .execute();
    expect(await says()).toBeNull();
    await deleteWatchedSearch(database.db, owner, search?.id ?? 0);
    expect(await queued()).toEqual([]);
  });
});

test('R03: treats another user’s search as missing', async () => {
  await watch('/deals');
  const stranger = { userId: (await insertUser(database.db)).id };
  const id = (await listWatchedSearches(database.db, owner))[0]?.id ?? 0;
  expect(await changeWatchedSearch(database.db, stranger, id, { is_active: false })).toBe(false);
  expect(await markSeen(database.db, stranger, id)).toBeNull();
  expect(await deleteWatchedSearch(database.db, stranger, id)).toBe(false);
  expect(await listWatchedSearches(database.db, owner)).toMatchObject([{ is_active: true }]);
});

test('counts the deals of a watched search since the last visit', async () => {
  await watch('/deals?search=lamp');
  await newDeal();
  await matchAll();
  const [search] = await listWatchedSearches(database.db, owner);
  expect(search?.unseen).toBe(1);
  expect(await markSeen(database.db, owner, search?.id ?? 0)).toBe('/deals?search=lamp');
  expect((await listWatchedSearches(database.db, owner))[0]?.unseen).toBe(0);
  const now = new Date('2026-11-24T10:00:00Z');
  const since = (day: string) => newSince({ unseen: 12, seen_at: new Date(day) }, now, 'UTC');
  expect(since('2026-11-24T01:00:00Z')).toBe('12 new since earlier today');
  expect(since('2026-11-19T12:00:00Z')).toBe('12 new since Thursday');
  expect(since('2026-11-01T12:00:00Z')).toBe('12 new since Nov 1, 2026');
});

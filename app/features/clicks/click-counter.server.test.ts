import { describe, expect, test } from 'vitest';
import { changeDeals, undoDeletion } from '#app/features/deals/change-deals.server.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { isProgram } from '#app/platform/is-visit.ts';
import { ClickCounter, type Follower } from './click-counter.server.ts';
import { mostDealsOfOne } from './recent-visits.server.ts';
import { addClicks, countClicksAnew, findOutDeal } from './click-queries.server.ts';

const database = useTestDatabase();
const errors: unknown[] = [];
const aCounter = () => new ClickCounter(database.db, (error) => errors.push(error));
const readClicks = () =>
  database.db
    .selectFrom('clicks')
    .select(['deal_id', 'day', 'count'])
    .orderBy('deal_id')
    .orderBy('day')
    .execute();
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
let people = 0;
/** Creates a visitor that no test has used yet. */
const somebody = (): Follower => ({ address: `198.51.100.${++people}`, userAgent });
const noon = new Date('2026-11-20T12:00:00Z');
const dayAfter = new Date('2026-11-21T00:00:00Z');

test('adds up clicks by deal and day over several flushes', async () => {
  const deal = await insertDeal(database.db);
  const counter = aCounter();
  counter.count(somebody(), deal.id, noon);
  counter.count(somebody(), deal.id, noon);
  counter.count(somebody(), deal.id, dayAfter);
  expect(await readClicks()).toEqual([]);
  await counter.flush();
  counter.count(somebody(), deal.id, noon);
  await counter.flush();
  expect(await readClicks()).toEqual([
    { deal_id: deal.id, day: '2026-11-20', count: 3 },
    { deal_id: deal.id, day: '2026-11-21', count: 1 },
  ]);
});

test('drops clicks on a deal deleted meanwhile, and keeps the others', async () => {
  const deal = await insertDeal(database.db);
  const counter = aCounter();
  counter.count(somebody(), deal.id + 1, noon);
  counter.count(somebody(), deal.id, noon);
  await counter.flush();
  expect(await readClicks()).toEqual([{ deal_id: deal.id, day: '2026-11-20', count: 1 }]);
});

test('keeps clicks that cannot be written for the next flush', async () => {
  const deal = await insertDeal(database.db);
  const counter = aCounter();
  counter.count(somebody(), deal.id, noon);
  await database.pool.query('alter table clicks rename to away');
  await counter.flush();
  await database.pool.query('alter table away rename to clicks');
  expect(errors).toHaveLength(1);
  await counter.flush();
  expect(await readClicks()).toEqual([{ deal_id: deal.id, day: '2026-11-20', count: 1 }]);
});

test('detects bots by their user agent', () => {
  expect(isProgram(null)).toBe(true);
  expect(isProgram('Googlebot/2.1 (+http://www.google.com/bot.html)')).toBe(true);
  expect(isProgram('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
    false,
  );
});

test('redirects to the store while a deal is active, and reports when it has expired', async () => {
  const merchant = await insertMerchant(database.db, {
    affiliate_template: '?tag=a',
    affiliate_sub_id: 's',
  });
  const deal = await insertDeal(database.db, { merchant_id: merchant.id });
  const past = await insertDeal(database.db, { expires_at: new Date(Date.now() - 1_000) });
  const hidden = await insertDeal(database.db, { is_active: false });
  expect(await findOutDeal(database.db, deal.id)).toEqual({
    id: deal.id,
    slug: deal.slug,
    deal_url: deal.deal_url,
    is_expired: false,
    affiliate_template: '?tag=a',
    affiliate_sub_id: 's',
    sub_id_network: 'auto',
  });
  expect((await findOutDeal(database.db, past.id))?.is_expired).toBe(true);
  expect(await findOutDeal(database.db, hidden.id)).toBeNull();
  expect(await findOutDeal(database.db, 999)).toBeNull();
});

describe('a click', () => {
  const minutesLater = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

  test('counts one click in half an hour per person and deal', async () => {
    const [deal, other] = [await insertDeal(database.db), await insertDeal(database.db)];
    const [counter, one] = [aCounter(), somebody()];
    for (const minutes of [0, 1, 29]) counter.count(one, deal.id, minutesLater(minutes));
    counter.count(one, other.id, minutesLater(29));
    counter.count(one, deal.id, minutesLater(30));
    counter.count({ ...one, userAgent: `${userAgent} Other/1` }, deal.id, minutesLater(30));
    counter.count(somebody(), deal.id, minutesLater(30));
    await counter.flush();
    expect((await readClicks()).map(({ count }) => count)).toEqual([4, 1]);
  });

  test('counts clicks of one IPv6 network as one person’s', async () => {
    const deal = await insertDeal(database.db);
    const counter = aCounter();
    counter.count({ address: '2001:db8:1:2::3', userAgent }, deal.id, noon);
    counter.count({ address: '2001:db8:1:2:aaaa::9', userAgent }, deal.id, noon);
    counter.count({ address: '2001:db8:1:3::3', userAgent }, deal.id, noon);
    await counter.flush();
    expect((await readClicks()).map(({ count }) => count)).toEqual([2]);
  });

  test('does not count clicks of bots, or of visitors who follow more links than anyone could read', async () => {
    const ids = [];
    for (let n = 0; n <= mostDealsOfOne; n++) ids.push((await insertDeal(database.db)).id);
    const [counter, one] = [aCounter(), somebody()];
    for (const id of ids) counter.count({ ...one, userAgent: 'curl/8.0' }, id, noon);
    for (const id of ids) counter.count({ ...one, userAgent: null }, id, noon);
    for (const id of ids) counter.count(one, id, noon);
    await counter.flush();
    expect(await readClicks()).toHaveLength(mostDealsOfOne);
    counter.count(one, ids.at(-1) ?? 0, minutesLater(30));
    await counter.flush();
    expect(await readClicks()).toHaveLength(mostDealsOfOne + 1);
  });
});

describe('the counts of lists and charts', () => {
  const dayBefore = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const recent = async () =>
    database.db.selectFrom('recent_clicks').selectAll().orderBy('deal_id').execute();
  const ofPlaces = async (kind: 'site' | 'category' | 'merchant' | 'feed') =>
    (
      await database.db
        .selectFrom('click_days')
        .select(['place_id', 'count'])
        .where('kind', '=', kind)
        .orderBy('place_id')
        .orderBy('day')
        .execute()
    ).map(({ place_id, count }) => [place_id, count]);

  test('stores each click for the scope of its deal at that time', async () => {
    const { db } = database;
    const one = await insertDeal(db);
    const other = await insertDeal(db);
    await addClicks(db, [
      { dealId: one.id, day: dayBefore(0), count: 2 },
      { dealId: one.id, day: dayBefore(29), count: 3 },
      { dealId: one.id, day: dayBefore(30), count: 50 },
      { dealId: other.id, day: dayBefore(30), count: 4 },
    ]);
    expect(await recent()).toEqual([{ deal_id: one.id, count: 5 }]);
    const category_id = (await insertCategory(db)).id;
    await db.updateTable('deals').set({ category_id }).where('id', '=', one.id).execute();
    await addClicks(db, [{ dealId: one.id, day: dayBefore(0), count: 1 }]);
    expect(await recent()).toEqual([{ deal_id: one.id, count: 6 }]);
    expect(await ofPlaces('site')).toEqual([
      [0, 54],
      [0, 3],
      [0, 3],
    ]);
    expect(await ofPlaces('category')).toContainEqual([category_id, 1]);
    expect(await ofPlaces('merchant')).toContainEqual([other.merchant_id, 4]);
    expect(await ofPlaces('feed')).toEqual(await ofPlaces('site'));
  });

  test('drops days older than thirty days from click counts', async () => {
    const { db } = database;
    const deals = [await insertDeal(db), await insertDeal(db), await insertDeal(db)];
    const [gone, less, same] = deals.map(({ id }) => id);
    await addClicks(
      db,
      [gone, less, less, same].map((dealId, n) => ({
        dealId: dealId ?? 0,
        day: dayBefore(n === 2 ? 1 : n === 3 ? 0 : 29),
        count: 7,
      })),
    );
    await database.pool.query(`update clicks set day = day - 1 where day = '${dayBefore(29)}'`);
    await countClicksAnew(db, undefined, 1);
    expect(await recent()).toEqual([
      { deal_id: less, count: 7 },
      { deal_id: same, count: 7 },
    ]);
  });

  test('restores clicks with a deal whose deletion is undone, without changing past days', async () => {
    const { db } = database;
    const { id } = await insertDeal(db);
    await addClicks(db, [{ dealId: id, day: dayBefore(1), count: 3 }]);
    const done = await changeDeals(
      db,
      { actor: 'a', verb: 'delete', categoryId: null },
      { ids: [id] },
    );
    if (!done.ok || done.state !== 'done') throw new Error('not deleted');
    expect(await recent()).toEqual([]);
    expect(await ofPlaces('site')).toEqual([[0, 3]]);
    await undoDeletion(db, { actor: 'a', batch: done.batch });
    expect(await recent()).toEqual([{ deal_id: id, count: 3 }]);
    expect(await ofPlaces('site')).toEqual([[0, 3]]);
  });
});

import { describe, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { testOrigin } from '#test/origin.ts';
import { readCalendar } from '#test/read-calendar.ts';
import { testSite } from '#test/site.ts';
import { strictlyParse } from '#test/strictly-parse.ts';

const database = useTestDatabase();
const site = testSite(database);
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);

interface JsonFeed {
  title: string;
  description: string;
  home_page_url: string;
  hubs?: unknown;
  items: { id: string; url: string; title: string; content_html: string; date_published: string }[];
}

async function readJson(path: string): Promise<JsonFeed> {
  const response = await site.request(path);
  expect(response.status).toBe(200);
  const feed: JsonFeed = await response.json();
  return feed;
}

const titles = async (path: string) => (await readJson(path)).items.map(({ title }) => title);
const change = (id: number, values: Record<string, unknown>) =>
  database.db.updateTable('deals').set(values).where('id', '=', id).execute();

const dropIds = async () =>
  (await readJson('/feeds/price-drops.json')).items.map((item) => item.id);
const utcDay = (daysAgo: number) =>
  inHours(-24 * daysAgo)
    .toISOString()
    .slice(0, 10);

/** Inserts a deal that fell from 50 to 40 dollars this many days ago. */
const plantDrop = (daysAgo: number, overrides: Parameters<typeof plantDeal>[2] = {}) =>
  plantDeal(
    database.db,
    [
      { daysAgo: 60, price: 5_000 },
      { daysAgo, price: 4_000 },
    ],
    overrides,
  );

describe('the feed of price drops', () => {
  test('lists deals whose price fell within a week, the latest drop first', async () => {
    await plantDrop(3, { title: 'Earlier' });
    await plantDrop(1, { title: 'Later' });
    await plantDrop(20, { title: 'Long ago' });
    await plantDrop(1, { title: 'Expired', expires_at: inHours(-1) });
    await plantDeal(database.db, [{ daysAgo: 60, price: 4_000 }], { title: 'Steady' });
    await plantDeal(
      database.db,
      [
        { daysAgo: 60, price: 4_000 },
        { daysAgo: 1, price: 5_000 },
      ],
      { title: 'Rose' },
    );
    const feed = await readJson('/feeds/price-drops.json');
    expect(feed.items.map(({ title }) => title)).toEqual(['Later: $40.00', 'Earlier: $40.00']);
    expect(feed).toMatchObject({
      title: 'Price drops – Deal Hub',
      home_page_url: `${testOrigin}/deals?evidence=fell`,
    });
    const { texts } = strictlyParse((await site.page('/feeds/price-drops.xml')).html);
    expect(texts('item title')).toEqual(['Later: $40.00', 'Earlier: $40.00']);
    expect(texts('channel > description')[0]).toContain('We may earn a commission');
  });

  test('shows a further drop as a new entry, and the same price never twice', async () => {
    const id = await plantDrop(1, { title: 'Lamp' });
    const [day, today] = [utcDay(1), utcDay(0)];
    expect(await dropIds()).toEqual([`${testOrigin}/deals/${id}#price-4000-USD-${day}`]);
    await change(id, { sale_price: 3_500, price_source: 'admin' });
    expect(await dropIds()).toEqual([`${testOrigin}/deals/${id}#price-3500-USD-${today}`]);
    await change(id, { sale_price: 4_000, price_source: 'admin' });
    expect(await dropIds()).toEqual([]);
  });

  test('shows a second drop to the same price on another day as a new entry', async () => {
    const id = await plantDrop(3);
    const [first] = await dropIds();
    await change(id, { sale_price: 5_000, price_source: 'admin' });
    await change(id, { sale_price: 4_000, price_source: 'admin' });
    expect(await dropIds()).toEqual([first?.replace(utcDay(3), utcDay(0))]);
  });

  test('omits stores that forbid price history, and prices that must be hidden now', async () => {
    const forbids = await insertMerchant(database.db, { keep_history: false });
    const hides = await insertMerchant(database.db, { hide_price_after_hours: 1 });
    await plantDrop(1, { merchant_id: forbids.id });
    await plantDrop(1, { merchant_id: hides.id, price_checked_at: inHours(-5) });
    expect(await titles('/feeds/price-drops.json')).toEqual([]);
  });

  test('filters price drops by category and store, but not by a search', async () => {
    const audio = await insertCategory(database.db, { name: 'Audio', slug: 'audio' });
    const shop = await insertMerchant(database.db, { name: 'Shop', slug: 'shop' });
    await plantDrop(1, { title: 'A', category_id: audio.id, merchant_id: shop.id });
    await plantDrop(2, { title: 'B', merchant_id: shop.id });
    await plantDrop(3, { title: 'C' });
    expect(await titles('/feeds/price-drops.json?category=audio')).toEqual(['A: $40.00']);
    const ofShop = await readJson('/feeds/price-drops.json?merchant=shop');
    expect(ofShop.title).toBe('Price drops from Shop – Deal Hub');
    expect(ofShop.home_page_url).toBe(`${testOrigin}/merchants/shop?evidence=fell`);
    expect(ofShop.items.map(({ title }) => title)).toEqual(['A: $40.00', 'B: $40.00']);
    expect((await site.request('/feeds/price-drops.xml?search=lamp')).status).toBe(400);
    expect((await site.request('/feeds/price-drops.ics')).status).toBe(404);
  });

  test('names the hub in the feed of price drops, and not in one of ending deals', async () => {
    await writeSiteSetting(database.db, 'webSubHub', 'https://hub.deals.dev/', 'test');
    expect((await readJson('/feeds/price-drops.json')).hubs).toHaveLength(1);
    expect((await readJson('/feeds/price-drops.json?category=')).hubs).toHaveLength(1);
    expect((await readJson('/feeds/ending-soon.json')).hubs).toBeUndefined();
  });

  test('returns 304 for price drops until a price falls', async () => {
    const id = await plantDrop(1);
    const first = await site.request('/feeds/price-drops.xml');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const ask = async () => (await site.request('/feeds/price-drops.xml', { headers })).status;
    expect(await ask()).toBe(304);
    await change(id, { sale_price: 3_000, price_source: 'admin' });
    expect(await ask()).toBe(200);
  });
});

describe('the feed of deals that end soon', () => {
  test('lists live deals that end within 72 hours, the first to end first', async () => {
    const { id } = await insertDeal(database.db, { title: 'Second', expires_at: inHours(50) });
    await insertDeal(database.db, { title: 'First', expires_at: inHours(5) });
    await insertDeal(database.db, { title: 'Far', expires_at: inHours(80) });
    await insertDeal(database.db, { title: 'Over', expires_at: inHours(-1) });
    await insertDeal(database.db, { title: 'Endless' });
    const { items, home_page_url } = await readJson('/feeds/ending-soon.json');
    expect(items.map(({ title }) => title.split(': ends ')[0])).toEqual(['First', 'Second']);
    expect(items[1]?.id).toMatch(new RegExp(`/deals/${id}#ends-20\\d\\d-`));
    expect(items[0]?.content_html).toContain('<p>Ends ');
    expect(Date.parse(items[0]?.date_published ?? '')).toBeLessThan(Date.now());
    expect(home_page_url).toBe(`${testOrigin}/deals?type=expiring`);
    strictlyParse((await site.page('/feeds/ending-soon.xml')).html);
  });

  test('lists at most fifty ending deals, and states the limit in its description', async () => {
    const { id: category_id } = await insertCategory(database.db);
    const { id: merchant_id } = await insertMerchant(database.db);
    for (let n = 0; n < 51; n++)
      await insertDeal(database.db, { category_id, merchant_id, expires_at: inHours(n + 1) });
    const { items, description } = await readJson('/feeds/ending-soon.json');
    expect(items).toHaveLength(50);
    expect(description).toContain('The next 50 deals to end within 72 hours');
  });
});

describe('the calendar of deals that end soon', () => {
  const readEvents = async (query = '') => {
    const response = await site.request(`/feeds/ending-soon.ics${query}`);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    return readCalendar(await response.text()).events;
  };

  test('moves a deal’s event when its end changes, and removes it when the end is removed', async () => {
    const { id, version } = await insertDeal(database.db, {
      title: 'A, b',
      expires_at: inHours(9),
    });
    const [before] = await readEvents();
    expect(before).toMatchObject({ SUMMARY: 'Ends: A\\, b', SEQUENCE: String(version) });
    expect(before?.DESCRIPTION).toContain('We may earn a commission');
    await change(id, { expires_at: inHours(20), version: version + 1, updated_at: inHours(1) });
    const [after, ...more] = await readEvents();
    expect(more).toEqual([]);
    expect(after).toMatchObject({ UID: before?.UID, SEQUENCE: String(version + 1) });
    expect(String(after?.DTEND) > String(before?.DTEND)).toBe(true);
    expect(String(after?.DTSTAMP) > String(before?.DTSTAMP)).toBe(true);
    await change(id, { expires_at: null });
    expect(await readEvents()).toEqual([]);
  });

  test('filters the calendar by store, and omits a price that must be hidden now', async () => {
    const shop = await insertMerchant(database.db, { slug: 'shop', hide_price_after_hours: 1 });
    const ends = { expires_at: inHours(9), sale_price: 1_234 };
    await insertDeal(database.db, { ...ends, merchant_id: shop.id, price_checked_at: inHours(-5) });
    await insertDeal(database.db, ends);
    expect(await readEvents()).toHaveLength(2);
    const [event, ...more] = await readEvents('?merchant=shop');
    expect(more).toEqual([]);
    expect(event?.DESCRIPTION).toContain('See price at store');
    expect(event?.DESCRIPTION).not.toContain('12.34');
  });

  test('returns 304 for an unchanged calendar', async () => {
    await insertDeal(database.db, { expires_at: inHours(9) });
    const first = await site.request('/feeds/ending-soon.ics');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await site.request('/feeds/ending-soon.ics', { headers })).status).toBe(304);
  });
});

import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { insertDeal, insertDeals, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { planList } from './plan-list.server.ts';
import { readList } from './read-listed-lines.server.ts';
import { parseWanted, undoListImport, addList, writeWanted } from './add-list.server.ts';

const database = useTestDatabase();
let userId: string;
beforeEach(async () => {
  ({ id: userId } = await insertUser(database.db));
});

const plan = async (text: string) => {
  const list = await readList(Buffer.from(text));
  if (!list.ok) throw new Error(list.message);
  return planList(database.db, list.lines, { userId, currency: 'USD', origin: testOrigin });
};
const take = async (text: string) => {
  const wanted = parseWanted(writeWanted(await plan(text))) ?? [];
  return addList(database.db, userId, wanted, 'USD');
};
const favorites = () =>
  database.db.selectFrom('user_favorites').selectAll().orderBy('id').execute();
const alerts = () => database.db.selectFrom('price_alerts').selectAll().orderBy('id').execute();

test('finds deals by link, ASIN, GTIN and exact words, and shows which of these matched', async () => {
  const { db } = database;
  const amazon = await insertMerchant(db, { website_url: 'https://www.amazon.de/' });
  const other = await insertMerchant(db, { website_url: 'https://www.amazon.com' });
  const link = await insertDeal(db, { deal_url: 'https://shop.example/lamp?ref=1' });
  const asin = await insertDeal(db, { merchant_id: amazon.id, external_id: 'B0ABCDEFG1' });
  const short = await insertDeal(db, {
    merchant_id: other.id,
    deal_url: 'https://www.amazon.com/dp/B0ABCDEFG2?tag=x',
  });
  const gtin = await insertDeal(db, { gtin: '4006381333931' });
  const words = await insertDeal(db, { title: 'Lighthouse clock Zanzibar' });
  const { found, unknown, unread } = await plan(
    [
      'title,link,asin,ean',
      ',https://www.shop.example/lamp,,',
      ',https://www.amazon.de/Some-Lamp/dp/B0ABCDEFG1/ref=x,,',
      ',,B0ABCDEFG2,',
      ',https://www.amazon.de/dp/B0ABCDEFG2,,',
      ',,,4006381333931',
      'Lighthouse clock Zanzibar,,,',
      'Unheard-of thing,,,',
      `,${testOrigin}/deals/x,,`,
      ',x,,',
    ].join('\n'),
  );
  expect(found.map(({ line, deal, match }) => [line, deal.id, match])).toEqual([
    [2, link.id, 'matched by link'],
    [3, asin.id, 'matched by ASIN'],
    [4, short.id, 'matched by ASIN'],
    [6, gtin.id, 'matched by product number (GTIN)'],
    [7, words.id, 'matched by name only, so check that it is the same product'],
  ]);
  expect(unknown.map(({ line, why }) => [line, why])).toEqual([
    [5, 'no matching deal'],
    [8, 'no matching deal'],
  ]);
  expect(unread.map(({ line, why }) => [line, why])).toEqual([
    [10, 'not a link'],
    [9, expect.stringContaining('an address of this site')],
  ]);
});

test('stores nothing when previewing a list, adds the list once, and undoes only what was added', async () => {
  const { db } = database;
  const [one, two, three] = await insertDeals(db, 3);
  const text = (await db.selectFrom('deals').select(['id', 'slug']).orderBy('id').execute())
    .map(({ slug }) => `https://shop.example/${slug}`)
    .join(' 40\n');
  await sql`update deals set deal_url = 'https://shop.example/' || slug`.execute(db);
  await addList(db, userId, [{ dealId: one ?? 0, target: 3_000 }], 'USD');
  const before = [await favorites(), await alerts()];
  expect(await plan(text)).toMatchObject({ favorites: 2, alerts: 1 });
  expect([await favorites(), await alerts()]).toEqual(before);
  const added = await take(text);
  expect([added.favorites.length, added.alerts.length, added.fired]).toEqual([2, 1, 0]);
  const after = [await favorites(), await alerts()];
  expect((await favorites()).map(({ deal_id }) => deal_id)).toEqual([one, two, three]);
  expect((await favorites())[1]?.kept_price).toBe(5_000);
  expect(await alerts()).toMatchObject([
    { deal_id: one, target_price: 3_000 },
    { deal_id: two, kind: 'target', target_price: 4_000, repeats: false },
  ]);
  expect(await plan(text)).toMatchObject({ favorites: 0, alerts: 0 });
  const again = await addList(db, userId, [{ dealId: two ?? 0, target: 1_000 }], 'USD');
  expect(again).toEqual({ favorites: [], alerts: [], fired: 0 });
  expect([await favorites(), await alerts()]).toEqual(after);
  const stranger = await insertUser(db);
  expect(await undoListImport(db, stranger.id, added)).toEqual({ favorites: 0, alerts: 0 });
  expect(await undoListImport(db, userId, added)).toEqual({ favorites: 2, alerts: 1 });
  expect([await favorites(), await alerts()]).toEqual(before);
});

test('applies the alert form’s rules, and shows why a line has no alert', async () => {
  const { db } = database;
  const quiet = await insertMerchant(db, { allow_alerts: false });
  const price = { sale_price: 5_000 };
  const deals = await Promise.all([
    insertDeal(db, { ...price, deal_url: 'https://shop.example/1' }),
    insertDeal(db, { ...price, deal_url: 'https://shop.example/2', merchant_id: quiet.id }),
  ]);
  const words = async (desired: string, at = 1) => {
    const { found } = await plan(`link\tprice\nhttps://shop.example/${at}\t${desired}`);
    return found[0]?.alert?.words;
  };
  expect(await words('45,50')).toBe('New alert at $45.50');
  expect(await words('$50')).toBe(
    'New alert at $50.00, which is already met, so you are notified right away',
  );
  expect(await words('60')).toContain('must not be above the current price of $50.00');
  expect(await words('45 €')).toBe('No alert: 45 € is not a price in USD');
  expect(await words('1.249')).toContain('could be either');
  expect(await words('cheap 5')).toBe('No alert: “cheap 5” is not a price');
  expect(await words('40', 2)).toContain('does not allow price alerts');
  expect(await words('0.00')).toBeUndefined();
  const added = await take('https://shop.example/1 50');
  expect(added).toMatchObject({ favorites: [expect.any(Number)], fired: 1 });
  expect(await words('40')).toBe('You already have a price alert for this deal');
  expect(deals).toHaveLength(2);
});

test('enforces the limits of favorites and alerts, and shows which lines exceed them', async () => {
  const { db } = database;
  const ids = await insertDeals(db, 1_101);
  await sql`update deals set deal_url = 'https://shop.example/' || slug`.execute(db);
  const deals = await db.selectFrom('deals').select('slug').orderBy('id').execute();
  const text = deals.map(({ slug }) => `https://shop.example/${slug} 40`).join('\n');
  const planned = await plan(text);
  expect(planned).toMatchObject({ favorites: 1_000, alerts: 100 });
  expect(planned.found[100]?.alert?.words).toBe('No alert: over the limit of 100 price alerts');
  expect(planned.found[1_000]?.favorite.words).toBe('Over the limit of 1,000 favorites');
  // A forged form requests more than its preview offered.
  const added = await addList(
    db,
    userId,
    ids.map((dealId) => ({ dealId, target: 4_000 })),
    'USD',
  );
  expect([added.favorites.length, added.alerts.length]).toEqual([1_000, 100]);
});

test('uses only the first line of a deal, and searches at most 300 names', async () => {
  const { db } = database;
  await insertDeal(db, { deal_url: 'https://shop.example/lamp' });
  const twice = await plan('https://shop.example/lamp 10\nhttps://shop.example/lamp 20');
  expect(twice.found.map(({ sameAs }) => sameAs)).toEqual([null, 1]);
  expect(twice.favorites).toBe(1);
  const names = Array.from({ length: 302 }, (_, n) => `Unheard-of thing ${n}`);
  const { unknown } = await plan(`title\n${names.join('\n')}`);
  expect(unknown.filter(({ why }) => why.includes('first 300'))).toHaveLength(2);
});

test.each(['x', '1:', '1:2:3', '1,,2', `${'1,'.repeat(2_000)}1`, '99999999999999999'])(
  'rejects the forged text %.20s',
  (text) => {
    expect(parseWanted(text)).toBeNull();
  },
);

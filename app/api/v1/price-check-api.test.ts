import { beforeEach, expect, test } from 'vitest';
import { ask as askDatabase } from '#database/ask.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { insertDeal, insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const gtin = '4006381333931';
const link = 'https://shop.example/p/desk-lamp';

const withLimits = (limits: string) =>
  testSite(database, {
    env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: limits }),
  });
const site = withLimits('api-address=0, price-check=0');

async function check(parameters: Record<string, string>, asked = site) {
  const response = await asked.request(`/api/v1/price-check?${new URLSearchParams(parameters)}`);
  return { status: response.status, headers: response.headers, json: await response.json() };
}

beforeEach(async () => {
  const { db } = database;
  const { id } = await insertMerchant(db, { name: 'Lamp House' });
  const lines = [
    { daysAgo: 60, price: 6300 },
    { daysAgo: 2, price: 3900 },
  ];
  await plantDeal(db, lines, {
    slug: 'lamp',
    title: 'Arched desk lamp',
    merchant_id: id,
    deal_url: link,
    gtin,
  });
  await insertDeal(db, { slug: 'barn-lamp', title: 'Lamp at the barn', sale_price: 5100, gtin });
});

test('finds a deal by link, and describes its price with the page’s text', async () => {
  const { status, json } = await check({ url: `${link}?ref=x`, price: '4500' });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    matched_by: 'link',
    matched_text: 'We know this product by its link.',
    deal: { slug: 'lamp', price: { current: { amount: 3900, currency: 'USD' } } },
    asked: {
      price: { amount: 4500, currency: 'USD' },
      verdict: '$45, usually $63: lower than on 58 of the last 60 days',
      compared: 'That is $6 more than the $39 that we have for this deal.',
    },
    others: [{ slug: 'barn-lamp' }],
    nearest: [],
  });
});

test.each([
  [{ gtin }, 'gtin'],
  [{ gtin: `0${gtin}` }, 'gtin'],
  [{ title: 'arched desk lamp' }, 'words'],
  [{ text: `Look: ${link}` }, 'link'],
  [{ url: 'https://else.example/1', title: 'arched desk lamp' }, 'words'],
])('finds a deal by %j', async (parameters, by) => {
  const { status, json } = await check(parameters);
  expect(status).toBe(200);
  expect(json).toMatchObject({ matched_by: by, deal: { slug: 'lamp' }, asked: null });
});

test('finds a deal of the GTIN’s product, not a cheaper deal that staff moved to another product', async () => {
  const { db } = database;
  const own = await insertProduct(db, { gtin });
  const other = await insertProduct(db, { slug: 'barn', gtin: '96385074' });
  const move = (slug: string, product_id: number) =>
    db
      .updateTable('deals')
      .set({ product_id, product_confirmed: true })
      .where('slug', '=', slug)
      .execute();
  await move('barn-lamp', own.id);
  await move('lamp', other.id);
  expect((await check({ gtin })).json).toMatchObject({ deal: { slug: 'barn-lamp' } });
});

test('lists deals with a hidden price last', async () => {
  const { db } = database;
  const strict = await insertMerchant(db, { hide_price_after_hours: 1 });
  const hidden = {
    sale_price: 100,
    merchant_id: strict.id,
    price_checked_at: new Date(Date.now() - 7_200_000),
    gtin,
  };
  const { id: product_id } = await insertProduct(db, { gtin });
  await insertDeal(db, { ...hidden, slug: 'hidden-lamp' });
  const slugs = async () => {
    const { json } = await check({ gtin });
    return [json.deal, ...json.others].map(({ slug }: { slug: string }) => slug);
  };
  expect(await slugs()).toEqual(['lamp', 'barn-lamp', 'hidden-lamp']);
  await db.updateTable('deals').set({ product_id }).execute();
  expect(await slugs()).toEqual(['lamp', 'barn-lamp', 'hidden-lamp']);
});

test('compares a price only if it is in the site’s currency', async () => {
  const inDollars = await check({ url: link, price: '4500', currency: 'USD' });
  expect(inDollars.json).toMatchObject({ asked: { price: { amount: 4500, currency: 'USD' } } });
  const inEuros = await check({ url: link, price: '4500', currency: 'EUR' });
  expect(inEuros.json).toMatchObject({ matched_by: 'link', deal: { slug: 'lamp' }, asked: null });
});

test.each<Record<string, string>>([{}, { price: '4500', currency: 'EUR' }, { price: '4500' }])(
  'reports that a store does not allow price tracking when requested with %j',
  async (parameters) => {
    await database.db
      .updateTable('merchants')
      .set({ keep_history: false })
      .where('name', '=', 'Lamp House')
      .execute();
    const { json } = await check({ url: link, ...parameters });
    expect(json.deal.price.standing_text).toBe('This store does not let us track its prices');
    expect(json.asked?.verdict ?? '').toMatch(/^$|: this store does not let us track its prices$/);
    expect(JSON.stringify(json.deal)).not.toContain('No history yet');
  },
);

test('responds to an unknown product with 200 and similar deals', async () => {
  const { status, json } = await check({ title: 'arched desk zorkmid', price: '100' });
  expect(status).toBe(200);
  expect(json).toMatchObject({ matched_by: null, deal: null, asked: null });
  expect(json).toMatchObject({ nearest: [{ slug: 'lamp' }] });
});

test.each([
  [{}, 'url'],
  [{ price: '4500' }, 'url'],
  [{ url: 'javascript:alert(1)' }, 'url'],
  [{ url: `${testOrigin}/deals/lamp` }, 'url'],
  [{ url: link, price: '45.00' }, 'price'],
  [{ url: link, price: '0' }, 'price'],
  [{ url: link, price: '4500', currency: 'usd' }, 'currency'],
  [{ url: link, zorkmid: '1' }, 'zorkmid'],
])('refuses %j with a problem that names the parameter', async (parameters, parameter) => {
  const { status, headers, json } = await check(parameters);
  expect(status).toBe(422);
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(json).toMatchObject({ errors: [{ parameter }] });
});

test.each([
  ['4006381333932', 'Not a valid GTIN: its check digit is wrong.'],
  ['12', 'Not a valid GTIN: it does not have 8, 12, 13 or 14 digits.'],
  ['', 'Not a valid GTIN: it does not have 8, 12, 13 or 14 digits.'],
  ['zorkmid', 'Not a valid GTIN: it does not have 8, 12, 13 or 14 digits.'],
  ['2012345678903', 'Not a valid GTIN: it is a code for internal use or coupons.'],
])('explains why it refuses the GTIN “%s”', async (refused, detail) => {
  const { status, json } = await check({ gtin: refused });
  expect(status).toBe(422);
  expect(json).toMatchObject({ errors: [{ parameter: 'gtin', detail }] });
});

test('stores nothing, and forbids caching of the response', async () => {
  const counts = () =>
    askDatabase(database.db).rows`
      select (select count(*) from missed_searches) as missed, (select count(*) from audit_log) as audit,
             (select count(*) from missed_paths) as paths, (select count(*) from rate_limits) as limits`;
  const before = await counts();
  const { headers } = await check({ url: 'https://private.example/p/zorkmid-77' });
  expect(await counts()).toEqual(before);
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('etag')).toBeNull();
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test('shares the limit of the page among callers without a key', async () => {
  const limited = withLimits('api-address=0, price-check=2/60');
  expect((await check({ gtin }, limited)).status).toBe(200);
  expect((await check({ gtin }, limited)).status).toBe(200);
  const third = await check({ gtin }, limited);
  expect(third.status).toBe(429);
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('hides a price in the price check if its store wants it hidden', async () => {
  await askDatabase(database.db).rows`update merchants set hide_price_after_hours = 1`;
  await askDatabase(database.db)
    .rows`update deals set price_checked_at = now() - interval '2 days'`;
  const { json } = await check({ url: link, price: '4500' });
  expect(json).toMatchObject({ deal: { price: null }, asked: { verdict: null } });
  expect(JSON.stringify(json)).not.toMatch(/3900|\$39/);
});

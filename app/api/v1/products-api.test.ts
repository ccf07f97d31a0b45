import { beforeEach, expect, test } from 'vitest';
import { insertDeal, insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import type { ParsedJson } from '#test/parsed-json.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

const ask = async (path: string): Promise<{ status: number; json: ParsedJson }> => {
  const response = await site.request(`/api/v1${path}`);
  return { status: response.status, json: await response.json() };
};

let product: Awaited<ReturnType<typeof insertProduct>>;

/** Adds an offer of the product at a store of its own. */
async function addOffer(slug: string, sale_price: number, store: object, deal: object = {}) {
  const { id: merchant_id } = await insertMerchant(database.db, {
    name: `Store ${slug}`,
    ...store,
  });
  const { id: product_id, gtin } = product;
  const facts = { slug, sale_price, merchant_id, product_id, gtin, status: 'new' as const };
  return insertDeal(database.db, { ...facts, condition: null, ...deal });
}

beforeEach(async () => {
  product = await insertProduct(database.db);
  await addOffer('dear', 9_000, { standard_shipping: 500 });
  await addOffer('cheap', 8_000, { standard_shipping: 500 });
  await addOffer('unstated', 7_000, {});
});

test('returns a deal’s product with the lowest total of the other stores', async () => {
  const { json } = await ask('/deals/dear');
  expect(json.product).toEqual({
    slug: 'pen',
    url: `${testOrigin}/products/pen`,
    other_stores: 2,
    from: { amount: 8_500, currency: 'USD' },
    includes_shipping: true,
    text: 'Also at 2 other stores, from $85.00 incl. shipping',
  });
  const cheap = await ask('/deals/cheap');
  expect(cheap.json.product).toMatchObject({ other_stores: 2, from: { amount: 9_500 } });
});

test('returns the products of deals in lists and searches, and null for other deals', async () => {
  await insertDeal(database.db, { slug: 'alone' });
  for (const path of ['/deals', '/deals?after=0']) {
    const { json } = await ask(path);
    const products: [string, number | undefined][] = json.data.map(
      (deal: ParsedJson) => [deal.slug, deal.product?.other_stores] as const,
    );
    expect(new Map(products).get('dear')).toBe(2);
    expect(new Map(products).get('alone')).toBeUndefined();
  }
});

test('does not return a product whose other offers are expired, hidden, or of another class', async () => {
  await database.db
    .updateTable('deals')
    .set({ is_active: false })
    .where('slug', '=', 'cheap')
    .execute();
  await database.db
    .updateTable('deals')
    .set({ status: 'used' })
    .where('slug', '=', 'unstated')
    .execute();
  expect((await ask('/deals/dear')).json.product).toBeNull();
});

test('compares a product’s offers in three lists with totals, and returns its lowest price ever', async () => {
  await addOffer('sold-out', 5_000, { standard_shipping: 0 }, { availability: 'out_of_stock' });
  await addOffer(
    'hidden',
    4_321,
    { hide_price_after_hours: 1 },
    {
      price_checked_at: new Date(Date.now() - 7_200_000),
    },
  );
  const { status, json } = await ask('/products/pen');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    slug: 'pen',
    gtin: product.gtin,
    url: `${testOrigin}/products/pen`,
    condition_class: 'new',
    stores: 3,
    from: { amount: 8_500 },
    includes_shipping: true,
    offers: [
      { slug: 'cheap', total: { amount: 8_500 }, shipping: { amount: 500 } },
      { slug: 'dear', total: { amount: 9_500 }, merchant: { name: 'Store dear' } },
    ],
    shipping_not_stated: [{ slug: 'unstated', total: null, shipping: null }],
    lowest_ever: { price: { amount: 7_000 }, store: 'Store unstated' },
  });
  const [soldOut, hidden] = json.not_compared;
  expect(soldOut).toMatchObject({ slug: 'sold-out', price: { current: { amount: 5_000 } } });
  expect(hidden).toMatchObject({ slug: 'hidden', price: null, total: null });
  expect(JSON.stringify(json)).not.toContain('4321');
});

test('lists the variants of a product that are on offer', async () => {
  const { db } = database;
  const blue = await insertProduct(db, {
    slug: 'blue-pen',
    gtin: '96385074',
    variant_of: product.id,
    variant_label: 'Blue',
  });
  expect((await ask('/products/pen')).json.variants).toEqual([]);
  await insertDeal(db, { product_id: blue.id, gtin: blue.gtin });
  expect((await ask('/products/pen')).json.variants).toEqual([
    { slug: 'blue-pen', label: 'Blue', url: `${testOrigin}/products/blue-pen` },
  ]);
  expect((await ask('/products/blue-pen')).json.variants).toMatchObject([{ label: 'Pen' }]);
  await db
    .updateTable('products')
    .set({ title: 'Pen blue', variant_label: null })
    .where('id', '=', blue.id)
    .execute();
  expect((await ask('/products/pen')).json.variants).toMatchObject([{ label: 'blue' }]);
});

test('redirects from a merged product to the product that got its offers', async () => {
  const { id: merged_into } = product;
  await insertProduct(database.db, { slug: 'old-pen', gtin: '96385074', merged_into });
  const { status, headers } = await site.request('/api/v1/products/old-pen');
  expect([status, headers.get('location')]).toEqual([301, `${testOrigin}/api/v1/products/pen`]);
});

test.each(['/products/nobody', '/products/%00'])('returns 404 for %s', async (path) => {
  expect((await ask(path)).status).toBe(404);
});

import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { insertCategory, insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite, type TestSite } from '#test/site.ts';

const database = useTestDatabase();
let site: TestSite;
let product: Awaited<ReturnType<typeof insertProduct>>;

beforeEach(async () => {
  site = testSite(database);
  const { db } = database;
  product = await insertProduct(db, { slug: 'lamp', title: 'Desk lamp' });
  const category_id = (await insertCategory(db)).id;
  for (const [name, price] of [
    ['Oakhaft', 3_900],
    ['Birchly', 4_500],
  ] as const) {
    const merchant = await insertMerchant(db, { name, standard_shipping: 100 });
    const lines = [
      { daysAgo: 60, price: price + 900 },
      { daysAgo: 20, price },
    ];
    const place = { category_id, merchant_id: merchant.id, product_id: product.id };
    await plantDeal(db, lines, place);
  }
});

const change = (name: string, values: object) =>
  database.db.updateTable('merchants').set(values).where('name', '=', name).execute();

async function readHead() {
  const { html } = await site.page('/products/lamp');
  const read = (name: string) =>
    new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1] ?? '';
  return { path: read('og:image').replace(testOrigin, ''), alt: read('og:image:alt') };
}

/** Returns whether anything is drawn in the strip of the price line. */
async function hasLine(path: string): Promise<boolean> {
  const response = await site.request(path);
  const body = Buffer.from(await response.arrayBuffer());
  const area = { left: 64, top: 480, width: 1072, height: 110 };
  const { channels } = await sharp(await sharp(body).extract(area).png().toBuffer()).stats();
  return channels.some(({ min }) => min < 200);
}

test('shows the lowest price with its stores, the lowest price ever and a line on a product’s share picture', async () => {
  const { path, alt } = await readHead();
  expect(path).toMatch(new RegExp(`^/share-pictures/product-${product.id}-[0-9a-f]{12}\\.jpg$`));
  expect(alt).toMatch(
    /^Desk lamp: From \$40\.00 incl\. shipping at 2 stores\. Lowest price we have seen: \$39\.00 at Oakhaft on .*, without shipping\.$/,
  );
  const response = await site.request(path);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  // The route finds the same contents as the page, so caches keep the picture for an hour.
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(await hasLine(path)).toBe(true);
});

test('leaves out prices of stores that may hide them, and the history that a store forbids', async () => {
  await change('Oakhaft', { hide_price_after_hours: 24 });
  const { path, alt } = await readHead();
  expect(alt).toBe('Desk lamp: From $46.00 incl. shipping at 1 store.');
  await change('Birchly', { keep_history: false });
  const silent = await readHead();
  expect(await hasLine(silent.path)).toBe(false);
  await change('Birchly', { hide_price_after_hours: 24 });
  expect((await readHead()).alt).toBe('Desk lamp: Compare 2 stores.');
  expect(new Set([path, silent.path, (await readHead()).path]).size).toBe(3);
});

test('changes the URL of a product’s share picture with the lowest price, and returns 404 without an offer', async () => {
  const before = await readHead();
  const cheaper = { sale_price: 4_400 };
  await database.db.updateTable('deals').set(cheaper).where('sale_price', '=', 4_500).execute();
  expect((await readHead()).path).toBe(before.path);
  await database.db
    .updateTable('deals')
    .set({ sale_price: 3_000 })
    .where('sale_price', '=', 3_900)
    .execute();
  const after = await readHead();
  expect(after.path).not.toBe(before.path);
  await database.db.updateTable('deals').set({ is_active: false }).execute();
  expect((await site.request(after.path)).status).toBe(404);
});

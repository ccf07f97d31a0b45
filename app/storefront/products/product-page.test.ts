import { beforeEach, describe, expect, test } from 'vitest';
import { matchProducts } from '#app/features/products/match-products-job.server.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite, type TestSite } from '#test/site.ts';

const database = useTestDatabase();
const gtin = '4006381333931';
const title = 'Lumo Nova 15';
const path = `/products/lumo-nova-15-${gtin}`;
let site: TestSite;

/** Returns the visible text, without markup, scripts and React's text separators. */
function textOf(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ');
}

function structuredData(html: string): Record<string, unknown>[] {
  return [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map((found) =>
    JSON.parse(found[1] ?? ''),
  );
}

interface Given {
  name: string;
  slug: string;
  price: number;
  store?: object;
  deal?: object;
}

async function addOffer({ name, slug, price, store = {}, deal = {} }: Given): Promise<number> {
  const { db } = database;
  const merchant = await insertMerchant(db, { name, matches_freely: true, ...store });
  const category = await db.selectFrom('categories').select('id').executeTakeFirstOrThrow();
  const place = { merchant_id: merchant.id, category_id: category.id };
  const facts = { title, gtin, slug, sale_price: price, availability: 'in_stock' as const };
  const added = await insertDeal(db, {
    ...place,
    ...facts,
    status: 'new',
    condition: null,
    ...deal,
  });
  return added.id;
}

beforeEach(async () => {
  site = testSite(database);
  await insertCategory(database.db, { name: 'Phones', slug: 'phones' });
  await addOffer({
    name: 'Oakhaft',
    slug: 'at-oakhaft',
    price: 8_000,
    store: { standard_shipping: 500 },
  });
  await addOffer({ name: 'Birchly', slug: 'at-birchly', price: 8_200, deal: { shipping_cost: 0 } });
  await addOffer({
    name: 'Cedaro',
    slug: 'at-cedaro',
    price: 7_000,
    store: { standard_shipping: null },
  });
  await matchProducts(database.db);
});

describe('a product page', () => {
  test('compares the offers with shipping, and lists unknown shipping apart', async () => {
    const { status, html } = await site.page(path);
    const text = textOf(html);
    expect(status).toBe(200);
    expect(text).toContain('From $82.00 incl. shipping at 2 of 3 stores, checked');
    expect(text).toMatch(
      /Offers .*Birchly New \$82\.00 Free \$82\.00 .*Oakhaft New \$80\.00 \$5\.00 \$85\.00 .*Shipping not stated .*Cedaro New \$70\.00 In stock/,
    );
    expect(text).toContain('Lowest price we have seen: $70.00 at Cedaro on');
  });

  test('describes the visible offers as structured data', async () => {
    const [product, crumbs] = structuredData((await site.page(path)).html);
    expect(product).toMatchObject({
      '@type': 'Product',
      gtin,
      offers: { '@type': 'AggregateOffer', lowPrice: '70.00', highPrice: '82.00', offerCount: 3 },
    });
    expect(crumbs).toMatchObject({ '@type': 'BreadcrumbList' });
  });

  test('shows no price that a store hides, and no history that it forbids', async () => {
    const { db } = database;
    await db
      .updateTable('merchants')
      .set({ hide_price_after_hours: 1 })
      .where('name', '=', 'Cedaro')
      .execute();
    await db
      .updateTable('merchants')
      .set({ keep_history: false })
      .where('name', '=', 'Birchly')
      .execute();
    await db
      .updateTable('deals')
      .set({ price_checked_at: new Date(Date.now() - 7_200_000) })
      .where('slug', '=', 'at-cedaro')
      .execute();
    const { html } = await site.page(path);
    expect(html).not.toContain('70.00');
    expect(textOf(html)).toContain('See price at store');
    expect(textOf(html)).toContain('We may not show past prices of Birchly and Cedaro.');
    expect(textOf(html)).toContain('Lowest price we have seen: $80.00 at Oakhaft on');
  });

  test('returns 404 without a live offer, and asks not to index a single store', async () => {
    const hide = (slugs: string[]) =>
      database.db
        .updateTable('deals')
        .set({ is_active: false })
        .where('slug', 'in', slugs)
        .execute();
    const robots = 'name="robots" content="noindex, follow"';
    expect((await site.page(path)).html).not.toContain(robots);
    await hide(['at-oakhaft', 'at-birchly']);
    const { html } = await site.page(path);
    expect(html).toContain(robots);
    expect(textOf(html)).toContain('From $70.00 plus shipping at 1 store');
    await hide(['at-cedaro']);
    expect((await site.page(path)).status).toBe(404);
  });
});

test('links a deal page to the other stores of its condition', async () => {
  await addOffer({
    name: 'Dogwood',
    slug: 'at-dogwood',
    price: 5_000,
    deal: { status: 'used', condition: 'good' },
  });
  await matchProducts(database.db);
  const { html } = await site.page('/deals/at-birchly');
  expect(html).toContain(`href="${path}"`);
  expect(textOf(html)).toContain('Also at 2 other stores, from $85.00 incl. shipping');
  expect(textOf((await site.page('/deals/at-dogwood')).html)).not.toContain('Also at');
});

test('lists products with offers of two stores in the sitemap', async () => {
  const response = await site.request('/sitemaps/products.xml');
  expect(await response.text()).toContain(`${path}</loc>`);
});

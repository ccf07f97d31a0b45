import { beforeEach, describe, expect, test } from 'vitest';
import { matchProducts } from '#app/features/products/match-offers.server.ts';
import { listLoggedPrices, voidPrice } from '#app/features/deals/void-prices.server.ts';
import { findProductBySlug } from '#app/features/products/product-queries.server.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import { createLoadContext, readCachePolicy } from '#app/platform/app-context.server.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';
import { useCurrencyShop } from '#test/currency-shop.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite, type TestSite } from '#test/site.ts';
import { loader } from './product-page.tsx';

const database = useTestDatabase();
const { setCurrency } = useCurrencyShop(database);
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

const robots = 'name="robots" content="noindex, follow"';

/** Returns the stores and prices in the list of offers with this heading id. */
function rowsOf(html: string, id: string): { store: string; price: string }[] {
  const [, section = ''] = html.split(`<h2 id="${id}">`);
  const table = section.split('</table>')[0] ?? '';
  return [
    ...table.matchAll(/<th scope="row"><a[^>]*>([^<]+).*?data-label="Price"[^>]*>\$?([^<]+)/gs),
  ].map(([, store = '', price = '']) => ({ store, price }));
}

async function addUsed(): Promise<void> {
  const used = { status: 'used', condition: 'good', shipping_cost: 0 } as const;
  await addOffer({ name: 'Dogwood', slug: 'at-dogwood', price: 5_000, deal: used });
  await matchProducts(database.db);
}

/** Returns the cache tags of a product's page. */
async function tagsOf(slug: string): Promise<Set<string>> {
  const facts = { id: 'test', nonce: '', isForCache: true, address: '192.0.2.1', gateNote: null };
  const context = createLoadContext(testServices(database), facts);
  const request = new Request(new URL(`/products/${slug}`, testOrigin));
  await loader({ context, params: { slug }, request } as never);
  return new Set(readCachePolicy(context)?.tags);
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
  test('compares the offers with shipping, and lists those with unknown shipping separately', async () => {
    const { status, html } = await site.page(path);
    const text = textOf(html);
    expect(status).toBe(200);
    expect(text).toContain('From $82.00 incl. shipping at 2 of 3 stores, checked');
    expect(text).toMatch(
      /Offers .*Birchly .*\$82\.00 Free \$82\.00 .*Oakhaft .*\$80\.00 \$5\.00 \$85\.00 .*Shipping not stated .*Cedaro .*\$70\.00 In stock/,
    );
    expect(text).toMatch(/Get Deal at Birchly .*\$82\.00 with free shipping\./);
    expect(text).toContain('Lowest price we have seen: $70.00 at Cedaro on');
  });

  test('includes exactly the offers of the visible tables in structured data', async () => {
    await addUsed();
    const { html } = await site.page(path);
    const [product, crumbs] = structuredData(html);
    expect(crumbs).toMatchObject({ '@type': 'BreadcrumbList' });
    expect(product).toMatchObject({ '@type': 'Product', gtin });
    const rows = [...rowsOf(html, 'offers'), ...rowsOf(html, 'shipping-not-stated')];
    const prices = rows.map(({ price }) => Number(price));
    expect(rows.length).toBe(3);
    expect(product?.offers).toMatchObject({
      '@type': 'AggregateOffer',
      priceCurrency: 'USD',
      lowPrice: Math.min(...prices).toFixed(2),
      highPrice: Math.max(...prices).toFixed(2),
      offerCount: rows.length,
      offers: rows.map(({ store, price }) => ({ price, seller: { name: store } })),
    });
  });

  test('lists used offers separately, so that the first offer is the cheapest of its list', async () => {
    await addUsed();
    const { html } = await site.page(path);
    expect(rowsOf(html, 'offers').map(({ store }) => store)).toEqual(['Birchly', 'Oakhaft']);
    expect(rowsOf(html, 'used-offers')).toEqual([{ store: 'Dogwood', price: '50.00' }]);
    expect(textOf(html)).toContain('From $82.00 incl. shipping at 2 of 4 stores');
  });

  test('does not show a price that a store hides, or a history that it forbids', async () => {
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

  test('returns 404 for a product without an active offer, and excludes one with a single store from indexing', async () => {
    const hide = (slugs: string[]) =>
      database.db
        .updateTable('deals')
        .set({ is_active: false })
        .where('slug', 'in', slugs)
        .execute();
    expect((await site.page(path)).html).not.toContain(robots);
    await hide(['at-oakhaft', 'at-birchly']);
    const { html } = await site.page(path);
    expect(html).toContain(robots);
    expect(textOf(html)).toContain('From $70.00 plus shipping at 1 store');
    await hide(['at-cedaro']);
    expect((await site.page(path)).status).toBe(404);
  });

  test('shows prices and history of expired offers, but no offer to search engines', async () => {
    const { db } = database;
    await db
      .updateTable('deals')
      .set({ expires_at: new Date('2026-01-01') })
      .execute();
    const { status, html } = await site.page(path);
    const [product] = structuredData(html);
    expect(status).toBe(200);
    expect(html).toContain(robots);
    expect(product).not.toHaveProperty('offers');
    expect(textOf(html)).toContain('No longer on offer These offers have ended.');
    expect(rowsOf(html, 'not-compared')).toHaveLength(3);
    expect(html).not.toContain('Get Deal');
    expect(html).not.toContain('/price-alerts/searches/new');
    expect(await findProductBySlug(db, `lumo-nova-15-${gtin}`)).toBeNull();
    await addOffer({ name: 'Elmstore', slug: 'at-elmstore', price: 9_900 });
    await matchProducts(db);
    const ids = db.selectFrom('products').select('id');
    await db
      .updateTable('deals')
      .set({ product_id: ids })
      .where('slug', '=', 'at-elmstore')
      .execute();
    const live = await site.page(path);
    expect(rowsOf(live.html, 'shipping-not-stated')).toHaveLength(1);
    expect(textOf(live.html)).not.toContain('Birchly');
  });

  test('links the main product and its variants with offers, each with its price', async () => {
    const { db } = database;
    const main = await db.selectFrom('products').selectAll().executeTakeFirstOrThrow();
    const variant = (slug: string, label: string) =>
      insertProduct(db, { slug, title, gtin: slug, variant_of: main.id, variant_label: label });
    const blue = await variant('nova-blue', 'Blue');
    const red = await variant('nova-red', 'Red');
    await variant('nova-green', 'Green');
    const place = { category_id: (await insertCategory(db)).id };
    const offer = { ...place, status: 'new', availability: 'in_stock', sale_price: 9_000 } as const;
    await insertDeal(db, { ...offer, product_id: blue.id });
    await insertDeal(db, { ...offer, product_id: blue.id, sale_price: 8_900 });
    const used = { status: 'used', condition: 'good', sale_price: 100 } as const;
    await insertDeal(db, { ...offer, product_id: blue.id, ...used });
    const hiding = await insertMerchant(db, { hide_price_after_hours: 1 });
    await insertDeal(db, { ...offer, product_id: red.id, merchant_id: hiding.id });
    const chipsOf = async (address: string) => {
      const nav = /<nav aria-label="Variants".*?<\/nav>/s.exec((await site.page(address)).html);
      return [...(nav?.[0] ?? '').matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].map(
        ([, attributes = '', text = '']) =>
          `${attributes.includes('aria-current="page"') ? '*' : ''}${textOf(text).trim()}`,
      );
    };
    expect(await chipsOf(path)).toEqual(['*Lumo Nova 15, from $70.00', 'Blue, from $89.00', 'Red']);
    expect(await chipsOf('/products/nova-blue')).toEqual([
      'Lumo Nova 15, from $70.00',
      '*Blue, from $89.00',
      'Red',
    ]);
    const shown = await db.selectFrom('products').select('id').orderBy('id').execute();
    expect(await tagsOf('nova-blue')).toEqual(new Set(shown.map(({ id }) => `product:${id}`)));
  });

  test('draws the lowest price of all stores, and lists it beside each price', async () => {
    const { html } = await site.page(path);
    expect(html).toContain('data-line="lowest"');
    expect(textOf(html)).toMatch(
      /Since Store Price Lowest of all .*Cedaro \$70\.00 \$70\.00 .*Birchly \$82\.00 \$80\.00/,
    );
    const only = await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('slug', '!=', 'at-cedaro')
      .executeTakeFirst();
    expect(only.numUpdatedRows).toBe(2n);
    expect((await site.page(path)).html).not.toContain('Lowest of all');
  });

  test('does not name an earlier price in another currency', async () => {
    await setCurrency('EUR');
    expect((await site.page(path)).status).toBe(404);
    await database.db
      .updateTable('deals')
      .set({ currency: 'EUR', sale_price: 9_000 })
      .where('slug', 'in', ['at-oakhaft', 'at-birchly'])
      .execute();
    const { html } = await site.page(path);
    expect(textOf(html)).toContain('Lowest price we have seen: €90.00 at');
    expect(html).not.toMatch(/\b(?:70|80|82)\.00/);
  });

  test('does not name a voided price as a low', async () => {
    const { db } = database;
    const ask = (sale_price: number) =>
      db
        .updateTable('deals')
        .set({ sale_price })
        .where('slug', '=', 'at-cedaro')
        .returning('id')
        .executeTakeFirstOrThrow();
    await ask(1_000);
    const { id: dealId } = await ask(7_000);
    expect(textOf((await site.page(path)).html)).toContain('we have seen: $10.00 at Cedaro');
    const lines = await listLoggedPrices(db, dealId);
    const lineId = lines.find(({ sale_price }) => sale_price === 1_000)?.id ?? 0;
    const act = { actor: 'admin', reason: 'A typo', dealId, lineId };
    expect(await voidPrice(db, act)).toEqual({ ok: true });
    const { html } = await site.page(path);
    expect(textOf(html)).toContain('we have seen: $70.00 at Cedaro');
    expect(html).not.toContain('$10.00');
  });
});

test('links a deal page to other stores’ offers of the same condition', async () => {
  await addUsed();
  const { html } = await site.page('/deals/at-birchly');
  expect(html).toContain(`href="${path}"`);
  expect(textOf(html)).toContain('Also at 2 other stores, from $85.00 incl. shipping');
  const used = textOf((await site.page('/deals/at-dogwood')).html);
  expect(used).not.toContain('Also at');
  expect(used).toContain('Compare with other stores');
});

test('links an expired deal to the stores that still have the product, above similar deals', async () => {
  await database.db
    .updateTable('deals')
    .set({ expires_at: new Date('2026-01-01') })
    .where('slug', '=', 'at-birchly')
    .execute();
  const { html } = await site.page('/deals/at-birchly');
  expect(textOf(html)).toMatch(
    /This deal has expired\. .* Still at 2 other stores, from \$85\.00 incl\. shipping .*Similar Deals/,
  );
  expect(html.match(/Still at 2 other stores/g)).toHaveLength(1);
});

test('lists products with offers of two stores in the sitemap', async () => {
  const response = await site.request('/sitemaps/products.xml');
  expect(await response.text()).toContain(`${path}</loc>`);
});

import { describe, expect, test } from 'vitest';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { dealTags } from '#app/features/deals/page-tags.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import type { ReadCached } from '#app/platform/app-context.server.ts';
import { showDeals } from './show-deals.server.ts';

const database = useTestDatabase();
const hour = 3_600_000;

interface Given {
  price: number;
  store?: object;
  deal?: object;
}

/** Inserts a product with these offers, and returns the line shown on each card. */
async function linesOf(given: Given[], readCached?: ReadCached) {
  const { db } = database;
  const product = await insertProduct(db);
  const category_id = (await insertCategory(db)).id;
  const ids: number[] = [];
  for (const { price, store, deal } of given) {
    const { id: merchant_id } = await insertMerchant(db, { standard_shipping: 500, ...store });
    const facts = { sale_price: price, status: 'new', availability: 'in_stock' } as const;
    const { id } = await insertDeal(db, { category_id, merchant_id, ...facts, ...deal });
    await db.updateTable('deals').set({ product_id: product.id }).where('id', '=', id).execute();
    ids.push(id);
  }
  const deals = await listDealsByIds(db, ids);
  const services = { ...testServices(database), readCached };
  const shown = await showDeals(services, deals, defaultSettings, new Date());
  expect(dealTags(deals)).toContain(`product:${product.id}`);
  return shown.map(({ deal }) => deal.stores?.text ?? null);
}

describe('the stores on a card', () => {
  test('shows the lowest total of the stores that state their shipping cost', async () => {
    const text = '2 stores from $82.00 incl. shipping';
    expect(
      await linesOf([
        { price: 8_000 },
        { price: 8_200, deal: { shipping_cost: 0 } },
        { price: 100, store: { standard_shipping: null } },
      ]),
    ).toEqual([text, text, text]);
  });

  test('shows the lowest price plus shipping if no store states the shipping cost', async () => {
    const store = { standard_shipping: null };
    const text = '2 stores from $70.00 plus shipping';
    expect(
      await linesOf([
        { price: 8_000, store },
        { price: 7_000, store },
      ]),
    ).toEqual([text, text]);
  });

  test('compares only offers in stock, with a visible price and in the same condition', async () => {
    const checked = new Date(Date.now() - 25 * hour);
    const text = '2 stores from $75.00 incl. shipping';
    expect(
      await linesOf([
        { price: 8_000 },
        { price: 7_000 },
        { price: 100, deal: { availability: 'out_of_stock' } },
        {
          price: 100,
          store: { hide_price_after_hours: 24 },
          deal: { price_checked_at: checked },
        },
        { price: 100, deal: { status: 'used', condition: 'good' } },
        { price: 100, deal: { expires_at: checked } },
        { price: 100, deal: { is_active: false } },
      ]),
    ).toEqual([text, text, text, text, null, text]);
  });

  test('caches the stores of a page until an offer of their product changes', async () => {
    const cached: { tags: readonly string[]; value: unknown }[] = [];
    const readCached: ReadCached = async (_name, tags, read) => {
      const value = await read();
      cached.push({ tags, value });
      return value;
    };
    const [text] = await linesOf([{ price: 8_000 }, { price: 7_000 }], readCached);
    const { id, slug } = await database.db
      .selectFrom('products')
      .select(['id', 'slug'])
      .executeTakeFirstOrThrow();
    expect(cached).toEqual([{ tags: [`product:${id}`], value: expect.any(Map) }]);
    const [{ value } = {}] = cached;
    expect([...(value as Map<number, unknown>).values()]).toContainEqual({ slug, text });
  });

  test('omits the stores on a card if there is only one', async () => {
    expect(
      await linesOf([
        { price: 8_000 },
        { price: 100, deal: { status: 'used', condition: 'good' } },
      ]),
    ).toEqual([null, null]);
  });
});

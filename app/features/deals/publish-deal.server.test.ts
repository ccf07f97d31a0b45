import { describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import type { EditableDeal } from './deal-columns.ts';
import { type DealInput, dealInput } from './deal-input.ts';
import { findDealRedirect } from './deal-queries.server.ts';
import { createDeal, updateDeal } from './publish-deal.server.ts';

const database = useTestDatabase();
const source = 'admin';

async function anInput(overrides: Record<string, unknown> = {}): Promise<DealInput> {
  const merchant_id = overrides.merchant_id ?? (await insertMerchant(database.db)).id;
  const category_id = overrides.category_id ?? (await insertCategory(database.db)).id;
  return dealInput('USD').parse({
    title: 'Stand Mixer, 5 Quarts',
    sale_price: '199.99',
    deal_url: 'https://shop.example/mixer',
    ...overrides,
    merchant_id,
    category_id,
  });
}

async function created(input: DealInput): Promise<EditableDeal> {
  const result = await createDeal(database.db, input, { source });
  if (!result.ok) throw new Error(result.reason);
  return result.deal;
}

const priceLog = () =>
  database.db
    .selectFrom('price_log')
    .select(['sale_price', 'availability', 'source'])
    .orderBy('id')
    .execute();

describe('the input of a deal form', () => {
  const complete = {
    title: 'Mixer',
    sale_price: '19.99',
    deal_url: 'https://shop.example/',
    merchant_id: '1',
    category_id: '1',
  };
  const messagesOf = (changes: Record<string, unknown>) =>
    dealInput('USD')
      .safeParse({ ...complete, ...changes })
      .error?.issues.map((issue) => issue.message) ?? [];

  // Proves R22: one schema for each input (input-fields.ts)
  test('R22: parses a deal form to minor units, dates and nulls', () => {
    expect(
      dealInput('USD').parse({
        ...complete,
        original_price: '$1,299',
        coupon_code: ' ',
        expires_at: '2026-12-01T00:00:00Z',
      }),
    ).toMatchObject({
      sale_price: 1999,
      original_price: 129_900,
      coupon_code: null,
      expires_at: new Date('2026-12-01T00:00:00Z'),
      merchant_id: 1,
    });
  });

  // Proves Back office 9: Discount 0 to 100, price step 0.01 (deal-input.ts)
  test('rejects a deal form with the specification’s messages', () => {
    expect(messagesOf({ title: '  ' })).toEqual(['Title is required']);
    expect(messagesOf({ deal_url: 'shop' })).toEqual(['Must be a valid URL']);
    expect(messagesOf({ image_url: 'javascript:alert(1)' })).toEqual(['Must be a valid URL']);
    expect(messagesOf({ merchant_id: '' })).toEqual(['Merchant is required']);
    expect(messagesOf({ category_id: 'x' })).toEqual(['Category is required']);
    expect(messagesOf({})).toEqual([]);
  });

  test('requires a price above zero (P7b)', () => {
    const prices = ['0', '0.00', '-1', '', 'free'];
    expect(prices.flatMap((sale_price) => messagesOf({ sale_price }))).toEqual(
      prices.map(() => 'Must be a price greater than 0'),
    );
  });

  // Proves Back office 3: deal: condition of five, external_id, seller_type (catalog-tables.ts)
  test('stores a condition only for used products', () => {
    const used = { ...complete, status: 'used', condition: 'good' };
    expect(dealInput('USD').parse(used).condition).toBe('good');
    expect(dealInput('USD').parse({ ...used, status: 'new' }).condition).toBeNull();
  });
});

describe('publishing a deal', () => {
  // Proves Storefront 3: slug derived from the title, unique
  // Proves Back office 7: Deals: create and update (manage-deal.server.ts)
  // Proves Back office 9: Deal slug is not required
  test('derives a unique slug for a published deal and starts its price log (P6 and P7)', async () => {
    const input = await anInput();
    expect((await created(input)).slug).toBe('stand-mixer-5-quarts');
    expect((await created(input)).slug).toBe('stand-mixer-5-quarts-2');
    expect((await created(await anInput({ title: '2026' }))).slug).toBe('deal-2026');
    expect((await created(await anInput({ title: '???' }))).slug).toBe('deal');
    expect((await priceLog())[0]).toEqual({
      sale_price: 19_999,
      availability: 'unknown',
      source: 'admin',
    });
  });

  test('never assigns the old slug of another deal to a published one', async () => {
    const deal = await insertDeal(database.db, { slug: 'stand-mixer-5-quarts' });
    await database.db
      .updateTable('deals')
      .set({ slug: 'renamed' })
      .where('id', '=', deal.id)
      .execute();
    expect((await created(await anInput())).slug).toBe('stand-mixer-5-quarts-2');
    expect(await findDealRedirect(database.db, 'stand-mixer-5-quarts')).toBe('renamed');
  });

  test('reports a missing merchant or category, and leaves the transaction usable', async () => {
    const input = await anInput();
    await database.db.transaction().execute(async (tx) => {
      expect(await createDeal(tx, { ...input, merchant_id: 999 }, { source })).toEqual({
        ok: false,
        reason: 'no-such-merchant',
      });
      expect(await createDeal(tx, { ...input, category_id: 999 }, { source })).toEqual({
        ok: false,
        reason: 'no-such-category',
      });
      expect((await createDeal(tx, input, { source })).ok).toBe(true);
    });
    expect(await priceLog()).toHaveLength(1);
  });

  test('saves neither deal nor price when publishing is rolled back', async () => {
    const input = await anInput();
    const stop = new Error('stop');
    await expect(
      database.db.transaction().execute(async (tx) => {
        await createDeal(tx, input, { source });
        throw stop;
      }),
    ).rejects.toBe(stop);
    expect(await priceLog()).toEqual([]);
    expect(await database.db.selectFrom('deals').select('id').execute()).toEqual([]);
  });
});

describe('changing a deal', () => {
  // Proves Storefront 7: Create, update deals
  test('logs a new price with its source and keeps the slug', async () => {
    const input = await anInput();
    const deal = await created(input);
    const change = { ...input, sale_price: 14_999, title: 'Renamed' };
    const result = await updateDeal(database.db, deal.id, change, {
      source: 'feed',
      expectedVersion: 1,
    });
    expect(result).toMatchObject({
      ok: true,
      deal: {
        version: 2,
        slug: deal.slug,
        sale_price: 14_999,
        price_source: 'feed',
        low_30_before: 19_999,
      },
    });
    expect((await priceLog()).map((entry) => [entry.sale_price, entry.source])).toEqual([
      [19_999, 'admin'],
      [14_999, 'feed'],
    ]);
  });

  test('logs no price when only text changes', async () => {
    const input = await anInput();
    const deal = await created(input);
    const result = await updateDeal(
      database.db,
      deal.id,
      { ...input, title: 'Other words' },
      { source: 'import', expectedVersion: 1 },
    );
    expect(result).toMatchObject({
      ok: true,
      deal: { price_source: 'admin', price_checked_at: deal.price_checked_at },
    });
    expect(await priceLog()).toHaveLength(1);
  });

  test('changes a deal’s slug when requested, and redirects the old one', async () => {
    const input = await anInput();
    const deal = await created(input);
    await updateDeal(
      database.db,
      deal.id,
      { ...input, slug: 'Best Mixer' },
      { source, expectedVersion: 1 },
    );
    expect(await findDealRedirect(database.db, deal.slug)).toBe('best-mixer');
  });

  test('R47: rejects overwriting another user’s save', async () => {
    const input = await anInput();
    const deal = await created(input);
    const save = (title: string) =>
      updateDeal(database.db, deal.id, { ...input, title }, { source, expectedVersion: 1 });
    const results = await Promise.all([save('First'), save('Second')]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const winner = results.find((result) => result.ok);
    expect(results.find((result) => !result.ok)).toEqual({
      ok: false,
      reason: 'changed-meanwhile',
      current: winner?.ok ? winner.deal : null,
    });
  });

  test('reports a missing deal when it is changed', async () => {
    const input = await anInput();
    const deal = await created(input);
    await database.db.deleteFrom('deals').where('id', '=', deal.id).execute();
    expect(await updateDeal(database.db, deal.id, input, { source, expectedVersion: 1 })).toEqual({
      ok: false,
      reason: 'not-found',
    });
    expect(await priceLog()).toEqual([]);
  });

  // Proves P8: availability (schema.ts)
  test('logs no low for an out-of-stock price (P7b)', async () => {
    const input = await anInput();
    const deal = await created(input);
    const save = (changes: Partial<DealInput>, expectedVersion: number) =>
      updateDeal(database.db, deal.id, { ...input, ...changes }, { source, expectedVersion });
    await save({ sale_price: 100, availability: 'out_of_stock' }, 1);
    expect(await save({ sale_price: 15_000 }, 2)).toMatchObject({
      ok: true,
      deal: { low_30_before: 19_999 },
    });
  });
});

import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { insertDeal, insertMerchant, insertProduct, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { sampleSite } from '#test/sample-mails.ts';
import { testServices } from '#test/services.ts';
import { voidPrice } from '#app/features/deals/void-prices.server.ts';
import { writeSearchPush } from './search-pushes.server.ts';
import { mails } from '#app/mails.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { matchOnce } from './match-searches.server.ts';
import { notifyOfSearches } from './notify-of-searches-job.server.ts';
import { findWatchedOffers, readProductForm } from './product-wish.server.ts';
import { saveWatchedSearch } from './watched-search-queries.server.ts';

const database = useTestDatabase();
const gtin = '4006381333931';
let product: { id: number; slug: string };
let owner: { userId: string };
let deals: number[] = [];

beforeEach(async () => {
  const { db } = database;
  await sql`delete from watch_marks`.execute(db);
  await matchOnce(db);
  product = await insertProduct(db, { gtin, slug: 'nova', title: 'Lumo Nova' });
  owner = { userId: (await insertUser(db, { email_verified: true })).id };
  deals = [];
  for (const sale_price of [9_000, 9_500, 9_900]) deals.push(await addOffer({ sale_price }));
});

async function addOffer(changes: Partial<NewDeal> = {}, store = {}): Promise<number> {
  const merchant = await insertMerchant(database.db, store);
  const deal = { title: 'Lumo Nova', gtin, product_id: product.id, shipping_cost: 500 };
  const place = { merchant_id: merchant.id, original_price: null };
  return (await insertDeal(database.db, { ...deal, ...place, ...changes })).id;
}

async function watch(fields: Record<string, string> = {}, by = owner): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const asked = { form, currency: 'USD', present: null };
  const read = await readProductForm(database.db, `/products/${product.slug}`, asked);
  if (!read.ok) throw new Error(read.message);
  expect(await saveWatchedSearch(database.db, by, read.watchable, 'at_once')).toBe('saved');
}
const change = (n: number, set: object) =>
  database.db
    .updateTable('deals')
    .set(set)
    .where('id', '=', deals[n] ?? 0)
    .execute();
const outbox = (): Promise<OutboxMail[]> =>
  database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();

/** Runs the job an hour after its last email, and returns the subjects of the new emails. */
async function tell(): Promise<(string | undefined)[]> {
  await sql`update watched_searches set next_mail_at = now() where next_mail_at > now()`.execute(
    database.db,
  );
  const before = (await outbox()).length;
  await notifyOfSearches(testServices(database));
  const written = [];
  for (const mail of (await outbox()).slice(before)) written.push((await write(mail))?.subject);
  return written;
}
const write = async (mail: OutboxMail | undefined) =>
  mail ? ((await mails[mail.kind]?.write(database.db, mail, sampleSite, 'send')) ?? null) : null;
const now = (price: string, store: string) =>
  `Now $${price}.00 incl. shipping at ${store}: Lumo Nova`;
const storeOf = async (n: number) =>
  (
    await database.db
      .selectFrom('deals')
      .innerJoin('merchants as m', 'm.id', 'merchant_id')
      .select('m.name')
      .where('deals.id', '=', deals[n] ?? 0)
      .executeTakeFirstOrThrow()
  ).name;

describe('the form', () => {
  test.each([
    [{}, 9_499, 'Lumo Nova at any store, $94.99 or less incl. shipping'],
    [{ price: '80' }, 8_000, 'Lumo Nova at any store, $80.00 or less incl. shipping'],
  ])('watches below a price, or below the lowest total now: %j', async (fields, max, name) => {
    await watch(fields);
    const [row] = await database.db.selectFrom('watched_searches').selectAll().execute();
    expect(row).toMatchObject({
      address: '/products/nova',
      name,
      max_price: max,
      product_id: product.id,
      offer_class: 'new',
      with_shipping: true,
      filter_id: null,
    });
  });

  test.each([
    ['95', 'It already costs $95.00. Enter a lower price, or leave the field blank.'],
    ['cheap', 'Please enter a price, such as'],
    ['0', 'Target price must be greater than 0'],
  ])('refuses the price %s', async (price, message) => {
    await expect(watch({ price })).rejects.toThrow(message);
  });

  test('refuses a price in a former currency, a product without offers, and stores that forbid alerts', async () => {
    await expect(watch({ currency: 'EUR' })).rejects.toThrow('Prices are in USD now.');
    await database.db.updateTable('merchants').set({ allow_alerts: false }).execute();
    await expect(watch()).rejects.toThrow('No store with this product allows price alerts.');
    await database.db.updateTable('deals').set({ is_active: false }).execute();
    await expect(watch()).rejects.toThrow('This list cannot be watched.');
  });

  test('offers each condition class, with shipping only if a store states it', async () => {
    deals.push(await addOffer({ sale_price: 4_000, status: 'used', shipping_cost: null }));
    expect((await findWatchedOffers(database.db, '/products/nova'))?.classes).toEqual([
      { condition: 'new', from: 9_500, isTotal: true },
      { condition: 'used', from: 4_000, isTotal: false },
    ]);
    await watch({ condition: 'used' });
    const [row] = await database.db.selectFrom('watched_searches').selectAll().execute();
    expect(row).toMatchObject({ offer_class: 'used', with_shipping: false, max_price: 3_999 });
  });
});

describe('a fall', () => {
  test('sends one email with store, price, former price and evidence', async () => {
    await watch();
    expect(await tell()).toEqual([]);
    await change(1, { sale_price: 8_500 });
    expect(await tell()).toEqual([now('90', await storeOf(1))]);
    const mail = await write((await outbox()).at(-1));
    expect(mail?.text).toContain(`The lowest price is now $90.00 incl. shipping`);
    expect(mail?.text).toContain('Before, it was $95.00 incl. shipping.');
    expect(mail?.text).toContain('/products/nova');
    expect(mail?.text).toMatch(/\/deals\/[a-z0-9-]+\?from=mail/);
    expect(mail?.text).toMatch(/Price log: /);
    expect(mail?.text).toMatch(/Stop watching this product.*\/stop-mails\?token=/s);
    expect(await tell()).toEqual([]);
    const [search] = await database.db.selectFrom('watched_searches').select('id').execute();
    const push = await writeSearchPush(database.db, {
      search_id: search?.id ?? 0,
      search_mail: 1,
    } as never);
    expect(push).toMatchObject({ title: now('90', await storeOf(1)), path: '/products/nova' });
  });

  test('sends one email when two stores fall at once, with the lower one first', async () => {
    await watch();
    await change(0, { sale_price: 8_000 });
    await change(2, { sale_price: 7_000 });
    expect(await tell()).toEqual([now('75', await storeOf(2))]);
    const text = (await write((await outbox()).at(-1)))?.text ?? '';
    expect(text.indexOf(await storeOf(2))).toBeLessThan(text.lastIndexOf(await storeOf(0)));
  });

  test('sends no second email about the same price after a rise until thirty days have passed', async () => {
    await watch();
    await change(0, { sale_price: 8_000 });
    expect(await tell()).toHaveLength(1);
    await change(0, { sale_price: 9_000 });
    expect(await tell()).toEqual([]);
    await change(0, { sale_price: 8_000 });
    expect(await tell()).toEqual([]);
    await change(0, { sale_price: 7_900 });
    expect(await tell()).toHaveLength(1);
    await change(0, { sale_price: 9_000 });
    expect(await tell()).toEqual([]);
    await sql`update product_lows set at = at - interval '31 days'`.execute(database.db);
    await forgetOldRows(database.db, 'forget-old-mails');
    expect(await tell()).toEqual([]);
    await change(0, { sale_price: 8_000 });
    expect(await tell()).toEqual([now('85', await storeOf(0))]);
  });

  test('sends the price of a watched condition, even after a lower price for another condition', async () => {
    deals.push(await addOffer({ status: 'used', condition: 'good', sale_price: 6_000 }));
    await watch({ condition: 'used' });
    await change(3, { sale_price: 5_000 });
    expect(await tell()).toEqual([now('55', await storeOf(3))]);
    await watch({ condition: 'new' });
    await change(0, { sale_price: 8_000 });
    expect(await tell()).toEqual([now('85', await storeOf(0))]);
  });

  test.each<[string, object, object]>([
    ['in another class', { status: 'used', condition: 'good' }, {}],
    ['out of stock', { availability: 'out_of_stock' }, {}],
    ['without a stated shipping', { shipping_cost: null }, {}],
    ['hidden', { is_active: false }, {}],
    ['at a store that forbids alerts', {}, { allow_alerts: false }],
    ['at a store that hides old prices', {}, { hide_price_after_hours: 24 }],
    ['whose shipping eats it', { shipping_cost: 4_500 }, {}],
  ])('does not count an offer %s', async (_name, changes, store) => {
    await watch();
    deals.push(await addOffer({ sale_price: 5_000, ...changes }, store));
    expect(await tell()).toEqual([]);
  });

  test('reports a drop caused by a store’s new shipping rule, or by a store that joins the product', async () => {
    await watch();
    await change(0, { shipping_cost: null });
    expect(await tell()).toEqual([]);
    await database.db
      .updateTable('merchants')
      .set({ standard_shipping: 100 })
      .where('name', '=', await storeOf(0))
      .execute();
    expect(await tell()).toEqual([now('91', await storeOf(0))]);
    const alone = await addOffer({ product_id: null, sale_price: 1_000 });
    expect(await tell()).toEqual([]);
    await database.db
      .updateTable('deals')
      .set({ product_id: product.id })
      .where('id', '=', alone)
      .execute();
    deals.push(alone);
    expect(await tell()).toEqual([now('15', await storeOf(3))]);
  });

  test('sends the email at once when the price fell before the confirmation', async () => {
    await change(0, { sale_price: 6_000 });
    const wish = { ...(await watchableBelow(8_000)) };
    expect(await saveWatchedSearch(database.db, owner, wish, 'at_once')).toBe('saved');
    expect(await tell()).toEqual([now('65', await storeOf(0))]);
  });

  test('cancels the email when the price has risen, and sends it when the price falls again', async () => {
    await watch();
    await change(0, { sale_price: 8_000 });
    await notifyOfSearches(testServices(database));
    await change(0, { sale_price: 9_600 });
    expect(await write((await outbox()).at(-1))).toBeNull();
    await notifyOfSearches(testServices(database));
    await change(0, { sale_price: 8_000 });
    expect(await tell()).toEqual([now('85', await storeOf(0))]);
  });

  test('sends an email for a higher price when the lower one was a mistake', async () => {
    await watch();
    await change(0, { sale_price: 900 });
    expect(await tell()).toEqual([now('14', await storeOf(0))]);
    await change(0, { sale_price: 9_000 });
    const lines = await database.db
      .selectFrom('price_log')
      .select('id')
      .where('sale_price', '=', 900)
      .execute();
    for (const { id } of lines) {
      const voided = { actor: 'u1', dealId: deals[0] ?? 0, lineId: id, reason: 'typing' };
      expect(await voidPrice(database.db, voided)).toEqual({ ok: true });
    }
    await change(1, { sale_price: 8_000 });
    expect(await tell()).toEqual([now('85', await storeOf(1))]);
  });

  test('delays the email about a price that staff can still undo', async () => {
    await watch();
    await tell();
    await database.db.transaction().execute(async (tx) => {
      await sql`select set_config('app.staff_price', 'on', true)`.execute(tx);
      await tx
        .updateTable('deals')
        .set({ sale_price: 900 })
        .where('id', '=', deals[0] ?? 0)
        .execute();
    });
    expect(await tell()).toEqual([]);
    await sql`update product_checks set due_at = now()`.execute(database.db);
    expect(await tell()).toEqual([now('14', await storeOf(0))]);
  });
});

async function watchableBelow(max_price: number) {
  const form = new FormData();
  const asked = { form, currency: 'USD', present: null };
  const read = await readProductForm(database.db, '/products/nova', asked);
  if (!read.ok) throw new Error(read.message);
  return { ...read.watchable, max_price };
}

describe('products that change', () => {
  test('follows a merged product, with one email for an owner who watched both', async () => {
    const own = product;
    await watch();
    product = await insertProduct(database.db, { gtin: '4006381333948', slug: 'nova-two' });
    const other = await addOffer({ gtin: '4006381333948', sale_price: 9_000 });
    await watch();
    expect(await tell()).toEqual([]);
    await sql`update products set merged_into = ${product.id} where id = ${own.id}`.execute(
      database.db,
    );
    await sql`update deals set product_id = ${product.id} where product_id = ${own.id}`.execute(
      database.db,
    );
    expect(await tell()).toEqual([]);
    deals = [other];
    await change(0, { sale_price: 7_000 });
    expect(await tell()).toEqual([now('75', await storeOf(0)).replace('Lumo Nova', 'Pen')]);
    await sql`update products set merged_into = null`.execute(database.db);
    await sql`update deals set product_id = ${own.id} where id <> ${other}`.execute(database.db);
    await sql`update deals set sale_price = 6000 where id <> ${other}`.execute(database.db);
    expect(await tell()).toEqual([expect.stringContaining('Now $65.00 incl. shipping')]);
  });

  test('notifies of the first lower offer after all offers were gone', async () => {
    await watch();
    await database.db.updateTable('deals').set({ product_id: null }).execute();
    expect(await tell()).toEqual([]);
    await sql`update deals set product_id = ${product.id}`.execute(database.db);
    expect(await tell()).toEqual([]);
    await database.db.updateTable('deals').set({ product_id: null }).execute();
    await change(0, { sale_price: 8_000 });
    await sql`update deals set product_id = ${product.id}`.execute(database.db);
    expect(await tell()).toEqual([now('85', await storeOf(0))]);
  });

  test('notifies neither stopped watches nor suspended owners', async () => {
    await watch();
    await database.db.updateTable('watched_searches').set({ is_active: false }).execute();
    await change(0, { sale_price: 8_000 });
    expect(await tell()).toEqual([]);
    const other = { userId: (await insertUser(database.db, { email_verified: true })).id };
    await watch({}, other);
    await sql`update users set suspended_at = now(), suspended_for = 'spam'`.execute(database.db);
    await change(0, { sale_price: 7_000 });
    expect(await tell()).toEqual([]);
    await sql`update users set suspended_at = null, suspended_for = null`.execute(database.db);
    expect(await tell()).toEqual([now('75', await storeOf(0))]);
  });
});

import { beforeEach, expect, test } from 'vitest';
import { confirmAlertPath } from '#app/features/price-alerts/watch-link.server.ts';
import { insertDeal, insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database, { env: testServices(database).env });
const form = `/price-alerts/searches/new?of=${encodeURIComponent('/products/nova')}`;

beforeEach(async () => {
  const gtin = '4006381333931';
  const { id } = await insertProduct(database.db, { gtin, slug: 'nova', title: 'Lumo Nova' });
  const offers = [
    { sale_price: 9_000, shipping_cost: 500 },
    { sale_price: 4_000, shipping_cost: null, status: 'used' as const },
  ];
  for (const offer of offers) {
    const place = { merchant_id: (await insertMerchant(database.db)).id, gtin, product_id: id };
    await insertDeal(database.db, { ...place, ...offer, original_price: null });
  }
});
const watches = () => database.db.selectFrom('watched_searches').selectAll().execute();

test('lets a guest watch a product at any store from its page, without JavaScript', async () => {
  const guest = testVisitor(site, '203.0.113.7');
  const page = await guest.open('/products/nova');
  expect(page.html).toContain(`href="${form.replaceAll('&', '&amp;')}"`);
  expect(page.html).toContain('Email me when the price falls at any store');
  const asked = await guest.open(form);
  for (const words of [
    'Watch at Any Store',
    'Your price, incl. shipping (optional)',
    'New, now from $95.00 incl. shipping',
    'Used, now from $40.00 plus shipping',
    'Right away',
  ]) {
    expect(asked.html).toContain(words);
  }
  const fields = { cadence: 'at_once', condition: 'new', email: 'guest@mail.example' };
  const refused = await guest.sendAsHuman(form, { ...fields, price: '95.00' });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('It already costs $95.00.');
  expect(refused.html).toContain('value="95.00"');
  expect(refused.html).toContain('value="guest@mail.example"');
  expect((await guest.sendAsHuman(form, { ...fields, price: '80' })).html).toContain(
    'Check your email',
  );
  expect(await watches()).toEqual([]);
  const request = await database.db
    .selectFrom('watch_requests')
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(request.search_address).toBe('/products/nova?condition=new&shipping=1&max=8000');
  const link = await confirmAlertPath(database.db, request.id);
  const question = await guest.open(link);
  expect(question.html).toContain('Email guest@mail.example about this product?');
  expect(question.html).toContain('Lumo Nova at any store, $80.00 or less incl. shipping');
  const confirmed = await guest.send(link, {});
  expect(confirmed.headers.get('location')).toMatch(/&watched-product$/);
  expect(await watches()).toMatchObject([{ max_price: 8_000, offer_class: 'new' }]);
  const list = await guest.open(confirmed.headers.get('location') ?? '');
  expect(list.html).toContain('You are now watching this product at any store.');
});

test('shows users the product they watch, keeps a target price that was met, and saves changes', async () => {
  const { user, cookie } = await signIn(database);
  const visitor = testVisitor(site);
  const [name = '', value = ''] = cookie.split('=');
  visitor.cookies.set(name, value);
  const made = await visitor.send(form, { cadence: 'daily', condition: 'used', price: '' });
  expect(made.headers.get('location')).toBe('/price-alerts?watched-product');
  expect(await watches()).toMatchObject([
    { user_id: user.id, max_price: 3_999, offer_class: 'used', with_shipping: false },
  ]);
  expect((await visitor.open('/products/nova')).html).toContain('You watch this at any store');
  await database.db
    .updateTable('deals')
    .set({ sale_price: 3_500 })
    .where('status', '=', 'used')
    .execute();
  expect((await visitor.open(form)).html).toContain('value="39.99"');
  const fields = { cadence: 'weekly', condition: 'used', price: '39.99' };
  expect((await visitor.send(form, fields)).headers.get('location')).toContain('watched-product');
  expect(await watches()).toMatchObject([{ cadence: 'weekly', max_price: 3_999 }]);
});

test('refuses a product that does not exist', async () => {
  const guest = testVisitor(site, '203.0.113.9');
  expect((await guest.open(form.replace('nova', 'nowhere'))).status).toBe(422);
});

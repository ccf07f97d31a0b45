import { expect, test } from 'vitest';
import { mails } from '#app/mails.server.ts';
import { useCurrencyShop } from '#test/currency-shop.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { describeCurrencyChange } from './describe-currency-change.ts';
import { continueCurrencyChange, previewCurrencyChange } from './switch-currency.server.ts';

const database = useTestDatabase();
const { setCurrency, feed, ...shop } = useCurrencyShop(database);
const { theDeal, theLog, theProof } = shop;
const theHistory = () => shop.theHistory();

// Proves P2: a change of the currency relabels nothing (switch-currency.server.ts)
test('keeps logged prices in their currency, and hides deals until they have a price in the new one', async () => {
  await feed(129_950, 'USD');
  await setCurrency('EUR');
  expect(await theDeal()).toMatchObject({
    is_active: false,
    waits_for_price: true,
    currency: 'USD',
    sale_price: 129_950,
  });
  // In euros, the same number is another price.
  expect(await feed(129_950, 'EUR')).toMatchObject({ counts: { changed: 1, held: 0 } });
  expect(await theDeal()).toMatchObject({
    is_active: true,
    waits_for_price: false,
    currency: 'EUR',
  });
  expect(await theLog()).toEqual(['129950 USD', '129950 EUR']);
  expect(await theHistory()).toEqual([129_950]);
  // Prices in two currencies are not compared, so none is held for review.
  await setCurrency('KWD');
  expect(await feed(400, 'KWD')).toMatchObject({ counts: { changed: 1, held: 0 } });
  expect(await theHistory()).toEqual([400]);
  expect(await theProof()).toMatchObject({ lowest_ever: 400, currency: 'KWD', price: [400] });
});

test('makes deals live again when the former currency returns before any new price', async () => {
  await feed(4_000, 'USD');
  await feed(3_000, 'USD');
  await setCurrency('EUR');
  await setCurrency('USD');
  expect(await theDeal()).toMatchObject({ is_active: true, waits_for_price: false });
  expect(await theLog()).toEqual(['4000 USD', '3000 USD']);
  expect(await theProof()).toMatchObject({ lowest_ever: 3_000, currency: 'USD' });
});

test('pauses alerts until their currency returns, and notifies their owner with one email', async () => {
  const { db } = database;
  await feed(4_000, 'USD');
  const user = await insertUser(db);
  const { id: deal_id } = await theDeal();
  await db
    .insertInto('price_alerts')
    .values([
      { user_id: user.id, deal_id, kind: 'target', target_price: 3_000 },
      { user_id: user.id, deal_id, kind: 'any_drop' },
    ])
    .execute();
  await setCurrency('EUR');
  await continueCurrencyChange({ db });
  await feed(3_500, 'EUR');
  await feed(2_500, 'EUR');
  const fired = () =>
    db.selectFrom('price_alert_events').select('new_price').orderBy('id').execute();
  expect(await fired()).toEqual([]);
  const queued = await db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();
  expect(queued.map(({ kind, recipient }) => [kind, recipient])).toEqual([
    ['price-alerts-paused', user.email],
  ]);
  const alerts = await db
    .selectFrom('price_alerts')
    .select(['currency', 'is_active'])
    .orderBy('id')
    .execute();
  expect(alerts).toEqual([
    { currency: 'USD', is_active: true },
    { currency: 'USD', is_active: true },
  ]);
  const [mail] = queued;
  if (!mail) throw new Error('no mail');
  const write = (currency: string) => {
    const facts = { contactEmail: '', replyHours: null, postalAddress: '', timeZone: 'UTC' };
    const site = { name: 'Deals', origin: 'https://deals.example', currency, ...facts };
    return mails['price-alerts-paused']?.write(db, mail, site, 'send');
  };
  // A waiting email names the current currency.
  await setCurrency('JPY');
  expect((await write('JPY'))?.text).toContain('prices in JPY instead of USD');
  await setCurrency('USD');
  // No alert is paused any longer, so there is no reason to send the email.
  expect(await write('USD')).toBeNull();
  await feed(2_900, 'USD');
  expect((await fired()).map(({ new_price }) => new_price)).toEqual([2_900, 2_900]);
});

test('asks before a change of currency with consequences, and states their numbers', async () => {
  const { db } = database;
  expect(await previewCurrencyChange(db, 'EUR')).toBeNull();
  await feed(4_000, 'USD');
  expect(await previewCurrencyChange(db, 'USD')).toBeNull();
  // Expired deals are hidden anyway.
  await insertDeal(db, { expires_at: new Date(Date.now() - 1_000) });
  const change = await previewCurrencyChange(db, 'EUR');
  expect(change).toMatchObject({ from: 'USD', waiting: 1, returning: 0, alerts: 0 });
  expect(change && describeCurrencyChange(change)).toContain('1 live deal will be hidden');
});

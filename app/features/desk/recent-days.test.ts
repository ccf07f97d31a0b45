import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { rightsOf } from '#app/features/accounts/policy.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { listRecentFigures } from './recent-days.server.ts';

const database = useTestDatabase();
const now = new Date('2026-11-28T12:00:00Z');
const read = () => listRecentFigures(database.db, rightsOf('admin'), now);
const daysOf = async (label: string) => (await read()).find((one) => one.label === label)?.days;

async function insertSale(day: string, amount: number, currency: string, status = 'approved') {
  await sql`
    insert into earnings (network, transaction_id, status, amount, currency, day)
    values ('awin', ${`${day} ${amount} ${currency} ${status}`}, ${status}, ${amount}, ${currency}, ${day}::date)`.execute(
    database.db,
  );
}

async function insertSubscriber(email: string, at: string, isConfirmed = true) {
  await database.db
    .insertInto('newsletter_subscriptions')
    .values({
      email,
      subscribed_at: new Date(at),
      is_active: isConfirmed,
      confirmed_at: isConfirmed ? new Date(at) : null,
    })
    .execute();
}

test('shows zeros and no earnings when nothing happened', async () => {
  expect(await read()).toEqual([
    { label: 'Clicks to merchants', href: '/admin/clicks', days: ['0', '0', '0'] },
    { label: 'Earnings', href: '/admin/earnings', days: ['–', '–', '–'] },
    { label: 'Earnings per click', href: '/admin/earnings', days: ['–', '–', '–'] },
    { label: 'Price drops', href: '/deals?evidence=fell', days: ['0', '0', '0'] },
    { label: 'New subscribers', href: '/admin/subscriptions?status=active', days: ['0', '0', '0'] },
  ]);
});

test('counts each of the site’s clicks once, although categories have their own counts', async () => {
  const day = (kind: 'site' | 'category', place: number, on: string, count: number) => ({
    kind,
    place_id: place,
    day: on,
    count,
  });
  await database.db
    .insertInto('click_days')
    .values([
      day('site', 0, '2026-11-28', 1200),
      day('category', 7, '2026-11-28', 3),
      day('site', 0, '2026-11-26', 5),
      day('site', 0, '2026-11-25', 9),
    ])
    .execute();
  expect(await daysOf('Clicks to merchants')).toEqual(['1,200', '0', '5']);
});

test('sums earnings separately by currency, without declined sales', async () => {
  await insertSale('2026-11-27', 1000, 'USD');
  await insertSale('2026-11-27', 250, 'USD', 'pending');
  await insertSale('2026-11-27', 300, 'EUR');
  await insertSale('2026-11-27', 9900, 'USD', 'declined');
  await insertSale('2026-11-26', 100, 'EUR');
  expect(await daysOf('Earnings')).toEqual(['–', '$12.50 + €3.00', '€1.00']);
});

test('counts confirmed subscribers by the UTC day of their subscription', async () => {
  await insertSubscriber('a@example.com', '2026-11-28T00:00:00Z');
  await insertSubscriber('b@example.com', '2026-11-27T23:59:59Z');
  await insertSubscriber('c@example.com', '2026-11-25T23:59:59Z');
  await insertSubscriber('d@example.com', '2026-11-28T01:00:00Z', false);
  expect(await daysOf('New subscribers')).toEqual(['1', '1', '0']);
});

test('counts a deal whose price dropped, but none whose price rose', async () => {
  const [fallen, risen] = [await insertDeal(database.db), await insertDeal(database.db)];
  const change = (id: number, price: number) =>
    database.db.updateTable('deals').set({ sale_price: price }).where('id', '=', id).execute();
  await change(fallen.id, fallen.sale_price - 1);
  await change(risen.id, risen.sale_price + 1);
  const figures = await listRecentFigures(database.db, rightsOf('admin'), new Date());
  const { days = [] } = figures.find(({ label }) => label === 'Price drops') ?? {};
  expect(days.reduce((sum, day) => sum + Number(day), 0)).toBe(1);
});

test('counts a price drop on the UTC day when the higher price ended', async () => {
  await sql`alter table price_proofs disable trigger user`.execute(database.db);
  for (const at of ['2026-11-28T00:00:00Z', '2026-11-27T23:59:59Z', '2026-11-25T23:59:59Z']) {
    const { id } = await insertDeal(database.db);
    await sql`update price_proofs set higher_until = ${at}::timestamptz where deal_id = ${id}`.execute(
      database.db,
    );
  }
  await sql`alter table price_proofs enable trigger user`.execute(database.db);
  expect(await daysOf('Price drops')).toEqual(['1', '1', '0']);
});

test('omits a metric when the user may not view the list behind it', async () => {
  const figures = await listRecentFigures(database.db, new Set(['catalog.read'] as const), now);
  expect(figures.map(({ label }) => label)).toEqual(['Clicks to merchants', 'Price drops']);
});

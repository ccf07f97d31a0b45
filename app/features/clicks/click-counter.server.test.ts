import { expect, test } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { ClickCounter, isProgram } from './click-counter.server.ts';
import { findOutDeal } from './click-queries.server.ts';

const database = useTestDatabase();
const errors: unknown[] = [];
const aCounter = () => new ClickCounter(database.db, (error) => errors.push(error));
const readClicks = () =>
  database.db
    .selectFrom('clicks')
    .select(['deal_id', 'day', 'count'])
    .orderBy('deal_id')
    .orderBy('day')
    .execute();
const noon = new Date('2026-11-20T12:00:00Z');
const dayAfter = new Date('2026-11-21T00:00:00Z');

test('clicks add up by deal and day, over several flushes', async () => {
  const deal = await insertDeal(database.db);
  const counter = aCounter();
  counter.count(deal.id, noon);
  counter.count(deal.id, noon);
  counter.count(deal.id, dayAfter);
  expect(await readClicks()).toEqual([]);
  await counter.flush();
  counter.count(deal.id, noon);
  await counter.flush();
  expect(await readClicks()).toEqual([
    { deal_id: deal.id, day: '2026-11-20', count: 3 },
    { deal_id: deal.id, day: '2026-11-21', count: 1 },
  ]);
});

test('clicks on a deal deleted meanwhile are dropped, and the others kept', async () => {
  const deal = await insertDeal(database.db);
  const counter = aCounter();
  counter.count(deal.id + 1, noon);
  counter.count(deal.id, noon);
  await counter.flush();
  expect(await readClicks()).toEqual([{ deal_id: deal.id, day: '2026-11-20', count: 1 }]);
});

test('clicks that cannot be written wait for the next flush', async () => {
  const deal = await insertDeal(database.db);
  const counter = aCounter();
  counter.count(deal.id, noon);
  await database.pool.query('alter table clicks rename to away');
  await counter.flush();
  await database.pool.query('alter table away rename to clicks');
  expect(errors).toHaveLength(1);
  await counter.flush();
  expect(await readClicks()).toEqual([{ deal_id: deal.id, day: '2026-11-20', count: 1 }]);
});

test('programs are told from people by what they call themselves', () => {
  expect(isProgram(null)).toBe(true);
  expect(isProgram('Googlebot/2.1 (+http://www.google.com/bot.html)')).toBe(true);
  expect(isProgram('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
    false,
  );
});

test('a deal leads out while it is active, and says when it is over', async () => {
  const merchant = await insertMerchant(database.db, {
    affiliate_template: '?tag=a',
    affiliate_sub_id: 's',
  });
  const deal = await insertDeal(database.db, { merchant_id: merchant.id });
  const past = await insertDeal(database.db, { expires_at: new Date(Date.now() - 1_000) });
  const hidden = await insertDeal(database.db, { is_active: false });
  expect(await findOutDeal(database.db, deal.id)).toEqual({
    id: deal.id,
    slug: deal.slug,
    deal_url: deal.deal_url,
    is_expired: false,
    affiliate_template: '?tag=a',
    affiliate_sub_id: 's',
  });
  expect((await findOutDeal(database.db, past.id))?.is_expired).toBe(true);
  expect(await findOutDeal(database.db, hidden.id)).toBeNull();
  expect(await findOutDeal(database.db, 999)).toBeNull();
});

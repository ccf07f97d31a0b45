import { describe, expect, test } from 'vitest';
import * as fc from '#test/fast-check.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { checkDiscounts } from './check-discounts.server.ts';
import {
  type CheckedReduction,
  describeGaps,
  describeReduction,
  describeShare,
  figuresOf,
  listOf,
  reductionLists,
  type StoreCheck,
  summariseCheck,
  wilsonInterval,
} from './discount-check.ts';
import { findStoreCheck, listReductions } from './discount-check-queries.server.ts';
import { leaveOutReduction } from './leave-out-reduction.server.ts';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import { findPriceNotes } from './price-notes-queries.server.ts';
import { showReduction } from './show-reduction.ts';

const database = useTestDatabase();

async function raiseOf(id: number) {
  const deal = await findDealById(database.db, id);
  if (!deal) throw new Error('the deal is gone');
  return (await findPriceNotes(database.db, deal)).raise;
}
const day = 86_400_000;
const cases = fc
  .integer({ min: 1, max: 100_000 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

describe('the confidence interval of a share', () => {
  test('computes an interval within 0 and 1 that contains the share, with bounds where the score test is 1.96', () => {
    fc.assert(
      fc.property(cases, ([hits, n]) => {
        const share = hits / n;
        const { low, high } = wilsonInterval(hits, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(share);
        expect(high).toBeGreaterThanOrEqual(share);
        for (const bound of [low, high]) {
          if (bound === 0 || bound === 1) continue;
          const score = Math.abs(share - bound) / Math.sqrt((bound * (1 - bound)) / n);
          expect(score).toBeCloseTo(1.959_964, 5);
        }
      }),
    );
  });

  test('computes the mirrored interval for misses, and a narrower one for more cases', () => {
    fc.assert(
      fc.property(cases, ([hits, n]) => {
        const one = wilsonInterval(hits, n);
        const other = wilsonInterval(n - hits, n);
        expect(one.low).toBeCloseTo(1 - other.high, 9);
        const more = wilsonInterval(hits * 4, n * 4);
        expect(more.high - more.low).toBeLessThan(one.high - one.low);
      }),
    );
  });

  test('shows an interval, rounded outward, for at least 50 cases and at most 15 points', () => {
    expect(describeShare(495, 812)).toEqual({ share: '61%', range: '57–65%' });
    expect(describeShare(49, 49)).toBeNull();
    expect(describeShare(50, 50)).toEqual({ share: '100%', range: '92–100%' });
    expect(describeShare(50, 100)).toBeNull(); // 19 points
    expect(describeShare(0, 0)).toBeNull();
  });
});

const check: StoreCheck = {
  counted_at: new Date(),
  announced: 1_240,
  checked: 812,
  matched: 495,
  smaller: 200,
  nothing: 117,
  raised: 41,
  left_out: 3,
  median_announced: 34.2,
  median_seen: 18.6,
  watched_long: 40,
  never_seen: 12,
  feed_days: 90,
  read_days: 84,
  gap_from: '2026-08-03',
  gap_days: 3,
  lows: [],
};
const wordsOf = (one: StoreCheck) => figuresOf(one).map(({ value, words }) => `${value} ${words}`);

describe('the statistics of a store', () => {
  test('reports shares with intervals, medians and exclusions for many cases', () => {
    expect(wordsOf(check)).toEqual([
      '1,240 reductions announced in 90 days',
      '812 that we could check: logged for 30 days or more before',
      '61% matched our log within 5 points (57–65%)',
      '34% median announced, 19% median in our log',
      '41 were raised by 5% or more in the 30 days before',
      '12 of 40 crossed-out prices never seen in 180 days or more, checked on each of them',
      '3 left out as feed errors',
    ]);
    expect(summariseCheck(check)).toBe('61% of 812 checked reductions matched our log');
  });

  test('reports only counts for few cases', () => {
    const few = { ...check, announced: 9, checked: 7, matched: 1, raised: 1, watched_long: 0 };
    expect(wordsOf({ ...few, left_out: 0 })).toEqual([
      '9 reductions announced in 90 days',
      '7 that we could check: logged for 30 days or more before',
      '1 of 7 matched our log within 5 points',
      '1 was raised by 5% or more in the 30 days before',
    ]);
    expect(summariseCheck(few)).toBe('1 of 7 checked reductions matched our log');
  });

  test('reports gaps in reading a store’s feed: their number and the longest, or that no feed is read', () => {
    expect(describeGaps(check)).toBe(
      'Its feed was read on 84 of the last 90 days; the longest gap was 3 days from Aug 3, 2026. What happened in a gap is not in our log.',
    );
    expect(describeGaps({ ...check, gap_days: 0, read_days: 90, gap_from: null })).toBe(
      'Its feed was read on each of the last 90 days.',
    );
    expect(describeGaps({ ...check, feed_days: 0 })).toContain('We read no feed');
  });
});

describe('the text for a reduction', () => {
  const began_at = new Date('2026-08-20T10:00Z');
  const reduction: CheckedReduction = {
    began_at,
    sale_price: 9_500,
    struck_price: 13_000,
    announced: 26.9,
    common90: 10_500,
    measured: 10_000,
    seen: 5,
    is_standing: false,
    logged_days: 200,
    read_days: 28,
    raised_at: new Date(began_at.getTime() - 12 * day),
    never_seen: true,
    verdict: 'smaller',
    left_out: null,
  };

  test('states both prices, the basis of comparison, and all facts about a reduction', () => {
    expect(describeReduction(reduction, 'USD', false)).toEqual({
      announced: 'Announced 27%: $95 instead of $130',
      facts: [
        'Our log shows 5%: $100 was the lowest price of the 30 days before.',
        'Raised by 5% or more 12 days before.',
        'Charged longest in the 90 days before: $105.',
        'Never sold at the crossed-out price in 200 days.',
        'Its feed was read on 28 of the 30 days before.',
      ],
    });
  });

  test('shows only percentages for a reduction if prices are hidden', () => {
    const told = describeReduction(reduction, 'USD', true);
    expect(JSON.stringify(told)).not.toContain('$');
    expect(told.announced).toBe('Announced 27%');
    expect(told.facts[0]).toBe('Our log shows 5%.');
  });

  test('explains why a reduction could not be checked, and whether it continues', () => {
    const unknown = { ...reduction, verdict: 'unknown' as const, seen: null, logged_days: 11 };
    expect(describeReduction(unknown, 'USD', false).facts[0]).toBe(
      'Logged for 11 days before: too short to check.',
    );
    expect(describeReduction({ ...unknown, logged_days: 60 }, 'USD', false).facts[0]).toContain(
      'Out of stock',
    );
    const standing = { ...reduction, is_standing: true, seen: 0, verdict: 'none' as const };
    expect(describeReduction(standing, 'USD', false)).toMatchObject({
      announced: 'Still 27%: $95 instead of $130',
      facts: expect.arrayContaining([
        'Our log shows no saving: $100 was charged longest in the 90 days before.',
      ]),
    });
  });
});

describe('the database’s lists', () => {
  const raised = [
    { daysAgo: 100, price: 1_000 },
    { daysAgo: 20, price: 1_300 },
    { daysAgo: 8, price: 1_000, struck: 1_300 },
  ];
  const honest = [
    { daysAgo: 100, price: 1_000 },
    { daysAgo: 9, price: 700, struck: 1_000 },
  ];
  const young = [{ daysAgo: 3, price: 700, struck: 1_000 }];

  async function plant(overrides: Parameters<typeof insertMerchant>[1] = {}) {
    const { id: merchantId } = await insertMerchant(database.db, overrides);
    const owner = { merchant_id: merchantId };
    const ids = {
      raised: await plantDeal(database.db, raised, owner),
      honest: await plantDeal(database.db, honest, owner),
      young: await plantDeal(database.db, young, owner),
    };
    await checkDiscounts(database);
    return { merchantId, ids };
  }

  test('lists as many checked reductions as were counted, newest first', async () => {
    const { merchantId, ids } = await plant();
    const actor = 'somebody';
    const left = await database.db
      .selectFrom('reduction_checks')
      .select('began_at')
      .where('deal_id', '=', ids.young)
      .executeTakeFirstOrThrow();
    const one = { merchantId, dealId: ids.young, beganAt: left.began_at, actor };
    expect(await leaveOutReduction(database.db, one, 'pack')).toBe(true);
    expect(await leaveOutReduction(database.db, one, 'pack')).toBe(false);
    const { check: found } = await findStoreCheck(database.db, merchantId);
    expect(found).toMatchObject({ announced: 2, checked: 2, matched: 1, nothing: 1, left_out: 1 });
    if (!found) return;
    for (const list of reductionLists) {
      const wanted = { merchantId, list, until: found.counted_at };
      const rows = await listReductions(database.db, wanted, { limit: 20, offset: 0 });
      expect([list, rows.length]).toEqual([list, listOf(found, list).count]);
    }
    const all = { merchantId, list: 'all' as const, until: found.counted_at };
    const rows = await listReductions(database.db, all, { limit: 20, offset: 0 });
    expect(rows.map(({ deal_id }) => deal_id)).toEqual([ids.raised, ids.honest]);
    expect(rows[0]?.steps.map(([, price]) => price)).toEqual([1_000, 1_300, 1_000]);
    expect(await leaveOutReduction(database.db, one, null)).toBe(true);
    expect((await findStoreCheck(database.db, merchantId)).check).toMatchObject({ left_out: 0 });
    const acts = await database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    expect(acts.map(({ action }) => action)).toEqual([
      'deal.leave-out-reduction',
      'deal.count-reduction',
    ]);
    expect(acts[0]?.after).toMatchObject({ left_out: 'pack' });
  });

  test('keeps an exclusion by staff when everything is recomputed', async () => {
    const { merchantId, ids } = await plant();
    const row = await database.db
      .selectFrom('reduction_checks')
      .select('began_at')
      .where('deal_id', '=', ids.raised)
      .executeTakeFirstOrThrow();
    const one = { merchantId, dealId: ids.raised, beganAt: row.began_at, actor: 'somebody' };
    await leaveOutReduction(database.db, one, 'currency');
    await database.pool.query('select check_discounts_anew()');
    await checkDiscounts(database);
    expect((await findStoreCheck(database.db, merchantId)).check).toMatchObject({ left_out: 1 });
    expect(await raiseOf(ids.raised)).toBeNull();
  });

  test('reports a price increase only for its own reduction', async () => {
    const { ids } = await plant();
    const raise = await raiseOf(ids.raised);
    expect(raise && Math.round((raise.began_at.getTime() - raise.raised_at.getTime()) / day)).toBe(
      12,
    );
    expect(await raiseOf(ids.honest)).toBeNull();
    await database.db
      .updateTable('deals')
      .set({ sale_price: 1_300, original_price: null })
      .where('id', '=', ids.raised)
      .execute();
    expect(await raiseOf(ids.raised)).toBeNull();
  });

  test('reveals neither hidden prices nor names of hidden deals in the lists of a check', async () => {
    const { merchantId, ids } = await plant({ hide_price_after_hours: 1 });
    const past = new Date(Date.now() - 5 * 3_600_000);
    await database.db.updateTable('deals').set({ price_checked_at: past }).execute();
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', ids.honest)
      .execute();
    const wanted = { merchantId, list: 'all' as const, until: new Date() };
    const rows = await listReductions(database.db, wanted, { limit: 9, offset: 0 });
    const shown = rows.map((row) => showReduction(row, { currency: 'USD' }, new Date()));
    expect(shown.map(({ deal, line }) => [deal === null, line])).toEqual([
      [false, null],
      [false, null],
      [true, null],
    ]);
    expect(JSON.stringify(shown)).not.toContain('$');
    await database.db.updateTable('merchants').set({ keep_history: false }).execute();
    expect(await listReductions(database.db, wanted, { limit: 9, offset: 0 })).toEqual([]);
    expect((await findStoreCheck(database.db, merchantId)).check).toBeNull();
  });

  test('restores discount checks with deleted deals', async () => {
    const { ids } = await plant();
    const batch = '00000000-0000-4000-8000-000000000001';
    const all = database.db.selectFrom('reduction_checks').selectAll().orderBy('deal_id');
    const before = await all.execute();
    await database.pool.query('select delete_deals($1, $2, $3)', [[ids.raised], batch, 'somebody']);
    expect((await all.execute()).length).toBe(before.length - 1);
    await database.pool.query(`select restore_deal(snapshot, 'back') from deleted_deals`);
    expect(await all.execute()).toEqual(before);
  });
});

import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import type { Availability } from '#database/schema/catalog-tables.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { useTestDatabase } from '#test/database.ts';
import { isPriceHidden } from './hide-price.ts';
import { judgePrice } from './judge-price.ts';
import { judgeClaim } from './price-claims.ts';
import { describeProof, noProof } from './price-proof.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';
import { sparklineHeight, sparklinePath, sparklineWidth } from './sparkline.ts';

const database = useTestDatabase();
const day = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);

/** Creates a deal with these prices at these ages in days. The last price is the current one. */
async function aDealWithLog(
  steps: [age: number, price: number, availability?: Availability][],
  original_price: number | null = null,
) {
  const [age, price, availability = 'in_stock'] = steps.at(-1) ?? [0, 1000];
  const deal = await insertDeal(database.db, {
    sale_price: price,
    original_price,
    availability,
    price_source: 'demo', // The log below replaces the line that the trigger wrote.
    price_since: daysAgo(age),
  });
  await database.db
    .insertInto('price_log')
    .values(
      steps.map(([at, sale_price, state = 'in_stock']) => ({
        deal_id: deal.id,
        at: daysAgo(at),
        sale_price,
        availability: state,
        source: 'import' as const,
      })),
    )
    .execute();
  return deal;
}

const lowBefore = async (...steps: Parameters<typeof aDealWithLog>[0]) => {
  const deal = await aDealWithLog(steps);
  await database.db
    .updateTable('deals')
    .set({ sale_price: 777 })
    .where('id', '=', deal.id)
    .execute();
  const { low_30_before } = await database.db
    .selectFrom('deals')
    .select('low_30_before')
    .where('id', '=', deal.id)
    .executeTakeFirstOrThrow();
  return low_30_before;
};

const checked = (hours: number, limit: number | null) => ({
  price_checked_at: new Date(0),
  merchant: { hide_price_after_hours: limit },
  now: new Date(hours * 3_600_000),
});

async function proofText(...args: Parameters<typeof aDealWithLog>): Promise<string> {
  const deal = await aDealWithLog(...args);
  const proof = (await findPriceProofs(database.db, [deal])).get(deal.id) ?? noProof;
  return describeProof(proof, deal, new Date(), 'USD').text;
}

describe('the one-line evidence (P7)', () => {
  test('shows “no history yet” without a log, or if the deal was seen only today', async () => {
    expect(
      describeProof(noProof, { sale_price: 1, availability: 'in_stock' }, new Date(), 'USD').text,
    ).toBe('No history yet');
    expect(await proofText([[0.1, 1000]])).toBe('No history yet');
  });

  test('never claims a lowest price on a page without history', async () => {
    const judgedAt = async (age: number) => {
      const deal = await aDealWithLog([[age, 1000]]);
      const proof = (await findPriceProofs(database.db, [deal])).get(deal.id) ?? noProof;
      const asked = {
        ...deal,
        is_expired: false,
        merchant: { name: 'A', hide_price_after_hours: null },
      };
      const price = judgePrice(asked, proof, defaultSettings, new Date());
      return [price?.proof.text, price?.lowestEver];
    };
    expect(await judgedAt(0.01)).toEqual(['No history yet', null]);
    expect(await judgedAt(12.5)).toEqual(['Same price for 12 days', 1000]);
  });

  test('counts the whole days of an earlier price', async () => {
    const steps: Parameters<typeof aDealWithLog>[0] = [
      [6.8, 2000],
      [1, 1000],
    ];
    const deal = await aDealWithLog(steps, 2000);
    const proof = (await findPriceProofs(database.db, [deal])).get(deal.id);
    expect(proof?.originalAskedDays).toBe(5);
  });

  test('shows how long a price has been unchanged', async () => {
    expect(await proofText([[12.5, 1000]])).toBe('Same price for 12 days');
  });

  test('never claims more days than were watched in the one-line evidence', async () => {
    expect(
      await proofText([
        [20.5, 2000],
        [1, 1000],
      ]),
    ).toBe('Lowest in 20 days');
  });

  test('calls a price below all others of a long log the lowest ever seen', async () => {
    expect(
      await proofText([
        [120, 2000],
        [60, 1500],
        [1, 1000],
      ]),
    ).toBe('Lowest ever seen');
  });

  test('calls a price equal to an earlier low the lowest in 90 days', async () => {
    expect(
      await proofText([
        [200, 1000],
        [150, 2000],
        [1, 1500],
      ]),
    ).toBe('Lowest in 90 days');
  });

  test('shows by how much a price is above its low', async () => {
    expect(
      await proofText([
        [100, 2000],
        [20, 1000],
        [1, 1400],
      ]),
    ).toBe('$4 above its low');
  });

  test('does not count a price out of stock as a low (P7b)', async () => {
    expect(
      await proofText([
        [100, 2000],
        [50, 500, 'out_of_stock'],
        [40, 2000],
        [1, 1500],
      ]),
    ).toBe('Lowest ever seen');
    expect(
      await proofText([
        [100, 2000],
        [1, 1500, 'out_of_stock'],
      ]),
    ).toBe('Out of stock when last checked');
  });

  test('does not count the time before a price came back in stock', async () => {
    expect(
      await proofText([
        [100, 500, 'out_of_stock'],
        [10.5, 2000],
      ]),
    ).toBe('Same price for 10 days');
  });

  test('claims a low from the first hours only for today', async () => {
    expect(
      await proofText([
        [0.5, 2000],
        [0.1, 1500],
      ]),
    ).toBe('Lowest today');
  });

  test('shows no evidence for a store that no longer allows a price log (P35d)', async () => {
    const deal = await aDealWithLog([
      [120, 2000],
      [1, 1000],
    ]);
    await database.db.updateTable('merchants').set({ keep_history: false }).execute();
    expect(await findPriceProofs(database.db, [deal])).toEqual(new Map());
  });
});

describe('the log', () => {
  // Proves P7: price log and proof (deals_after_update.sql)
  test('adds a row to the log only when the price, original price or availability changes', async () => {
    const deal = await insertDeal(database.db, { sale_price: 1000, price_source: 'feed' });
    const set = (values: object) =>
      database.db.updateTable('deals').set(values).where('id', '=', deal.id).execute();
    await set({ sale_price: 900 });
    await set({ title: 'Another title' });
    await set({ sale_price: 900 });
    await set({ original_price: 5000, price_source: 'admin' });
    await set({ availability: 'out_of_stock' });
    const rows = await database.db.selectFrom('price_log').selectAll().orderBy('id').execute();
    expect(
      rows.map((row) => [row.sale_price, row.original_price, row.availability, row.source]),
    ).toEqual([
      [1000, 3999, 'in_stock', 'feed'],
      [900, 3999, 'in_stock', 'feed'],
      [900, 5000, 'in_stock', 'admin'],
      [900, 5000, 'out_of_stock', 'admin'],
    ]);
  });

  test('keeps the price log append-only', async () => {
    const deal = await insertDeal(database.db);
    await expect(
      database.db
        .updateTable('price_log')
        .set({ sale_price: 1 })
        .where('deal_id', '=', deal.id)
        .execute(),
    ).rejects.toThrow('append-only');
  });

  // Proves P7: the log is only added to (price_log_keep_lines.sql)
  test('deletes log lines only together with their deal', async () => {
    const { db } = database;
    const deal = await insertDeal(db, { sale_price: 1000 });
    const other = await insertDeal(db, { sale_price: 1000 });
    await db.updateTable('deals').set({ sale_price: 900 }).execute();
    const lines = () =>
      db.selectFrom('price_log').select(['deal_id', 'sale_price']).orderBy('id').execute();
    const before = await lines();
    expect(before).toHaveLength(4);
    const some = db.deleteFrom('price_log').where('deal_id', '=', deal.id);
    await expect(some.where('sale_price', '=', 900).execute()).rejects.toThrow('append-only');
    await expect(sql`delete from price_log`.execute(db)).rejects.toThrow('append-only');
    expect(await lines()).toEqual(before);
    await db.deleteFrom('deals').where('id', '=', deal.id).execute();
    expect(await lines()).toEqual(before.filter(({ deal_id }) => deal_id === other.id));
  });

  test('does not log prices of a merchant whose program forbids it (P35d)', async () => {
    const merchant = await insertMerchant(database.db, { keep_history: false });
    const deal = await insertDeal(database.db, { merchant_id: merchant.id });
    await database.db
      .updateTable('deals')
      .set({ sale_price: 5 })
      .where('id', '=', deal.id)
      .execute();
    expect(await database.db.selectFrom('price_log').selectAll().execute()).toEqual([]);
  });

  // Proves R51: price sanity (write-plan-queries.server.ts)
  test('R51: rejects a logged price of zero or less (P7b)', async () => {
    await expect(insertDeal(database.db, { sale_price: 0 })).rejects.toThrow('sale_price');
    await expect(insertDeal(database.db, { sale_price: -5 })).rejects.toThrow('sale_price');
  });
});

describe('the lowest price of the 30 days before the current one', () => {
  test('includes the price in force at the beginning of the 30-day window', async () => {
    expect(await lowBefore([100, 500], [50, 1500], [10, 2000])).toBe(1500);
    expect(await lowBefore([100, 500], [20, 1200], [10, 2000])).toBe(500);
  });

  test('excludes prices while out of stock from the 30-day low', async () => {
    expect(await lowBefore([100, 2000], [20, 100, 'out_of_stock'], [10, 1800])).toBe(1800);
  });

  test('returns no 30-day low for a deal without a log', async () => {
    const merchant = await insertMerchant(database.db, { keep_history: false });
    const deal = await insertDeal(database.db, { merchant_id: merchant.id });
    await database.db
      .updateTable('deals')
      .set({ sale_price: 777 })
      .where('id', '=', deal.id)
      .execute();
    const { rows } = await sql<{
      low: number | null;
    }>`select low_30_before as low from deals`.execute(database.db);
    expect(rows).toEqual([{ low: null }]);
  });
});

describe('claims (P7a)', () => {
  const deal = {
    sale_price: 7999,
    original_price: 14_999,
    discount_percent: 47,
    observed_percent: 20,
    checked_percent: 47,
    low_30_before: 9999,
    reference_price: null,
    price_since: daysAgo(5),
    merchant: { name: 'Northwind Audio' },
  };
  const site = { currency: 'USD', timeZone: 'UTC', wasPriceDays: 14 };
  const watched = { ...noProof, watchedSince: daysAgo(100) };

  test('shows the two prices as the store’s claim when claims are set to claimed', () => {
    const claim = judgeClaim(deal, watched, { ...site, priceClaims: 'claimed' });
    expect(claim).toMatchObject({ percent: 47, was: 14_999, saved: 7000, basis: 'claimed' });
    expect(claim.evidence).toBe(
      '$149.99 is Northwind Audio’s own claim. We have not seen the store charge it.',
    );
  });

  test('states that our own log saw the original price when claims are set to claimed', () => {
    const claim = judgeClaim(
      deal,
      { ...watched, originalSeenUntil: new Date('2026-11-03T10:00:00Z'), originalAskedDays: 20 },
      { ...site, priceClaims: 'claimed' },
    );
    expect(claim.evidence).toBe(
      'We saw the store charge $149.99 for 20 days of the last 90, until Nov 3, 2026.',
    );
  });

  test('uses the lowest price of the preceding 30 days when claims are set to observed', () => {
    const claim = judgeClaim(deal, watched, { ...site, priceClaims: 'observed' });
    expect(claim).toMatchObject({ percent: 20, was: 9999, saved: 2000, basis: 'observed' });
  });

  // Proves P7a: claims (judge-price.ts)
  test('shows no percentage and no struck price without that history when claims are set to observed', () => {
    const claim = judgeClaim({ ...deal, low_30_before: null }, watched, {
      ...site,
      priceClaims: 'observed',
    });
    expect(claim).toMatchObject({ percent: null, was: null, saved: null, basis: 'none' });
  });

  test('claims nothing for a price that is not reduced when claims are set to observed', () => {
    const claim = judgeClaim({ ...deal, low_30_before: 7000 }, watched, {
      ...site,
      priceClaims: 'observed',
    });
    expect(claim).toMatchObject({ percent: null, was: null, saved: null });
  });

  test('claims nothing for an original price that is not higher', () => {
    const claim = judgeClaim({ ...deal, original_price: 7999 }, watched, {
      ...site,
      priceClaims: 'claimed',
    });
    expect(claim).toMatchObject({ percent: null, was: null, saved: null });
  });

  test('determines from the log itself whether it saw the original price', async () => {
    const seen = await aDealWithLog(
      [
        [40, 3000],
        [10, 2000],
      ],
      3000,
    );
    const unseen = await aDealWithLog([[10, 2000]], 3000);
    const unavailable = await aDealWithLog(
      [
        [40, 3000, 'out_of_stock'],
        [10, 2000],
      ],
      3000,
    );
    const proofs = await findPriceProofs(database.db, [seen, unseen, unavailable]);
    expect(proofs.get(unavailable.id)?.originalSeenUntil).toBeNull();
    expect(proofs.get(seen.id)?.originalSeenUntil?.getTime()).toBeCloseTo(
      daysAgo(10).getTime(),
      -4,
    );
    expect(proofs.get(unseen.id)?.originalSeenUntil).toBeNull();
  });
});

test('hides a price older than the merchant’s program allows (P35d)', () => {
  const { now, ...deal } = checked(25, 24);
  expect(isPriceHidden(deal, now)).toBe(true);
  expect(isPriceHidden(checked(24, 24), new Date(24 * 3_600_000))).toBe(false);
  expect(isPriceHidden(checked(9999, null), new Date(9e9))).toBe(false);
});

test('keeps a sparkline within its box for any prices', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 2_000_000_000 })),
        {
          minLength: 2,
          maxLength: 40,
        },
      ),
      (steps) => {
        const now = new Date(90 * day);
        const points = steps
          .map(([at, price]) => ({ at: new Date(at * day), price }))
          .toSorted((a, b) => a.at.getTime() - b.at.getTime());
        const path = sparklinePath(points, now) ?? '';
        const xs = [...path.matchAll(/[MH](-?[\d.]+)/g)].map((match) => Number(match[1]));
        const ys = [...path.matchAll(/(?:V| )(-?[\d.]+)/g)].map((match) => Number(match[1]));
        expect(xs.every((x) => x >= 0 && x <= sparklineWidth)).toBe(true);
        expect(ys.every((y) => y >= 0 && y <= sparklineHeight)).toBe(true);
        expect(xs).toEqual(xs.toSorted((a, b) => a - b));
      },
    ),
  );
});

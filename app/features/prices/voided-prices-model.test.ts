import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { type PlantedPrice, plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';
import { forecastPrices } from './forecast-prices.server.ts';
import { readPriceHistory } from './price-history-queries.server.ts';

// Compares every deal with a twin whose log never had the voided lines. All derived data must be
// equal.

const database = useTestDatabase();
const day = 86_400_000;

type Line = PlantedPrice & { isSlip: boolean };

const price = fc.constantFrom(600, 700, 800, 1_000, 1_200);
const logs: fc.Arbitrary<Line[]> = fc
  .uniqueArray(
    fc.record({
      daysAgo: fc.integer({ min: 1, max: 300 }),
      price,
      struck: fc.option(fc.constantFrom(1_000, 1_500)),
      isSlip: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
    }),
    { minLength: 8, maxLength: 20, size: 'max', selector: ({ daysAgo }) => daysAgo },
  )
  .map((list) => list.toSorted((a, b) => b.daysAgo - a.daysAgo))
  .map((list) => [
    { daysAgo: 320, price: 1_000, struck: null, isSlip: false },
    ...list.map((line, n) => (n === list.length - 1 ? { ...line, isSlip: false } : line)),
  ]);

/** Returns everything derived from a log, without deal names. */
async function madeOf(id: number) {
  const { db } = database;
  const { rows: deals } = await sql<Record<string, unknown>>`
    select d.low_30_before, d.reference_price, d.checked_percent, d.observed_percent,
           extract(epoch from now() - d.price_since)::int / 86400 as days,
           p.lowest_ever, p.lowest_before, p.below_usual, p.usual_price, p.claim_seen_until is null as is_unseen, p.price, p.low
      from deals d left join price_proofs p on p.deal_id = d.id where d.id = ${id}`.execute(db);
  const { rows: checks } = await sql<Record<string, unknown>>`
    select began_at::date as day, sale_price, struck_price, announced, low30, common90, measured, seen, is_standing, verdict
      from reduction_checks where deal_id = ${id} order by began_at`.execute(db);
  const { rows: forecasts } = await sql<Record<string, unknown>>`
    select made_on, price, share, low, high, logged_days, near_days from deal_forecasts where deal_id = ${id}`.execute(
    db,
  );
  const proof = (await findPriceProofs(db, [{ id, original_price: null }])).get(id);
  const usual = proof?.usual?.price ?? null;
  const chart = (await readPriceHistory(db, id, null)).map((line) => line.sale_price);
  return { deals, checks, forecasts, usual, chart };
}

const check = (ids: number[]) =>
  sql`select check_reductions(${ids}::bigint[], '-infinity')`.execute(database.db);

test('derives no data from a voided line', async () => {
  const { db } = database;
  const owners = {
    category_id: (await insertCategory(db)).id,
    merchant_id: (await insertMerchant(db)).id,
  };
  const pairs: { id: number; twin: number; slips: Date[] }[] = [];
  const seen = { checks: 0, forecasts: 0, differed: 0 };
  for (const log of fc.sample(logs, { numRuns: 40, seed: 7 })) {
    const id = await plantDeal(db, log, owners);
    const twin = await plantDeal(
      db,
      log.filter(({ isSlip }) => !isSlip),
      owners,
    );
    const slips = log
      .filter(({ isSlip }) => isSlip)
      .map(({ daysAgo }) => new Date(Date.now() - daysAgo * day));
    pairs.push({ id, twin, slips });
  }
  const ids = pairs.flatMap(({ id, twin }) => [id, twin]);
  await sql`select settle_prices(${ids}::bigint[])`.execute(db);
  await check(ids);
  await forecastPrices({ db, now: () => new Date() });
  for (const { id, twin } of pairs) {
    const [one, other] = [await madeOf(id), await madeOf(twin)];
    if (JSON.stringify(one) !== JSON.stringify(other)) seen.differed += 1;
  }
  for (const { id, slips } of pairs) {
    // Lines are voided one after another, as staff would do.
    for (const slip of slips) {
      await sql`
        insert into price_voids (line_id, deal_id, actor, reason)
          select id, deal_id, 'u1', 'A slip' from price_log
           where deal_id = ${id} and at between ${slip}::timestamptz - interval '12 hours' and ${slip}::timestamptz + interval '1 hour'`.execute(
        db,
      );
    }
  }
  await forecastPrices({ db, now: () => new Date(Date.now() + day) });
  for (const { id, twin } of pairs) {
    const [one, other] = [await madeOf(id), await madeOf(twin)];
    expect(one).toEqual(other);
    seen.checks += one.checks.length;
    seen.forecasts += one.forecasts.length;
  }
  expect(seen.checks).toBeGreaterThan(30);
  expect(seen.forecasts).toBeGreaterThan(10);
  expect(seen.differed).toBeGreaterThan(20);
});

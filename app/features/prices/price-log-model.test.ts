import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import type { Availability } from '#database/schema/catalog-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { type PriceHistoryEntry, readPriceHistory } from './price-history-queries.server.ts';
import { describeProof, noProof } from './price-proof.ts';
import { ageStandings } from './age-standings-job.server.ts';
import { listDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';

// Compares the database's results for a log with a naive implementation of the rules over the same
// entries.

const database = useTestDatabase();
const hour = 3_600_000;
const day = 24 * hour;

interface Entry {
  /** The age in hours, at half hours, so that no entry is exactly at the edge of a window. */
  hoursAgo: number;
  price: number;
  availability: Availability;
  /** Whether the line is voided, which must have no effect. */
  isSlip?: boolean;
}

const entries = fc
  .uniqueArray(
    fc.record({
      hoursAgo: fc.oneof(
        fc.integer({ min: 0, max: 200 * 24 }),
        // Entries are concentrated around the edges of the windows.
        fc.integer({ min: 30 * 24 - 3, max: 30 * 24 + 3 }),
        fc.integer({ min: 90 * 24 - 3, max: 90 * 24 + 3 }),
      ),
      price: fc.integer({ min: 1, max: 12 }).map((dollars) => dollars * 100),
      availability: fc.constantFrom<Availability>('in_stock', 'out_of_stock', 'unknown'),
      isSlip: fc.integer({ max: 5, min: 0 }).map((n) => n === 5),
    }),
    { minLength: 1, maxLength: 12, selector: (entry) => entry.hoursAgo },
  )
  .map((list) => list.toSorted((a, b) => b.hoursAgo - a.hoursAgo))
  .map((list) =>
    list.map((entry, n) => (n === list.length - 1 ? { ...entry, isSlip: false } : entry)),
  );

let category = 0;
let merchant = 0;

/**
 * Creates a deal with exactly this log, whose newest entry is the current price. Returns the
 * entries that are not voided, with their times.
 */
async function dealWithLog(log: readonly Entry[], originalPrice: number | null) {
  category ||= (await insertCategory(database.db)).id;
  merchant ||= (await insertMerchant(database.db)).id;
  const now = Date.now() - hour / 2;
  const timed = log.map((entry) => ({ ...entry, at: now - entry.hoursAgo * hour }));
  const counted = timed.filter(({ isSlip }) => !isSlip);
  const newest = counted.at(-1);
  if (!newest) throw new Error('a log has at least one entry');
  const deal = await insertDeal(database.db, {
    category_id: category,
    merchant_id: merchant,
    sale_price: newest.price,
    original_price: originalPrice,
    availability: newest.availability,
    price_source: 'demo', // Demo prices do not write log lines.
    price_since: new Date(sinceOf(counted)),
  });
  await database.db
    .insertInto('price_log')
    .values(
      timed.map(({ at, price, availability }) => ({
        deal_id: deal.id,
        at: new Date(at),
        sale_price: price,
        availability,
        source: 'import' as const,
      })),
    )
    .execute();
  const slips = timed.filter(({ isSlip }) => isSlip).map(({ at }) => new Date(at));
  if (slips.length > 0) {
    await sql`insert into price_voids (line_id, deal_id, actor, reason)
      select id, deal_id, 'u1', 'A slip' from price_log where deal_id = ${deal.id} and at = any(${slips}::timestamptz[])`.execute(
      database.db,
    );
  }
  return { deal, timed: counted };
}

/** Every run adds its own deals, which also proves that no log affects another. */
const runs = { numRuns: 120 };
const reset = () => {
  category = 0;
  merchant = 0;
};

const isOffer = ({ availability }: { availability: Availability }) =>
  availability !== 'out_of_stock';
const lowest = (prices: number[]) => (prices.length > 0 ? Math.min(...prices) : null);

type Timed = Entry & { at: number };

/** Returns the start of the current price: the first of the newest lines that have this price. */
function sinceOf(log: readonly Timed[]): number {
  const price = log.at(-1)?.price;
  return log[log.findLastIndex((line) => line.price !== price) + 1]?.at ?? 0;
}

/** Returns the lowest price within the last days, including the one in force at their beginning. */
function lowestInDays(log: readonly Timed[], days: number): number | null {
  const opens = Date.now() - days * day;
  const opening = log.findLast(({ at }) => at < opens);
  const within = log.filter(({ at }) => at >= opens);
  const asked = opening ? [opening, ...within] : within;
  return lowest(asked.filter(isOffer).map(({ price }) => price));
}

/** Returns on how many of the last 90 days this price was available. */
function daysAsked(log: readonly Timed[], price: number | null): number {
  const opens = Date.now() - 90 * day;
  const times = log.map(({ at }, n) => {
    const end = log[n + 1]?.at ?? Date.now();
    return Math.max(0, end - Math.max(at, opens));
  });
  const asked = times.filter((_, n) => log[n] && isOffer(log[n]) && log[n].price === price);
  return Math.floor(asked.reduce((sum, time) => sum + time, 0) / day);
}

/** Returns the available price in each hour of the last 90 days. */
function askedByHours(log: readonly Timed[]): number[] {
  const hours = Array.from({ length: 90 * 24 }, (_, n) => Date.now() - (n + 0.25) * hour);
  return hours.flatMap((moment) => {
    const step = log.findLast(({ at }) => at <= moment);
    return step && isOffer(step) ? [step.price] : [];
  });
}

/** Returns how many days ago an available price last matched `isMeant`. */
function daysSince(log: readonly Timed[], isMeant: (price: number) => boolean): number {
  const steps = log.map((step, n) => ({ ...step, until: log[n + 1]?.at ?? Date.now() }));
  const last = steps.findLast((step) => isOffer(step) && isMeant(step.price));
  return last ? (Date.now() - last.until) / day : Infinity;
}

describe('the evidence of a price', () => {
  // Proves P7: lists by evidence, each from our own log (price_standing.sql)
  test('filters and sorts lists by price evidence like a naive query on the log', async () => {
    reset();
    const told = { low: 0, fell: 0, best: 0 };
    await fc.assert(
      fc.asyncProperty(entries, async (log) => {
        const { deal, timed } = await dealWithLog(log, null);
        const price = deal.sale_price;
        const isIn = async (evidence: 'low' | 'fell') => {
          const services = { db: database.db };
          const filter = { evidence, categoryId: category };
          const list = await listDeals(services, { filter, sort: 'newest', page: 1 });
          return list.deals.some(({ id }) => id === deal.id);
        };
        const [lower, higher] = [
          daysSince(timed, (other) => other < price),
          daysSince(timed, (other) => other > price),
        ];
        const isOn = deal.availability !== 'out_of_stock';
        const watched = (Date.now() - (timed.find(isOffer)?.at ?? Date.now())) / day;
        const expected = {
          low: isOn && higher < 90 && lower >= 90 && watched >= 14,
          fell: isOn && higher < 7 && lower >= 7,
        };
        expect({ low: await isIn('low'), fell: await isIn('fell') }).toEqual(expected);
        const { usual } = (await findPriceProofs(database.db, [deal])).get(deal.id) ?? noProof;
        const { below_usual } = await database.db
          .selectFrom('price_proofs')
          .where('deal_id', '=', deal.id)
          .select('below_usual')
          .executeTakeFirstOrThrow();
        const below = usual && Math.floor((100 * (usual.price - price)) / usual.price);
        expect(below_usual).toBe(below && below > 0 ? below : null);
        told.low += expected.low ? 1 : 0;
        told.fell += expected.fell ? 1 : 0;
        told.best += below_usual === null ? 0 : 1;
        await database.db.deleteFrom('deals').where('id', '=', deal.id).execute();
      }),
      runs,
    );
    expect(Math.min(told.low, told.fell, told.best)).toBeGreaterThan(1);
  });

  test('stops reporting a price as below the usual one once it becomes the usual one', async () => {
    reset();
    const entry = (hoursAgo: number, price: number) => ({
      hoursAgo,
      price,
      availability: 'in_stock' as const,
    });
    const { deal } = await dealWithLog([entry(80 * 24, 2000), entry(24, 1500)], null);
    const below = async () =>
      (await database.db.selectFrom('price_proofs').select('below_usual').execute()).map(
        (row) => row.below_usual,
      );
    expect(await below()).toEqual([25]);
    // Simulates the passing of two months.
    const later = 60 * day;
    await sql`update price_proofs set at = array(select a - ${later}::bigint from unnest(at) a)`.execute(
      database.db,
    );
    await ageStandings(database.db);
    expect([deal.id, ...(await below())]).toEqual([deal.id, null]);
  });

  // Proves P7: what a deal usually costs (usual-price.ts)
  test('computes the usual price as from hourly samples', async () => {
    reset();
    let told = 0;
    await fc.assert(
      fc.asyncProperty(entries, async (log) => {
        const { deal, timed } = await dealWithLog(log, null);
        const { usual } = (await findPriceProofs(database.db, [deal])).get(deal.id) ?? noProof;
        const asked = askedByHours(timed);
        const count = (isMeant: (price: number) => boolean) => asked.filter(isMeant).length;
        const price = deal.sale_price;
        const hours = {
          days: asked.length,
          higher: count((other) => other > price),
          same: count((other) => other === price),
          lower: count((other) => other < price),
        };
        const isShort = hours.days < 15 * 24 || deal.availability === 'out_of_stock';
        expect(usual !== null || isShort).toBe(true);
        told += usual ? 1 : 0;
        // One hour more or less may change the day.
        const wrong = (['days', 'higher', 'same', 'lower'] as const).filter(
          (what) => usual && Math.abs(usual[what] - hours[what] / 24) > 1.1,
        );
        expect(wrong).toEqual([]);
        const middle = usual?.price ?? 0;
        const half = usual ? hours.days / 2 + 2 : Infinity;
        expect(count((other) => other < middle)).toBeLessThanOrEqual(half);
        expect(count((other) => other > middle)).toBeLessThanOrEqual(half);
      }),
      runs,
    );
    expect(told).toBeGreaterThan(20);
  });

  test('computes the same evidence as a naive query on the log', async () => {
    reset();
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.option(fc.integer({ min: 1, max: 12 }).map((dollars) => dollars * 100)),
        async (log, originalPrice) => {
          const { deal, timed } = await dealWithLog(log, originalPrice);
          const proof = (await findPriceProofs(database.db, [deal])).get(deal.id);
          const offers = timed.filter(isOffer);
          const since = sinceOf(timed);
          const asked = offers.findLast(({ price }) => price === originalPrice);
          const after = asked && timed.find(({ at }) => at > asked.at);
          expect(proof).toMatchObject({
            watchedSince: offers[0] ? new Date(offers[0].at) : null,
            lowestEver: lowest(offers.map(({ price }) => price)),
            lowestBefore: lowest(offers.filter(({ at }) => at < since).map(({ price }) => price)),
            lowest90: lowestInDays(timed, 90),
            lowest30: lowestInDays(timed, 30),
          });
          expect(proof?.originalAskedDays).toBe(asked ? daysAsked(timed, originalPrice) : 0);
          // For a price that is still in force, the time is now.
          const until = proof?.originalSeenUntil?.getTime() ?? null;
          const seen = until !== null && Date.now() - until < hour / 4 ? 'now' : until;
          expect(seen).toBe(asked ? (after?.at ?? 'now') : null);
        },
      ),
      runs,
    );
  });

  test('returns ninety days of points, starting with the price in force at their beginning', async () => {
    reset();
    await fc.assert(
      fc.asyncProperty(entries, async (log) => {
        const { deal, timed } = await dealWithLog(log, null);
        const points = (await findPriceProofs(database.db, [deal])).get(deal.id)?.points ?? [];
        const opens = Date.now() - 90 * day;
        const opening = timed.findLast(({ at }) => at < opens);
        const within = timed.filter(({ at }) => at >= opens);
        expect(points.map(({ price }) => price)).toEqual(
          (opening ? [opening, ...within] : within).map(({ price }) => price),
        );
        expect(points.slice(opening ? 1 : 0).map(({ at }) => at.getTime())).toEqual(
          within.map(({ at }) => at),
        );
        const opened = opening ? points[0]?.at.getTime() : opens;
        expect(Math.abs((opened ?? 0) - opens)).toBeLessThan(hour);
      }),
      runs,
    );
  });

  test('draws only the newest 16 steps of a long log, but finds all its lows', async () => {
    reset();
    const log = Array.from({ length: 60 }, (_, n) => ({
      hoursAgo: 60 - n,
      price: 1000 + n,
      availability: 'in_stock' as const,
    }));
    const { deal } = await dealWithLog(log, null);
    const proof = (await findPriceProofs(database.db, [deal])).get(deal.id);
    expect(proof?.points.map(({ price }) => price)).toEqual(
      log.slice(-16).map(({ price }) => price),
    );
    expect(proof?.lowestEver).toBe(1000);
  });

  test('updates the sparkline and claim immediately for a price that changes often', async () => {
    reset();
    const log = Array.from({ length: 60 }, (_, n) => offered(60 * 24 - n * 24, 1000 + n));
    const { deal } = await dealWithLog(log, 1001);
    const read = async (original_price: number | null) =>
      (await findPriceProofs(database.db, [{ id: deal.id, original_price }])).get(deal.id);
    const set = (sale_price: number) =>
      database.db.updateTable('deals').set({ sale_price }).where('id', '=', deal.id).execute();
    const first = await read(1001);
    expect(first).toMatchObject({ lowest90: 1000, originalAskedDays: 1 });
    expect(first?.usual).toMatchObject({ price: 1030, higher: 0 });
    expect(await read(null)).toMatchObject({ originalAskedDays: 0 });
    await database.db
      .insertInto('price_log')
      .values({ deal_id: deal.id, sale_price: 900, availability: 'in_stock', source: 'import' })
      .execute();
    expect(await read(1001)).toMatchObject({ lowest90: 900, usual: null });
    await set(900);
    const { usual } = (await read(1001)) ?? noProof;
    expect(usual).toMatchObject({ price: 1030, lower: 0 });
    expect(usual?.higher).toBe(usual?.days);
  });

  test('returns the same evidence for many deals together as for each separately', async () => {
    reset();
    const logs = fc.sample(entries, 12);
    const made = [];
    for (const log of logs) made.push((await dealWithLog(log, 300)).deal);
    const together = await findPriceProofs(database.db, made);
    expect(together.size).toBe(made.length);
    for (const deal of made) {
      const alone = (await findPriceProofs(database.db, [deal])).get(deal.id);
      const { originalSeenUntil: _a, points: _p, ...facts } = alone ?? {};
      expect(together.get(deal.id)).toMatchObject(facts);
    }
  });
});

describe('the stored evidence', () => {
  const claims = fc.option(fc.integer({ min: 1, max: 12 }).map((dollars) => dollars * 100));

  /**
   * Writes lines as changes of a deal do: one by one, each with the price and claim of that time.
   */
  async function writeLines(log: readonly (Entry & { claim: number | null })[]) {
    // The merchant keeps no history, so the deal has only these lines.
    merchant ||= (await insertMerchant(database.db, { keep_history: false })).id;
    const { id } = await insertDeal(database.db, { merchant_id: merchant, price_source: 'demo' });
    let price = 0;
    for (const line of log) {
      const at = new Date(Date.now() - (line.hoursAgo + 0.5) * hour);
      const begun = line.price === price ? {} : { price_since: at };
      price = line.price;
      const [{ claim: original_price, availability }, source] = [line, 'import'] as const;
      await database.db
        .updateTable('deals')
        .set({ original_price, ...begun })
        .where('id', '=', id)
        .execute();
      await database.db
        .insertInto('price_log')
        .values({ deal_id: id, at, sale_price: price, original_price, availability, source })
        .execute();
    }
    return id;
  }

  const readStored = (id: number) =>
    database.db
      .selectFrom('price_proofs')
      .selectAll()
      .where('deal_id', '=', id)
      .executeTakeFirstOrThrow();
  const rebuild = (id: number) =>
    sql`select rebuild_price_proofs(array[${id}::bigint])`.execute(database.db);

  // Proves P7: what cards say is kept beside the deal (price_log_keep_proofs.sql, rebuild_price_proofs.sql)
  test('P7: stores the same price summary after every log entry as a full rebuild would', async () => {
    reset();
    const lines = fc
      .tuple(entries, fc.array(claims, { minLength: 12, maxLength: 12 }))
      .map(([log, of]) =>
        log.map((entry, n) => ({ ...entry, claim: of[Math.floor(n / 3)] ?? null })),
      );
    await fc.assert(
      fc.asyncProperty(lines, async (log) => {
        const id = await writeLines(log);
        const kept = await readStored(id);
        await rebuild(id);
        expect(kept).toEqual(await readStored(id));
      }),
      { numRuns: 60 },
    );
  });

  test('keeps the stored summary small and its lows correct when a price changes hourly for a year', async () => {
    reset();
    const category_id = (await insertCategory(database.db)).id;
    const { id } = await insertDeal(database.db, {
      category_id,
      price_source: 'demo',
      sale_price: 500,
    });
    const wave = sql`1000 + 400 * sin(n / 50.0) - n / 40 + n * 37 % 100`;
    const insert = (from: number, to: number) =>
      sql`insert into price_log (deal_id, at, sale_price, availability, source)
          select ${id}, now() - n * interval '1 hour', ${wave}, 'in_stock', 'import' from generate_series(${from}::int, ${to}::int, -1) n`.execute(
        database.db,
      );
    await sql`update deals set price_since = now() - interval '2 years' where id = ${id}`.execute(
      database.db,
    );
    await insert(365 * 24, 200);
    for (let n = 199; n > 0; n -= 1) await insert(n, n);
    const kept = await readStored(id);
    expect(kept.at.length).toBeLessThan(170);
    const proof = (await findPriceProofs(database.db, [{ id, original_price: null }])).get(id);
    const { rows } = await sql<{ days: number; low: number }>`
      select days, (select min(sale_price) from price_log where deal_id = ${id} and at >= now() - days * interval '1 day') as low
        from unnest(array[30, 31, 90, 91]) days`.execute(database.db);
    const [low30, low31, low90, low91] = rows.map(({ low }) => low);
    expect(proof?.lowest30).toBeLessThanOrEqual(low30 ?? 0);
    expect(proof?.lowest30).toBeGreaterThanOrEqual(low31 ?? 0);
    expect(proof?.lowest90).toBeLessThanOrEqual(low90 ?? 0);
    expect(proof?.lowest90).toBeGreaterThanOrEqual(low91 ?? 0);
    expect(proof?.points).toHaveLength(16);
  });
});

/** Returns the median of hourly prices, if they were seen for long enough to be usual. */
function usualOf(log: readonly Timed[]): { price: number; hours: number } | null {
  const asked = askedByHours(log).toSorted((a, b) => a - b);
  return asked.length < 14 * 24
    ? null
    : { price: asked[Math.floor((asked.length - 1) / 2)] ?? 0, hours: asked.length };
}

describe('the reference price', () => {
  const read = (id: number) =>
    database.db
      .selectFrom('deals')
      .select(['reference_price', 'checked_percent', 'discount_percent'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  // Proves P7a: the lower of the “was” price that our log saw and the usual price (price_standing.sql)
  test('computes the same reference price as a naive query on the log, regardless of the writer', async () => {
    reset();
    const found = { unchecked: 0, usual: 0, was: 0, reduced: 0 };
    const claims = fc.option(fc.integer({ min: 1, max: 14 }).map((dollars) => dollars * 100));
    await fc.assert(
      fc.asyncProperty(entries, claims, async (log, was) => {
        const { deal, timed } = await dealWithLog(log, was);
        const row = await read(deal.id);
        const asked = askedByHours(timed).length;
        // Within an hour of the limits, both results are accepted.
        if (Math.abs(asked - 14 * 24) <= 1) return;
        const usual = usualOf(timed);
        const hoursAsked = askedByHours(timed).filter((price) => price === was).length;
        if (Math.abs(hoursAsked - 14 * 24) <= 1) return;
        const isWasSeen = was !== null && was > deal.sale_price && hoursAsked > 14 * 24;
        const expected =
          usual === null ? null : isWasSeen ? Math.min(was, usual.price) : usual.price;
        if (usual !== null && !isMedianClear(timed)) return;
        expect(row.reference_price).toBe(expected);
        const share = expected === null ? 0 : (expected - deal.sale_price) / expected;
        const percent = share < 0.01 ? 0 : Math.round(100 * share);
        expect(row.checked_percent).toBe(expected === null ? row.discount_percent : percent);
        const kind =
          expected === null ? 'unchecked' : isWasSeen && was === expected ? 'was' : 'usual';
        found[kind] += 1;
        if (share >= 0.01) found.reduced += 1;
      }),
      { numRuns: 200 },
    );
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(0);
  });

  test('sets the reference price in the job after 14 days, and removes it when history is not kept', async () => {
    reset();
    const { deal } = await dealWithLog(
      [{ hoursAgo: 13 * 24, price: 900, availability: 'in_stock' }],
      1200,
    );
    expect(await read(deal.id)).toEqual({
      reference_price: null,
      checked_percent: 25,
      discount_percent: 25,
    });
    await sql`alter table price_proofs disable trigger user`.execute(database.db);
    const past = Date.now() - 15 * day;
    await sql`update price_proofs set at = array[${past}::bigint]`.execute(database.db);
    await sql`alter table price_proofs enable trigger user`.execute(database.db);
    await ageStandings(database.db);
    expect(await read(deal.id)).toMatchObject({ reference_price: 900, checked_percent: 0 });
    await sql`update merchants set keep_history = false`.execute(database.db);
    await ageStandings(database.db);
    expect((await read(deal.id)).reference_price).toBeNull();
  });

  test('keeps the reference price at or below the basis of the discount check', async () => {
    reset();
    const { deal } = await dealWithLog(
      [
        { hoursAgo: 80 * 24, price: 1000, availability: 'in_stock' },
        { hoursAgo: 20 * 24, price: 600, availability: 'in_stock' },
        { hoursAgo: 12 * 24, price: 1000, availability: 'in_stock' },
      ],
      null,
    );
    const reduced = { sale_price: 600, original_price: 1500, availability: 'in_stock' as const };
    await database.db.updateTable('deals').set(reduced).where('id', '=', deal.id).execute();
    expect(await read(deal.id)).toMatchObject({ reference_price: 1000, checked_percent: 40 });
    await sql`select check_reductions(array[${deal.id}::bigint], '-infinity')`.execute(database.db);
    expect(await read(deal.id)).toMatchObject({ reference_price: 600, checked_percent: 0 });
    await database.db
      .updateTable('deals')
      .set({ original_price: null })
      .where('id', '=', deal.id)
      .execute();
    expect(await read(deal.id)).toMatchObject({ reference_price: 1000 });
  });
});

/** Returns whether the median hour is well within one price, so that hourly sampling is exact. */
function isMedianClear(log: readonly Timed[]): boolean {
  const asked = askedByHours(log).toSorted((a, b) => a - b);
  const middle = Math.floor((asked.length - 1) / 2);
  return asked[middle - 1] === asked[middle + 1] && asked[middle - 2] === asked[middle + 2];
}

describe('the lowest price of the 30 days before the current one', () => {
  test('computes the same 30-day low, and discount from it, as a naive query on the log (P7a)', async () => {
    reset();
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 1300 }), async (log, price) => {
        const { deal, timed } = await dealWithLog(log, null);
        await database.db
          .updateTable('deals')
          .set({ sale_price: price, availability: 'in_stock' })
          .where('id', '=', deal.id)
          .execute();
        const row = await database.db
          .selectFrom('deals')
          .select(['low_30_before', 'observed_percent', 'price_since'])
          .where('id', '=', deal.id)
          .executeTakeFirstOrThrow();
        const hasChanged = price !== deal.sale_price;
        const low = hasChanged ? lowestInDays(timed, 30) : null;
        expect(row.low_30_before).toBe(low);
        const isReduction = low !== null && low > price;
        expect(row.observed_percent).toBe(
          isReduction ? Math.round((100 * (low - price)) / low) : 0,
        );
        expect(row.price_since.getTime() !== deal.price_since.getTime()).toBe(hasChanged);
      }),
      runs,
    );
  });

  test('keeps the 30-day low while the price is unchanged', async () => {
    reset();
    const { deal } = await dealWithLog(
      [
        { hoursAgo: 50, price: 900, availability: 'in_stock' },
        { hoursAgo: 20, price: 1200, availability: 'in_stock' },
      ],
      null,
    );
    const set = (change: object) =>
      database.db.updateTable('deals').set(change).where('id', '=', deal.id).execute();
    const read = () =>
      database.db
        .selectFrom('deals')
        .select(['low_30_before', 'price_since'])
        .where('id', '=', deal.id)
        .executeTakeFirstOrThrow();
    await set({ sale_price: 1000 });
    const before = await read();
    expect(before.low_30_before).toBe(900);
    await set({ availability: 'out_of_stock' });
    await set({ original_price: 5000 });
    await set({ title: 'Another', sale_price: 1000 });
    expect(await read()).toEqual(before);
  });
});

describe('a deal’s history', () => {
  test('returns a deal’s history for any number of days, preceded by the price in force at their beginning', async () => {
    reset();
    await fc.assert(
      fc.asyncProperty(entries, fc.option(fc.constantFrom(30, 90, 150)), async (log, days) => {
        const { deal, timed } = await dealWithLog(log, null);
        const opens = days === null ? -Infinity : Date.now() - days * day;
        const opening = timed.findLast(({ at }) => at < opens);
        const within = timed.filter(({ at }) => at >= opens);
        const expected = opening ? [opening, ...within] : within;
        const history = await readPriceHistory(database.db, deal.id, days);
        expect(history).toEqual(
          expected.map(({ at, price, availability }): PriceHistoryEntry => ({
            at: new Date(at),
            sale_price: price,
            availability,
            source: 'import',
            moved_from: null,
          })),
        );
      }),
      runs,
    );
  });
});

type Change =
  | { what: 'price'; value: number }
  | { what: 'original'; value: number | null }
  | { what: 'stock'; value: Availability }
  | { what: 'title' }
  | { what: 'expired' };

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    fc.record({ what: fc.constant('price' as const), value: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      what: fc.constant('original' as const),
      value: fc.option(fc.integer({ min: 1, max: 4 })),
    }),
    fc.record({
      what: fc.constant('stock' as const),
      value: fc.constantFrom<Availability>('in_stock', 'out_of_stock', 'unknown'),
    }),
    fc.constant({ what: 'title' as const }),
    fc.constant({ what: 'expired' as const }),
  ),
  { maxLength: 8 },
);

describe('the log itself', () => {
  test('logs every change of price, claim or stock', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const deal = await insertDeal(database.db, {
          sale_price: 2,
          original_price: 3,
          availability: 'in_stock',
        });
        let state = { sale_price: 2, original_price: 3 as number | null, availability: 'in_stock' };
        const expected = [state];
        for (const change of list) {
          const next = apply(state, change);
          await database.db
            .updateTable('deals')
            .set(change.what === 'title' ? { title: 'Other' } : (next as object))
            .$if(change.what === 'expired', (query) => query.set({ expires_at: new Date(0) }))
            .where('id', '=', deal.id)
            .execute();
          if (JSON.stringify(next) !== JSON.stringify(state)) expected.push(next);
          state = next;
        }
        const log = await database.db
          .selectFrom('price_log')
          .select(['sale_price', 'original_price', 'availability'])
          .where('deal_id', '=', deal.id)
          .orderBy('id')
          .execute();
        expect(log).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  function apply<State extends object>(state: State, change: Change): State {
    if (change.what === 'price') return { ...state, sale_price: change.value };
    if (change.what === 'original') return { ...state, original_price: change.value };
    if (change.what === 'stock') return { ...state, availability: change.value };
    return state;
  }

  test('logs a line for each deal that a statement changes', async () => {
    for (let n = 1; n <= 5; n += 1) await insertDeal(database.db, { sale_price: n * 100 });
    await sql`update deals set sale_price = case when id % 2 = 0 then sale_price else sale_price + 7 end`.execute(
      database.db,
    );
    const { rows } = await sql<{ deal_id: number; prices: number[] }>`
      select deal_id, array_agg(sale_price order by id) as prices from price_log group by deal_id order by deal_id`.execute(
      database.db,
    );
    expect(rows.map(({ prices }) => prices)).toEqual([
      [100, 107],
      [200],
      [300, 307],
      [400],
      [500, 507],
    ]);
  });
});

const offered = (hoursAgo: number, price: number): Entry => ({
  hoursAgo,
  price,
  availability: 'in_stock',
});

describe('the line on a card (P7)', () => {
  // Proves P7: the line on a card holds no more than the log (price-proof.ts)
  test('claims nothing on a card that the log does not prove', async () => {
    reset();
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(entries, async (log) => {
        const { deal, timed } = await dealWithLog(log, null);
        const proof = (await findPriceProofs(database.db, [deal])).get(deal.id) ?? noProof;
        // The clock is read only once, since two readings may differ by a millisecond, which could
        // yield day -1.
        const now = Date.now();
        const { kind, text } = describeProof(proof, deal, new Date(now), 'USD');
        kinds.add(kind);
        const offers = timed.filter(isOffer);
        const price = deal.sale_price;
        const watched = Math.floor((now - (offers[0]?.at ?? now)) / day);
        const days = Number(/(\d+) days/.exec(text)?.[1] ?? (text.includes('yesterday') ? 1 : 0));
        // No number of days exceeds the watched time.
        expect(days).toBeLessThanOrEqual(watched);
        const before = offers.filter(({ at }) => at < sinceOf(timed));
        const truths: Record<string, boolean> = {
          'out-of-stock': deal.availability === 'out_of_stock',
          'no-history': offers.length === 0 || (before.length === 0 && watched < 2),
          steady: before.length === 0 && offers.every((offer) => offer.price === price),
          'lowest-ever': watched >= 90 && before.every((offer) => offer.price > price),
          'lowest-in': price <= (lowestInDays(timed, days) ?? price),
          'above-low': text.startsWith(
            `$${(price - Math.min(...offers.map((offer) => offer.price))) / 100} above`,
          ),
        };
        expect([kind, text, truths[kind]]).toEqual([kind, text, true]);
        // True lows must be reported: such a price is never described as above its low.
        const isLowest = offers.every((offer) => offer.price >= price);
        expect(kind === 'above-low' && isLowest).toBe(false);
      }),
      {
        numRuns: 200,
        // These rare cases are tested in addition to random ones.
        examples: [
          [[offered(10, 500)]],
          [[offered(100, 500)]],
          [[offered(3_000, 500), offered(10, 400)]],
        ],
      },
    );
    expect([...kinds].toSorted()).toEqual([
      'above-low',
      'lowest-ever',
      'lowest-in',
      'no-history',
      'out-of-stock',
      'steady',
    ]);
  });
});

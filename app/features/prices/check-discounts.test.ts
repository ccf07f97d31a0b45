import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { logPrices, type PlantedPrice, plantDeal } from '#test/factories/plant-prices.ts';
import { seededRandom, type SeededRandom } from '#database/seed/seeded-random.ts';
import { useTestDatabase } from '#test/database.ts';
import { checkDiscounts } from './check-discounts.server.ts';

const database = useTestDatabase();
const day = 86_400_000;
const checkAll = () => checkDiscounts(database);

function findChecks(dealId?: number) {
  const all = database.db.selectFrom('reduction_checks').selectAll().orderBy('began_at');
  return (dealId === undefined ? all : all.where('deal_id', '=', dealId)).execute();
}

function figuresOf(merchantId: number) {
  return database.db
    .selectFrom('store_checks')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
}

const daysSince = (moment: Date | null | undefined) =>
  moment ? Math.round((Date.now() - moment.getTime()) / day) : null;

/** Kinds of stores, each with a function that generates the price log of a deal from a seed. */
const stores: Record<string, (random: SeededRandom) => PlantedPrice[]> = {
  honest(random) {
    const price = random.between(2_000, 90_000);
    const cut = Math.round(price * (0.55 + random.next() * 0.3));
    return [
      { daysAgo: random.between(130, 300), price },
      { daysAgo: random.between(5, 80), price: cut, struck: price },
    ];
  },
  'raise, then cut'(random) {
    const price = random.between(2_000, 90_000);
    const raised = Math.round(price * (1.2 + random.next() * 0.3));
    const began = random.between(5, 60);
    return [
      { daysAgo: random.between(130, 300), price },
      { daysAgo: began + random.between(2, 27), price: raised },
      { daysAgo: began, price, struck: raised },
    ];
  },
  'invented list price'(random) {
    const price = random.between(2_000, 90_000);
    const struck = Math.round(price * (1.3 + random.next()));
    return [{ daysAgo: random.between(91, 400) + 0.5, price, struck }];
  },
  'weekly wave'(random) {
    const price = random.between(2_000, 90_000);
    const cut = Math.round(price * (0.6 + random.next() * 0.25));
    const weeks = Array.from({ length: 26 }, (_, n) => 7 * (26 - n));
    return weeks.map((daysAgo, n) =>
      n % 2 === 0 ? { daysAgo, price } : { daysAgo, price: cut, struck: price },
    );
  },
};

describe('generated stores', () => {
  test.each(Array.from({ length: 10 }, (_, seed) => seed))(
    'checks the discounts of a generated store in the same way as a naive model, with seed %i',
    async (seed) => {
      const random = seededRandom(seed);
      const category_id = (await insertCategory(database.db)).id;
      const found = new Map<string, Awaited<ReturnType<typeof figuresOf>>>();
      const merchants = new Map<string, number>();
      for (const [name, plant] of Object.entries(stores)) {
        const merchant_id = (await insertMerchant(database.db)).id;
        merchants.set(name, merchant_id);
        for (let n = 0; n < 4; n++) {
          await plantDeal(database.db, plant(random), { category_id, merchant_id });
        }
      }
      await checkAll();
      for (const [name, id] of merchants) found.set(name, await figuresOf(id));
      expect(found.get('honest')).toMatchObject({ checked: 4, matched: 4, raised: 0 });
      expect(found.get('raise, then cut')).toMatchObject({ checked: 4, nothing: 4, raised: 4 });
      expect(found.get('invented list price')).toMatchObject({ checked: 4, nothing: 4, raised: 0 });
      const wave = found.get('weekly wave');
      expect(wave).toMatchObject({ matched: 0, smaller: 0, raised: wave?.checked });
      expect(wave?.nothing).toBe(wave?.checked);
      expect(wave?.checked).toBeGreaterThanOrEqual(4 * 6);
      expect(found.get('honest')?.median_seen).toBe(found.get('honest')?.median_announced);
      expect(found.get('invented list price')?.median_seen).toBe(0);
    },
  );
});

describe('a reduction', () => {
  test('lists but does not check a reduction if the price was logged for less than 30 days', async () => {
    const id = await plantDeal(database.db, [
      { daysAgo: 40, price: 1_000 },
      { daysAgo: 11, price: 700, struck: 1_000 },
    ]);
    await checkAll();
    expect(await findChecks(id)).toMatchObject([{ verdict: 'unknown', seen: null, announced: 30 }]);
  });

  test('reports that a price had risen from its 30-day low', async () => {
    const id = await plantDeal(database.db, [
      { daysAgo: 100, price: 1_000 },
      { daysAgo: 22, price: 1_030 },
      { daysAgo: 20, price: 1_300 },
      { daysAgo: 12, price: 1_290 },
      { daysAgo: 8, price: 950, struck: 1_300 },
    ]);
    await checkAll();
    const [check] = await findChecks(id);
    expect(check).toMatchObject({ low30: 1_000, common90: 1_000, verdict: 'smaller' });
    expect(check).toMatchObject({ raised_before: true });
    expect(daysSince(check?.raised_at)).toBe(20);
  });

  test('counts a deepening reduction once, but a drop after a rise, or a higher struck price, as another reduction', async () => {
    const id = await plantDeal(database.db, [
      { daysAgo: 100, price: 1_000 },
      { daysAgo: 60, price: 900, struck: 1_000 },
      { daysAgo: 50, price: 800, struck: 1_000 },
      { daysAgo: 40, price: 850, struck: 1_000 },
      { daysAgo: 30, price: 800, struck: 1_000 },
      { daysAgo: 20, price: 800, struck: 1_200 },
    ]);
    await checkAll();
    expect((await findChecks(id)).map((one) => [daysSince(one.began_at), one.verdict])).toEqual([
      [60, 'matches'],
      [30, 'none'],
      [20, 'none'],
    ]);
  });

  test('ignores prices while out of stock, and starts no reduction when a deal is back in stock', async () => {
    const id = await plantDeal(database.db, [
      { daysAgo: 100, price: 1_000 },
      { daysAgo: 60, price: 500, availability: 'out_of_stock' },
      { daysAgo: 50, price: 1_000 },
      { daysAgo: 30, price: 700, struck: 1_000 },
      { daysAgo: 20, price: 700, struck: 1_000, availability: 'out_of_stock' },
      { daysAgo: 10, price: 700, struck: 1_000 },
    ]);
    await checkAll();
    expect(await findChecks(id)).toMatchObject([{ low30: 1_000, verdict: 'matches' }]);
  });

  test('counts at most one reduction a day, no matter how often the price changes', async () => {
    const wave = Array.from({ length: 48 }, (_, n) => ({
      daysAgo: 12 - n / 24,
      price: n % 2 ? 800 : 1_000,
      struck: n % 2 ? 1_000 : null,
    }));
    const id = await plantDeal(database.db, [{ daysAgo: 100, price: 1_000 }, ...wave]);
    await checkAll();
    const days = (await findChecks(id)).map(({ began_at }) => began_at.toISOString().slice(0, 10));
    expect(days.length).toBe(new Set(days).size);
    expect(days.length).toBeGreaterThanOrEqual(2);
    expect(days.length).toBeLessThanOrEqual(3);
  });

  test('ends a reduction when its deal ends', async () => {
    const id = await plantDeal(database.db, [{ daysAgo: 150, price: 800, struck: 1_000 }], {
      expires_at: new Date(Date.now() - 70 * day),
    });
    await checkAll();
    expect(await findChecks(id)).toEqual([]);
  });

  test('does not check reductions of a store that forbids price history', async () => {
    const merchant_id = (await insertMerchant(database.db, { keep_history: false })).id;
    await plantDeal(database.db, stores['honest']?.(seededRandom(1)) ?? [], { merchant_id });
    await checkAll();
    expect(await findChecks()).toEqual([]);
    expect(await database.db.selectFrom('store_checks').selectAll().execute()).toEqual([]);
  });

  test('reports a struck price as never seen only after 180 days with daily checks', async () => {
    const { id: merchant_id } = await insertMerchant(database.db);
    const lines = [
      { daysAgo: 260, price: 1_000 },
      { daysAgo: 10, price: 900, struck: 1_500 },
    ];
    const id = await plantDeal(database.db, lines, { merchant_id });
    await readFeed(merchant_id, 200, [50]);
    await checkAll();
    expect(await findChecks(id)).toMatchObject([{ never_seen: null, read_days: 30 }]);
    expect(await figuresOf(merchant_id)).toMatchObject({
      feed_days: 90,
      read_days: 89,
      gap_days: 1,
      watched_long: 0,
    });
    await readFeed(merchant_id, 50, []);
    await sql`select check_discounts_anew()`.execute(database.db);
    await checkAll();
    expect(await findChecks(id)).toMatchObject([{ never_seen: true }]);
    expect(await figuresOf(merchant_id)).toMatchObject({ gap_days: 0, never_seen: 1 });
  });
});

/** Records one run of the feed a day, except on certain days. */
async function readFeed(merchantId: number, days: number, without: number[]) {
  const rows = Array.from({ length: days }, (_, n) => n + 1)
    .filter((one) => !without.includes(one))
    .map((one) => new Date(Date.now() - one * day))
    .map((finished_at) => ({
      merchant_id: merchantId,
      source_name: 'feed.csv',
      format: 'csv',
      state: 'done' as const,
      started_at: finished_at,
      finished_at,
    }));
  await database.db.insertInto('import_runs').values(rows).execute();
}

describe('the job', () => {
  const logs = fc.array(
    fc
      .uniqueArray(
        fc.record({
          daysAgo: fc.integer({ min: 1, max: 320 }),
          price: fc.integer({ min: 6, max: 12 }).map((dollars) => dollars * 100),
          struck: fc.constantFrom(null, 900, 1_200, 1_500),
          availability: fc.constantFrom(
            'in_stock' as const,
            'in_stock' as const,
            'out_of_stock' as const,
          ),
        }),
        { minLength: 1, maxLength: 25, selector: ({ daysAgo }) => daysAgo },
      )
      .map((lines) => lines.toSorted((a, b) => b.daysAgo - a.daysAgo)),
    { minLength: 1, maxLength: 4 },
  );

  test('computes the same discount check incrementally as from scratch, and repeats nothing', async () => {
    await fc.assert(
      fc
        .asyncProperty(logs, fc.double({ min: 0, max: 1, noNaN: true }), async (deals, part) => {
          await checkAll(); // After this, only new rows are read.
          const owners = {
            category_id: (await insertCategory(database.db)).id,
            merchant_id: (await insertMerchant(database.db)).id,
          };
          const ids: number[] = [];
          for (const lines of deals) {
            const first = lines.slice(0, Math.ceil(lines.length * part));
            ids.push(await plantDeal(database.db, first, owners));
          }
          await checkAll();
          for (const [n, lines] of deals.entries()) {
            await logPrices(database.db, ids[n] ?? 0, lines.slice(Math.ceil(lines.length * part)));
          }
          await checkAll();
          const written = await findChecks();
          await checkAll();
          expect(await findChecks()).toEqual(written);
          await sql`select check_discounts_anew()`.execute(database.db);
          await checkAll();
          expect(await findChecks()).toEqual(written);
        })
        .afterEach(() => database.reset()),
      { numRuns: 25 },
    );
  });

  test('completes the same discount check after an interruption at any step', async () => {
    for (let n = 0; n < 5; n++)
      await plantDeal(database.db, stores['weekly wave']?.(seededRandom(n)) ?? []);
    await checkAll();
    const whole = await findChecks();
    await sql`select check_discounts_anew()`.execute(database.db);
    await database.db.deleteFrom('reduction_checks').execute();
    for (let steps = 1; steps < 6; steps++) {
      await checkDiscounts(database, AbortSignal.abort());
      await sql`select step_discount_check()`.execute(database.db);
    }
    await checkAll();
    expect(await findChecks()).toEqual(whole);
    const lows = await database.db.selectFrom('store_days').selectAll().execute();
    expect(lows.length).toBeGreaterThan(0);
    expect(lows.every(({ deals }) => deals === 1)).toBe(true);
  });

  test('records no low for a price that never changed, and one for a drop', async () => {
    const { id: merchant_id } = await insertMerchant(database.db);
    const category_id = (await insertCategory(database.db)).id;
    const owners = { merchant_id, category_id };
    await plantDeal(database.db, [{ daysAgo: 200, price: 1_000 }], owners);
    await plantDeal(
      database.db,
      [
        { daysAgo: 200, price: 1_000 },
        { daysAgo: 95, price: 800 },
        { daysAgo: 60, price: 1_000 },
      ],
      owners,
    );
    await checkAll();
    const days = await database.db
      .selectFrom('store_days')
      .selectAll()
      .where('deals', '>', 0)
      .orderBy('day')
      .execute();
    for (const { day: text, deals, at_low } of days) {
      const ago = (Date.now() - Date.parse(`${text}T12:00Z`)) / day;
      expect([text, deals, at_low]).toEqual([text, 2, ago < 95 && ago > 60 ? 1 : 0]);
    }
    expect(days.length).toBeGreaterThanOrEqual(9);
    const { lows } = await figuresOf(merchant_id);
    expect(lows.reduce((sum, { at_low }) => sum + at_low, 0)).toBeGreaterThanOrEqual(3);
    await checkAll();
    expect((await figuresOf(merchant_id)).lows).toEqual(lows);
  });
});

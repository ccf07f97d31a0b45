import { beforeEach, describe, expect, test } from 'vitest';
import { countAttention } from '#app/features/desk/desk-queries.server.ts';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { logPrices, type PlantedPrice, plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { forecastPrices } from './forecast-prices.server.ts';
import { findPriceNotes } from './price-notes-queries.server.ts';

const database = useTestDatabase();
const site = testSite(database);
const day = 86_400_000;
const start = Date.now();
let owners = { category_id: 0, merchant_id: 0 };

beforeEach(async () => {
  owners = {
    category_id: (await insertCategory(database.db)).id,
    merchant_id: (await insertMerchant(database.db)).id,
  };
});

/** Runs the nightly pass as if it were this many days later. */
const pass = (daysOn = 0) =>
  forecastPrices({ db: database.db, now: () => new Date(start + daysOn * day) });
/** Creates a log that alternates between a high and a low price every 20 days, and now is high. */
const wave = (days: number): PlantedPrice[] =>
  Array.from({ length: days / 20 }, (_, n) => ({
    daysAgo: days - 20 * n,
    price: n % 2 ? 1_000 : 800,
  }));
const shown = () =>
  database.db.selectFrom('deal_forecasts').selectAll().orderBy('deal_id').execute();
const kept = () => database.db.selectFrom('forecasts').selectAll().orderBy('deal_id').execute();

async function forecastOf(id: number) {
  const deal = await findDealById(database.db, id);
  if (!deal) throw new Error('the deal is gone');
  return (await findPriceNotes(database.db, deal)).forecast;
}

/** Stores forecasts that were scored yesterday. The share `came` of them came true. */
async function plantJudged(promised: number, came: number, count = 300): Promise<void> {
  const judged_on = new Date(start - day).toISOString().slice(0, 10);
  const { id: deal_id } = await insertDeal(database.db, owners);
  const rows = Array.from({ length: count }, (_, n) => ({
    deal_id,
    made_on: new Date(start - (40 + n) * day).toISOString().slice(0, 10),
    price: 1_000,
    share: promised,
    judged_on,
    fell: n < came * count,
  }));
  await database.db.insertInto('forecasts').values(rows).execute();
}

describe('a nightly pass', () => {
  test('stores forecasts for live deals with enough history, and removes those of others', async () => {
    const id = await plantDeal(database.db, wave(400), owners);
    await plantDeal(database.db, wave(160), owners);
    await plantDeal(database.db, [{ daysAgo: 400, price: 1_000 }], owners);
    await plantDeal(database.db, wave(400), { ...owners, is_active: false });
    await plantDeal(database.db, wave(400), { ...owners, availability: 'out_of_stock' });
    const merchant_id = (await insertMerchant(database.db, { keep_history: false })).id;
    await plantDeal(database.db, wave(400), { ...owners, merchant_id });
    await pass();
    expect(await shown()).toMatchObject([{ deal_id: id, price: 1_000, logged_days: 401 }]);
    const forecast = await forecastOf(id);
    expect(forecast?.share).toBeGreaterThan(0.8);
    // A new price has no forecast until the next night.
    await database.db.updateTable('deals').set({ sale_price: 900 }).where('id', '=', id).execute();
    expect(await forecastOf(id)).toBeNull();
    await database.db.updateTable('deals').set({ is_active: false }).where('id', '=', id).execute();
    await pass(1);
    expect(await shown()).toEqual([]);
  });

  test('completes a nightly pass after an interruption at any step, and runs only one pass a day', async () => {
    for (let n = 0; n < 3; n++) await plantDeal(database.db, wave(300 + 20 * n), owners);
    await pass();
    const whole = await shown();
    expect(whole).toHaveLength(3);
    await database.db.deleteFrom('deal_forecasts').execute();
    await pass();
    expect(await shown()).toEqual([]);
    await database.db.deleteFrom('forecast_pass').execute();
    await database.db.deleteFrom('forecasts').execute();
    for (let steps = 0; steps < 4; steps++) {
      // The pass is interrupted after one step, since each step reads the clock once.
      const cut = new AbortController();
      await forecastPrices(
        {
          db: database.db,
          now: () => {
            cut.abort();
            return new Date(start);
          },
        },
        cut.signal,
      );
    }
    await pass();
    expect(await shown()).toEqual(whole);
    expect(await kept()).toHaveLength(3);
  });

  test('stores nothing from a failed step of the nightly pass', async () => {
    await plantDeal(database.db, wave(300), owners);
    const dies = forecastPrices({
      db: database.db,
      now: () => {
        throw new Error('killed');
      },
    });
    await expect(dies).rejects.toThrow('killed');
    expect(await database.db.selectFrom('forecast_pass').selectAll().execute()).toEqual([]);
    await pass();
    expect(await shown()).toHaveLength(1);
  });
});

// Proves P7: forecasts are judged, and hide themselves when they were wrong too often (forecast-prices.server.ts)
describe('a stored forecast', () => {
  test('stores a forecast once a week, and scores it after its 30 days', async () => {
    const [falls, stays, ends] = [
      await plantDeal(database.db, wave(400), owners),
      await plantDeal(database.db, wave(400), owners),
      await plantDeal(database.db, wave(400), {
        ...owners,
        expires_at: new Date(start + 10 * day),
      }),
    ];
    await pass();
    await pass(1);
    expect(await kept()).toMatchObject(
      [falls, stays, ends].map((deal_id) => ({
        deal_id,
        price: 1_000,
        judged_on: null,
        fell: null,
      })),
    );
    await logPrices(database.db, falls, [
      { daysAgo: -29, price: 950 },
      { daysAgo: -29.5, price: 1_000 },
    ]);
    await logPrices(database.db, stays, [
      { daysAgo: -20, price: 900, availability: 'out_of_stock' },
      { daysAgo: -21, price: 951 },
      { daysAgo: -32, price: 700 },
    ]);
    await pass(30);
    const first = async () => (await kept()).filter(({ made_on }) => Date.parse(made_on) < start);
    expect((await first()).every(({ judged_on }) => judged_on === null)).toBe(true);
    await pass(32);
    expect((await first()).map(({ fell }) => fell)).toEqual([true, false, null]);
    expect((await first()).every(({ judged_on }) => judged_on !== null)).toBe(true);
  });

  test('hides forecasts while they are wrong too often, and reports that on the dashboard', async () => {
    const id = await plantDeal(database.db, wave(400), { ...owners, slug: 'lamp' });
    const line = async () => (await site.page('/deals/lamp')).html.includes('Should I wait?');
    await plantJudged(0.3, 0.31);
    await pass();
    expect(await line()).toBe(true);
    expect(await countAttention(database.db)).toMatchObject({ wrongForecasts: 0 });
    expect((await site.page('/how-we-rank')).html).toContain('300 forecasts were judged');

    await database.db.deleteFrom('forecasts').execute();
    await plantJudged(0.3, 0.5);
    await pass(1);
    expect(await forecastOf(id)).toBeNull();
    expect(await countAttention(database.db)).toMatchObject({ wrongForecasts: 1 });

    await database.db.deleteFrom('forecasts').execute();
    await plantJudged(0.3, 0.5, 150); // There are too few forecasts to decide.
    await pass(2);
    expect(await forecastOf(id)).not.toBeNull();
    expect(await countAttention(database.db)).toMatchObject({ wrongForecasts: 0 });
  });
});

test('describes a forecast with the same words on the deal’s page, in the API and on “How we rank”', async () => {
  await plantDeal(database.db, wave(400), { ...owners, slug: 'lamp' });
  await pass();
  const { html } = await site.page('/deals/lamp');
  const words = 'became at least 5% cheaper within 30 days about 9 times in 10';
  expect(html).toContain(words);
  expect(html).toContain('href="/how-we-rank#forecasts"');
  const answer = await (await site.request('/api/v1/deals/lamp')).json();
  expect(answer.forecast).toMatchObject({ logged_days: 401, text: expect.stringContaining(words) });
  const page = await site.page('/how-we-rank');
  expect(page.html).toContain('id="forecasts"');
  expect(page.html).toContain('No forecast is old enough to be judged yet.');
});

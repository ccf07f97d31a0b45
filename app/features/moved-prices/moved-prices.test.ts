import { describe, expect, test } from 'vitest';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { describeHistory } from '#app/features/prices/describe-history.ts';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import type { PriceColumnChoices } from './price-columns.ts';
import {
  countPriceOutcomes,
  exportPricesLeftOut,
  findPriceMove,
} from './price-move-queries.server.ts';
import { listMovedParts, removeMovedPrices } from './prices-of-deal.server.ts';
import {
  advancePriceMove,
  chooseForPrices,
  movePrices,
  startPriceMove,
  undoPriceMove,
} from './run-price-move.server.ts';
import { stagePrices } from './stage-prices.server.ts';

const database = useTestDatabase();
const limits = { rawBytes: 1e8, unpackedBytes: 1e8 };

async function* bytesOf(content: string) {
  yield Buffer.from(content);
}

const stage = (content: string, source = '', choices: PriceColumnChoices = {}) =>
  stagePrices(database.db, bytesOf(content), {
    name: 'prices.csv',
    actor: 'admin',
    source,
    limits,
    choices,
  });

async function moveIn(content: string, source = 'Keepa'): Promise<number> {
  const id = await stage(content, source);
  const move = await findPriceMove(database.db, id);
  const choices = { source, day_order: move?.day_order ?? null };
  expect(await startPriceMove(database.db, id, { ...choices, actor: 'admin' })).toBe(true);
  await movePrices(database.db);
  return id;
}

async function countsOf(id: number) {
  const move = await findPriceMove(database.db, id);
  return move && countPriceOutcomes(database.db, move);
}

/** Returns the outcome of each row of a preview, by line. */
async function leftOutOf(id: number) {
  const move = await findPriceMove(database.db, id);
  if (!move) throw new Error('There is no such move.');
  const rows: string[] = [];
  for await (const row of exportPricesLeftOut(database.db, move, (outcome) => outcome))
    rows.push(`${row[0]} ${row.at(-1)}`);
  return rows;
}

const moved = () =>
  database.db
    .selectFrom('moved_prices')
    .select(['deal_id', 'day', 'sale_price', 'source'])
    .orderBy('deal_id')
    .orderBy('day')
    .execute();

const log = () => database.db.selectFrom('price_log').selectAll().orderBy('id').execute();

/** A deal whose log begins 20 days ago. */
const aDeal = (overrides: Parameters<typeof plantDeal>[2] = {}) =>
  plantDeal(database.db, [{ daysAgo: 20, price: 10_000 }], overrides);

const isoDaysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe('an import', () => {
  test('adds prices of days before the log, and leaves the log unchanged', async () => {
    const id = await aDeal();
    const before = await log();
    const file = `deal,date,price,source\n${id},2025-01-02,120.00,CamelCamelCamel\n${id},2025-02-03,"1,100",\n`;
    const move = await stage(file, 'Keepa');
    expect(await countsOf(move)).toEqual({ taken: 2 });
    expect(await moved()).toEqual([]);
    await startPriceMove(database.db, move, { source: 'Keepa', day_order: null, actor: 'admin' });
    await movePrices(database.db);
    expect(await moved()).toEqual([
      { deal_id: id, day: '2025-01-02', sale_price: 12_000, source: 'CamelCamelCamel' },
      { deal_id: id, day: '2025-02-03', sale_price: 110_000, source: 'Keepa' },
    ]);
    expect(await countsOf(move)).toEqual({ taken: 2 });
    expect(await log()).toEqual(before);
  });

  test('adds nothing when the same file is imported twice, and removes only that import’s prices on undo', async () => {
    const id = await aDeal();
    const file = `deal,date,price\n${id},2025-01-02,120\n`;
    const first = await moveIn(file);
    const second = await moveIn(`${file}${id},2025-01-03,121\n`);
    expect(await countsOf(second)).toEqual({ 'already-here': 1, taken: 1 });
    expect(await moved()).toHaveLength(2);
    expect(await undoPriceMove(database.db, second, 'admin')).toBe(true);
    await movePrices(database.db);
    expect(await moved()).toMatchObject([{ day: '2025-01-02' }]);
    expect(await undoPriceMove(database.db, second, 'admin')).toBe(false);
    expect(await undoPriceMove(database.db, first, 'admin')).toBe(true);
    await movePrices(database.db);
    expect(await moved()).toEqual([]);
    expect(
      await startPriceMove(database.db, first, { source: '', day_order: null, actor: 'x' }),
    ).toBe(false);
  });

  test('continues a price import after its process was killed, without adding a price twice', async () => {
    const id = await aDeal();
    const days = Array.from({ length: 2_500 }, (_, n) =>
      new Date(Date.UTC(2010, 0, n + 1)).toISOString().slice(0, 10),
    );
    const move = await stage(
      `deal,date,price\n${days.map((day) => `${id},${day},120`).join('\n')}\n${id},${days[0]},130\n`,
      'Keepa',
    );
    await startPriceMove(database.db, move, { source: 'Keepa', day_order: null, actor: 'admin' });
    await advancePriceMove(database.db, move, { batches: 1 });
    expect(await findPriceMove(database.db, move)).toMatchObject({ state: 'running' });
    expect(await moved()).toHaveLength(2_000);
    await movePrices(database.db);
    expect(await countsOf(move)).toEqual({ taken: 2_500, duplicate: 1 });
    expect(await moved()).toHaveLength(2_500);
    await undoPriceMove(database.db, move, 'admin');
    await advancePriceMove(database.db, move, { batches: 1 });
    expect(await moved()).toHaveLength(500);
    await movePrices(database.db);
    expect(await moved()).toEqual([]);
  });

  test('skips invalid rows, each with its reason', async () => {
    const id = await aDeal();
    const barred = await insertMerchant(database.db, { keep_history: false });
    const untracked = await insertDeal(database.db, { merchant_id: barred.id, sale_price: 10_000 });
    const trashed = await aDeal();
    await database.db
      .transaction()
      .execute((tx) =>
        deleteDeals(tx, { ids: [trashed], batch: crypto.randomUUID(), actor: 'admin' }),
      );
    const rows = [
      [id, isoDaysAgo(10), '100', 'seen-here'],
      [id, isoDaysAgo(-3), '100', 'future'],
      [id, '1994-12-31', '100', 'too-old'],
      [id, '31/02/2025', '100', 'bad-date'],
      [id, '03/04/2025', '100', 'ambiguous-date'],
      [id, '2025-01-02', '-5', 'bad-price'],
      [id, '2025-01-02', '0', 'bad-price'],
      [id, '2025-01-02', '1.249', 'bad-price'],
      [id, '2025-01-02', '99999', 'far-price'],
      [id, '2025-01-02', '1.50', 'far-price'],
      [id, '2025-01-02', '€100', 'other-currency'],
      [id, '2025-01-02', '100 GBP', 'other-currency'],
      ['=1+1', '2025-01-02', '100', 'no-deal'],
      [untracked.id, '2025-01-02', '100', 'not-tracked'],
      [trashed, '2025-01-02', '100', 'in-trash'],
      [id, '2025-01-02', '100', 'taken'],
      [id, '2025-01-02', '101', 'duplicate'],
    ] as const;
    const file = `deal,date,price\n${rows.map((row) => row.slice(0, 3).join(',')).join('\n')}\n`;
    const expected = rows.flatMap(([, , , outcome], n) =>
      outcome === 'taken' ? [] : [`${n + 2} ${outcome}`],
    );
    expect(await leftOutOf(await stage(file, 'Keepa'))).toEqual(expected);
    const move = await moveIn(file);
    expect(await leftOutOf(move)).toEqual(expected);
    expect(await moved()).toMatchObject([{ deal_id: id, sale_price: 10_000 }]);
  });

  test('reads the order of day and month from unambiguous dates or from the owner’s choice', async () => {
    const id = await aDeal();
    const clear = await stage(`deal,date,price\n${id},03/04/2025,100\n${id},13/04/2025,100\n`, 'K');
    expect(await findPriceMove(database.db, clear)).toMatchObject({ day_order: 'dmy' });
    expect(await countsOf(clear)).toEqual({ taken: 2 });
    const unclear = await stage(`deal,date,price\n${id},03/04/2025,100\n`, 'K');
    expect(await countsOf(unclear)).toEqual({ 'ambiguous-date': 1 });
    await chooseForPrices(database.db, unclear, { source: 'K', day_order: 'mdy' });
    expect(await countsOf(unclear)).toEqual({ taken: 1 });
  });

  test('requires a source, and rejects a file without the required columns', async () => {
    const id = await aDeal();
    expect(await countsOf(await stage(`deal,date,price\n${id},2025-01-02,100\n`))).toEqual({
      'no-source': 1,
    });
    await expect(stage('a,b\n1,2\n')).rejects.toThrow('no column of deals and dates and prices');
    await expect(stage('')).rejects.toThrow('empty');
    expect(
      await countsOf(
        await stage(`Artikel,Tag,Preis\n${id},2025-01-02,100\n`, 'K', {
          deal: 'Artikel',
          date: 'Tag',
          price: 'Preis',
        }),
      ),
    ).toEqual({ taken: 1 });
  });
});

describe('a row', () => {
  test('finds a deal by id, slug, page, SKU, GTIN or product link, and by its store if several match', async () => {
    const merchant = await insertMerchant(database.db, { name: 'Nordlicht', slug: 'nordlicht' });
    const facts = {
      slug: 'a-lamp',
      external_id: 'SKU-1',
      gtin: '4006381333931',
      deal_url: 'https://www.shop.example/lamp',
    };
    const id = await aDeal({ ...facts, merchant_id: merchant.id });
    await aDeal({ external_id: 'SKU-1', gtin: '4006381333931' });
    const file = (header: string, cells: string) =>
      `${header},date,price\n${cells},2025-01-02,100\n`;
    const found = async (header: string, cells: string) =>
      countsOf(await stage(file(header, cells), 'K'));
    for (const [header, cells] of [
      ['id', String(id)],
      ['slug', 'a-lamp'],
      ['url', 'https://old.example/deals/a-lamp?days=all'],
      ['product link', 'http://shop.example/lamp/?utm_source=x'],
      ['sku,store', 'SKU-1,nordlicht'],
      ['ean,store', '4006381333931,NORDLICHT'],
    ] as const)
      expect([header, await found(header, cells)]).toEqual([header, { taken: 1 }]);
    expect(await found('ean', '4006381333931')).toEqual({ 'several-deals': 1 });
    expect(await found('sku,store', 'SKU-1,Another')).toEqual({ 'no-deal': 1 });
  });
});

describe('the trash', () => {
  const inTx = <T>(act: (tx: Parameters<typeof deleteDeals>[0]) => Promise<T>) =>
    database.db.transaction().execute(act);

  test('restores imported prices with their deal, unless the import was undone', async () => {
    const [kept, undone] = [await aDeal(), await aDeal()];
    await moveIn(`deal,date,price\n${kept},2025-01-02,100\n`);
    const second = await moveIn(`deal,date,price\n${undone},2025-01-02,100\n`);
    const before = await log();
    const batch = crypto.randomUUID();
    await inTx((tx) => deleteDeals(tx, { ids: [kept, undone], batch, actor: 'admin' }));
    expect(await moved()).toEqual([]);
    await undoPriceMove(database.db, second, 'admin');
    await movePrices(database.db);
    await inTx((tx) => restoreDeals(tx, { ids: [kept, undone], batch }));
    expect(await moved()).toMatchObject([{ deal_id: kept }]);
    expect(await log()).toEqual(before);
  });
});

describe('a chart', () => {
  test('shows imported prices from before the log until the log covers the chart', async () => {
    const id = await aDeal();
    await moveIn(
      `deal,date,price\n${id},${isoDaysAgo(200)},80\n${id},${isoDaysAgo(60)},90\n${id},${isoDaysAgo(50)},90\n${id},${isoDaysAgo(40)},95\n`,
    );
    const sources = async (days: number | null) =>
      (await readPriceHistory(database.db, id, days)).map(
        ({ source, sale_price: price, moved_from: tracker }) => `${source} ${price} ${tracker}`,
      );
    expect(await sources(null)).toEqual([
      'moved 8000 Keepa',
      'moved 9000 Keepa',
      'moved 9500 Keepa',
      'demo 10000 null',
    ]);
    expect(await sources(50)).toEqual(['moved 9000 Keepa', 'moved 9500 Keepa', 'demo 10000 null']);
    expect(await sources(10)).toEqual(['demo 10000 null']);
    const shown = describeHistory(
      await readPriceHistory(database.db, id, null),
      { days: null, now: new Date(), endedAt: null },
      { currency: 'USD', timeZone: 'UTC' },
    );
    expect(shown?.summary).toContain('Lowest $100.00');
    expect(shown?.movedNote).toMatch(/^Before .*: prices from Keepa, not seen by us\.$/);
  });
});

test('removes the imported prices of one deal once, with an audit entry', async () => {
  const [id, other] = [await aDeal(), await aDeal()];
  await moveIn(`deal,date,price\n${id},2025-01-02,100\n${other},2025-01-02,100\n`);
  expect(await listMovedParts(database.db, id)).toMatchObject([
    { file: 'prices.csv', source: 'Keepa', count: 1, from: '2025-01-02', to: '2025-01-02' },
  ]);
  expect(await removeMovedPrices(database.db, id, 'admin')).toBe(1);
  expect(await removeMovedPrices(database.db, id, 'admin')).toBe(0);
  expect(await moved()).toMatchObject([{ deal_id: other }]);
  const acts = await database.db
    .selectFrom('audit_log')
    .select('action')
    .where('action', '=', 'deal.remove-moved-prices')
    .execute();
  expect(acts).toHaveLength(1);
});

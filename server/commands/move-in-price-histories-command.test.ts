import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveInPriceHistories } from '#server/commands/move-in-price-histories-command.ts';
import { useTestDatabase } from '#test/database.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';

const database = useTestDatabase();
let file = '';

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'move-in-prices-'));
  file = path.join(folder, 'prices.csv');
  await writeFile(file, 'slug,date,price\na-lamp,2025-01-02,90\na-lamp,03/04/2025,95\n');
});
afterAll(() => rm(path.dirname(file), { recursive: true, force: true }));

const days = async () => {
  const rows = await database.db
    .selectFrom('moved_prices')
    .select(['day', 'source'])
    .orderBy('day')
    .execute();
  return rows.map(({ day, source }) => `${day} ${source}`);
};

test('stores nothing in a dry run, and imports the same file only once', async () => {
  await plantDeal(database.db, [{ daysAgo: 20, price: 10_000 }], { slug: 'a-lamp' });
  const source = 'Keepa';
  expect(await moveInPriceHistories(database.db, file, { rehearse: true, source })).toBe(0);
  expect(await days()).toEqual([]);
  expect(await database.db.selectFrom('price_moves').select('id').execute()).toEqual([]);
  for (const dayOrder of ['mdy', 'mdy'] as const)
    expect(await moveInPriceHistories(database.db, file, { source, dayOrder })).toBe(0);
  expect(await days()).toEqual(['2025-01-02 Keepa', '2025-03-04 Keepa']);
});

test('returns 1 when the file does not exist', async () => {
  expect(await moveInPriceHistories(database.db, `${file}.gone`, {})).toBe(1);
});

import { beforeEach, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { searchCatalog } from '#app/features/search/search-queries.server.ts';
import { matchOnce, spreadOnce } from './match-searches.server.ts';
import { readWatchable } from './read-watchable.server.ts';
import { saveWatchedSearch } from './watched-search-queries.server.ts';

const database = useTestDatabase();
const shop: { titles: string[]; category_id: number; merchant_id: number; brand?: string }[] = [];

beforeEach(async () => {
  const { db } = database;
  const places = async (category: string, store: string) => ({
    category_id: (await insertCategory(db, { name: category })).id,
    merchant_id: (await insertMerchant(db, { name: store })).id,
  });
  const [electronics, books] = [
    await places('Electronics', 'Pixel Harbor'),
    await places('Books', 'Inkwell'),
  ];
  shop.splice(0, shop.length, {
    ...electronics,
    titles: ['55-inch 4K television', 'TV wall mount', 'Phone, 128 GB', 'Sony WH-1000XM5 headset'],
  });
  shop.push({ ...books, titles: ['A novel about the sea', 'Board game handbook'] });
  shop.push({ ...books, brand: 'Lumo', titles: ['Reading lamp', 'Car battery 12 V, 60 Ah'] });
});

async function addDeals(): Promise<void> {
  for (const { titles, ...rest } of shop)
    for (const title of titles) await insertDeal(database.db, { title, ...rest });
}

async function matchUntilDone(): Promise<void> {
  while ((await matchOnce(database.db)) > 0) continue;
  while ((await spreadOnce(database.db)) > 0) continue;
}

test.each([
  'tv',
  '55" tv',
  '128gb',
  'wh1000xm5',
  'boardgame',
  'electronics',
  'pixel harbor',
  'lumo lamp',
  'best headphones',
  '60ah battery',
  'cell phone',
])('reports a find when a deal matches %s, as the search does', async (query) => {
  const { db } = database;
  await insertDeal(db, { title: 'Board game about a boat' });
  await matchUntilDone();
  const read = await readWatchable(db, `/deals?${new URLSearchParams({ search: query })}`, 'USD');
  if (!read.ok) throw new Error(read.message);
  expect(
    await saveWatchedSearch(db, { userId: (await insertUser(db)).id }, read.watchable, 'daily'),
  ).toBe('saved');
  await addDeals();
  await matchUntilDone();
  const [search] = await db.selectFrom('watched_searches').select('waiting_deals').execute();
  const request = { query, sort: 'newest' as const, filter: {}, page: 1, isExact: false };
  const found = await searchCatalog(db, request);
  const isNew = ({ title }: { title: string }) => shop.some(({ titles }) => titles.includes(title));
  expect(found.alternatives).toEqual([]);
  expect(search?.waiting_deals.map(Number).toSorted((a, b) => a - b)).toEqual(
    found.deals
      .filter(isNew)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  );
  expect(search?.waiting_deals.length).toBeGreaterThan(0);
});

import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { parseSearchInput } from './search-input.ts';
import { searchCatalog, type SearchResults } from './search-queries.server.ts';

const database = useTestDatabase();

async function search(address: string): Promise<SearchResults> {
  return await searchCatalog(database.db, parseSearchInput(new URLSearchParams(address)));
}

async function givenDeals(...titles: string[]): Promise<void> {
  await database.db
    .insertInto('deals')
    .values(
      titles.map((title, index) => ({
        title,
        slug: `deal-${index}`,
        sale_price: 1_000 + index,
        deal_url: 'https://shop.example/',
        category_id: 1,
        merchant_id: 1,
        created_at: new Date(Date.UTC(2026, 0, 1) - index * 60_000),
      })),
    )
    .execute();
}

beforeEach(async () => {
  await database.db
    .insertInto('categories')
    .values({ name: 'Audio', slug: 'audio', description: 'Sound and music' })
    .execute();
  await database.db
    .insertInto('merchants')
    .values({ name: 'Soundhouse', slug: 'soundhouse', description: 'Everything loud' })
    .execute();
});

test('a blank query finds nothing', async () => {
  await givenDeals('Headphones');
  expect(await search('search=+%09')).toMatchObject({
    query: '',
    deals: [],
    totalResults: 0,
    correctedQuery: null,
  });
});

test('deals, categories and merchants are found by name, title or description', async () => {
  await givenDeals('Sound bar');
  const found = await search('search=SOUND');
  expect(found.deals.map((deal) => deal.title)).toEqual(['Sound bar']);
  expect(found.deals[0]).toMatchObject({
    merchant: { name: 'Soundhouse' },
    category: { slug: 'audio' },
  });
  expect(found.categories.map((category) => category.name)).toEqual(['Audio']);
  expect(found.merchants.map((merchant) => merchant.name)).toEqual(['Soundhouse']);
  expect(found.totalResults).toBe(3);
});

test('at most five categories and five merchants are shown, the nearest names first', async () => {
  const names = ['A tool shop', 'Tools', 'Tool', 'Stools', 'More tools', 'Garden', 'Toolbox'];
  const rows = names.map((name, index) => ({ name, slug: `s-${index}`, description: 'a tool' }));
  await database.db.insertInto('categories').values(rows).execute();
  await database.db.insertInto('merchants').values(rows).execute();
  const found = await search('search=tool');
  for (const list of [found.categories, found.merchants]) {
    expect(list).toHaveLength(5);
    expect(list.slice(0, 3).map((row) => row.name)).toEqual(['Tool', 'Tools', 'Toolbox']);
    expect(list.map((row) => row.name)).not.toContain('Garden');
  }
});

test('R21: wildcards in a name search stand for themselves', async () => {
  expect((await search('search=%25')).totalResults).toBe(0);
  expect((await search('search=A_dio')).totalResults).toBe(0);
});

test('twenty deals a page; pages do not overlap, and the last is shown for any beyond it', async () => {
  await givenDeals(...Array.from({ length: 45 }, (_, index) => `Lamp ${index}`));
  const pages = [
    await search('search=lamp'),
    await search('search=lamp&page=2'),
    await search('search=lamp&page=3'),
  ];
  expect(pages.map((found) => found.deals.length)).toEqual([20, 20, 5]);
  expect(new Set(pages.flatMap((found) => found.deals.map((deal) => deal.id))).size).toBe(45);
  expect(pages[0]).toMatchObject({
    dealTotal: 45,
    pageCount: 3,
    isDealTotalCapped: false,
    totalResults: 45,
  });
  expect((await search('search=lamp&page=99')).page).toBe(3);
});

test('sort and prices of the address are obeyed together', async () => {
  await givenDeals('Lamp a', 'Lamp b', 'Lamp c', 'Lamp d');
  const found = await search('search=lamp&sort=price_high&min=10.01&max=10.02');
  expect(found.deals.map((deal) => deal.title)).toEqual(['Lamp c', 'Lamp b']);
});

describe('typing errors', () => {
  beforeEach(() => givenDeals('Wireless Headphones', 'Gaming Keyboard'));

  test.each([
    ['hedphones', 'headphones'],
    ['Wierless', 'wireless'],
    ['wireles hedphones', 'wireless headphones'],
    ['keybord', 'keyboard'],
    ['Soundhuose', 'soundhouse'],
  ])('%s shows %s, and says so', async (typed, meant) => {
    const found = await search(`search=${encodeURIComponent(typed)}`);
    expect(found.query).toBe(typed);
    expect(found.correctedQuery).toBe(meant);
    expect(found.totalResults).toBeGreaterThan(0);
  });

  test('the beginning of a known word is no error', async () => {
    expect(await search('search=wireles')).toMatchObject({ correctedQuery: null, dealTotal: 1 });
  });

  test('exact=1 shows what was typed', async () => {
    expect(await search('search=hedphones&exact=1')).toMatchObject({
      correctedQuery: null,
      totalResults: 0,
    });
  });

  test('a query that finds something is never corrected', async () => {
    await database.db.deleteFrom('deals').execute();
    await givenDeals('Hedphones');
    const found = await search('search=hedphones');
    expect(found).toMatchObject({ correctedQuery: null, dealTotal: 1 });
  });

  test('a query near to nothing stays as it is', async () => {
    expect(await search('search=xqzzv')).toMatchObject({ correctedQuery: null, totalResults: 0 });
  });

  test('a correction that finds nothing within the filters is not made', async () => {
    expect(await search('search=hedphones&min=5000')).toMatchObject({
      correctedQuery: null,
      totalResults: 0,
    });
  });

  test('a renamed deal and a new store teach their words at once', async () => {
    await database.db
      .updateTable('deals')
      .set({ title: 'Turntable' })
      .where('title', '=', 'Gaming Keyboard')
      .execute();
    expect((await search('search=turntabel')).correctedQuery).toBe('turntable');
    await database.db.insertInto('merchants').values({ name: 'Vinylworld', slug: 'v' }).execute();
    expect((await search('search=vinilworld')).correctedQuery).toBe('vinylworld');
  });
});

import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { conditionOf } from '#app/features/deals/deal-conditions.server.ts';
import { countDealFacets } from '#app/features/deals/deal-facet-queries.server.ts';
import { listDeals, pageSize } from '#app/features/deals/deal-list-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { findMatchingDeals } from './planner/find-matching-deals.server.ts';
import { readSearchTerms } from './planner/search-terms.server.ts';
import {
  type DealFilter,
  filterOf,
  parseSearchInput,
} from '#app/features/deals/deal-list-input.ts';
import { searchSorts } from '#app/features/deals/deal-sorts.ts';
import { searchCatalog, type SearchResults } from './search-queries.server.ts';

const database = useTestDatabase();

async function search(address: string): Promise<SearchResults> {
  const input = parseSearchInput(new URLSearchParams(address), 'USD');
  return await searchCatalog(database.db, {
    query: input.query ?? '',
    sort: searchSorts.find((sort) => sort === input.sort) ?? 'relevance',
    filter: filterOf(input),
    page: input.page,
    isExact: input.isExact === true,
  });
}

const givenDeals = (...titles: string[]) => givenDealsFrom(0, ...titles);

/**
 * Creates deals, each a cent more expensive and a minute older than the previous one. `before` is
 * the number of existing deals.
 */
async function givenDealsFrom(before: number, ...titles: string[]): Promise<void> {
  await database.db
    .insertInto('deals')
    .values(
      titles.map((title, index) => ({
        title,
        slug: `deal-${before + index}`,
        sale_price: 1_000 + before + index,
        deal_url: 'https://shop.example/',
        category_id: 1,
        merchant_id: 1,
        created_at: new Date(Date.UTC(2026, 0, 1) - (before + index) * 60_000),
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

test('does not find a deal by a single word of a synonym, such as carry for carry on bag', async () => {
  await givenDeals('Cabin suitcase', 'Strap to carry skis');
  const { deals } = await search('search=hand+luggage');
  expect(deals.map(({ title }) => title)).toEqual(['Cabin suitcase']);
});

// Proves Storefront 5: Blank queries find nothing
test('finds nothing for a blank query', async () => {
  await givenDeals('Headphones');
  expect(await search('search=+%09')).toMatchObject({
    query: '',
    deals: [],
    totalResults: 0,
    correctedQuery: null,
  });
});

test('finds deals, categories and merchants by name, title or description', async () => {
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

// Proves Storefront 7: Search: 20, 5, 5
test('shows at most five categories and five merchants, the most similar first', async () => {
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

test('R21: treats wildcards in a name search as text', async () => {
  expect((await search('search=%25')).totalResults).toBe(0);
  expect((await search('search=A_dio')).totalResults).toBe(0);
});

// Proves Storefront 9: Search: 20, 5, 5
test('shows twenty deals per page without overlaps, and the last page for any page number beyond it', async () => {
  await givenDeals(...Array.from({ length: 45 }, (_, index) => `Lamp ${index}`));
  const pages = [
    await search('search=lamp'),
    await search('search=lamp&page=2'),
    await search('search=lamp&page=3'),
  ];
  expect(pages.map((found) => found.deals.length)).toEqual([20, 20, 5]);
  expect(new Set(pages.flatMap((found) => found.deals.map((deal) => deal.id))).size).toBe(45);
  expect(pages[0]).toMatchObject({
    total: 45,
    pageCount: 3,
    isTotalCapped: false,
    totalResults: 45,
  });
  expect((await search('search=lamp&page=99')).page).toBe(3);
});

// Proves Storefront 2: Search results: sorts and price filter
test('applies the sort order and prices of the URL together', async () => {
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
  ])('corrects typing errors in %s to show %s, with a notice', async (typed, meant) => {
    const found = await search(`search=${encodeURIComponent(typed)}`);
    expect(found.query).toBe(typed);
    expect(found.correctedQuery).toBe(meant);
    expect(found.totalResults).toBeGreaterThan(0);
  });

  test('does not correct the beginning of a known word', async () => {
    expect(await search('search=wireles')).toMatchObject({ correctedQuery: null, total: 1 });
  });

  test('does not correct typing errors with exact=1', async () => {
    expect(await search('search=hedphones&exact=1')).toMatchObject({
      correctedQuery: null,
      totalResults: 0,
    });
  });

  test('does not correct typing errors if the query finds something', async () => {
    await database.db.deleteFrom('deals').execute();
    await givenDeals('Hedphones');
    const found = await search('search=hedphones');
    expect(found).toMatchObject({ correctedQuery: null, total: 1 });
  });

  test('searches descriptions for a misspelled word only if no correction finds more', async () => {
    await givenDealsFrom(2, 'Stand');
    await database.db
      .updateTable('deals')
      .set({ description: 'see antihedphonesia' })
      .where('title', '=', 'Stand')
      .execute();
    const titles = ({ deals }: SearchResults) => deals.map(({ title }) => title);
    const found = await search('search=hedphones');
    expect([found.correctedQuery, ...titles(found)]).toEqual(['headphones', 'Wireless Headphones']);
    for (const more of ['exact=1', 'min=10.02']) {
      const asTyped = await search(`search=hedphones&${more}`);
      expect([asTyped.correctedQuery, ...titles(asTyped)]).toEqual([null, 'Stand']);
    }
  });

  test('keeps misspelled search words if no known word is similar', async () => {
    expect(await search('search=xqzzv')).toMatchObject({ correctedQuery: null, totalResults: 0 });
  });

  test('keeps misspelled words if the correction finds nothing within the filters', async () => {
    expect(await search('search=hedphones&min=5000')).toMatchObject({
      correctedQuery: null,
      totalResults: 0,
    });
  });

  test('corrects typing errors to words of a renamed deal and a new store immediately', async () => {
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

describe('a search with words that no single deal contains', () => {
  /** Returns the alternatives as texts: `kept words: left out: count`. */
  async function alternativesOf(typed: string): Promise<string[]> {
    const { alternatives } = await search(`search=${encodeURIComponent(typed)}`);
    return alternatives.map(
      ({ text, without, count }) => `${text}: ${without.join(', ')}: ${count}`,
    );
  }

  beforeEach(async () => {
    await givenDeals('Cordless drill', 'Blue cordless drill', 'Cordless drill with case');
    await givenDealsFrom(3, 'Drill 18V', 'Blue drill 18V', 'Drill 18V set', 'Drill 18V for wood');
    const things = ['fan', 'radio', 'saw', 'torch', 'shears'];
    await givenDealsFrom(7, ...things.map((thing) => `Cordless ${thing} 18V`));
    await givenDealsFrom(12, 'Cordless drill of last year');
    await database.db
      .updateTable('deals')
      .set({ expires_at: new Date('2026-01-01') })
      .where('title', 'like', '%last year')
      .execute();
  });

  test('leaves out the number of a query first and the noun last, and counts only live deals', async () => {
    const expected = ['cordless drill: 18v: 3', 'drill 18v: cordless: 4', 'cordless 18v: drill: 5'];
    expect(await alternativesOf('cordless drill 18v')).toEqual(expected);
    const found = await search('search=cordless+drill+18v');
    expect([found.total - found.expiredTotal, found.expiredTotal]).toEqual([3, 1]);
    expect(found.deals.every(({ title }) => /cordless drill/i.test(title))).toBe(true);
  });

  test('leaves out words that no deal contains before any others', async () => {
    expect(await alternativesOf('cordless zqxwv drill')).toEqual(['cordless drill: zqxwv: 3']);
    expect((await alternativesOf('zqxwv cordless drill 18v'))[0]).toBe(
      'cordless drill: zqxwv, 18v: 3',
    );
    await givenDealsFrom(13, 'Red steel garden hose', 'Brass bell', 'Oak bench');
    expect(await alternativesOf('red zqxwv steel garden hose brass oak')).toEqual([
      'red steel garden hose: zqxwv, brass, oak: 1',
    ]);
  });

  test('treats the parts of a word with brackets or a slash as separate words to leave out', async () => {
    expect(await alternativesOf('drill(zqxwv)')).toEqual(['drill: zqxwv: 7']);
    expect(await alternativesOf('zqxwv/drill cordless')).toEqual(['drill cordless: zqxwv: 3']);
    expect((await search('search=drill(zqxwv)')).total).toBe(8);
    expect(await alternativesOf('zqxwv(1)')).toEqual([]);
  });

  test('does not require filler words, and does not show them as left out', async () => {
    const found = await search('search=best+cheap+cordless+drill');
    expect(found).toMatchObject({ alternatives: [], total: 4, expiredTotal: 1 });
    expect((await alternativesOf('best cordless drill 18v'))[0]).toBe('cordless drill: 18v: 3');
  });

  test('leaves out as few words as possible, and offers at most three alternatives', async () => {
    await givenDealsFrom(13, 'Watering can', 'Red hat', 'Red cap', 'Red tie', 'Oak pen', 'Oak cup');
    expect(await alternativesOf('watering oak red drill')).toEqual([
      'drill: watering, oak, red: 7',
      'red: watering, oak, drill: 3',
      'oak: watering, red, drill: 2',
    ]);
    expect((await alternativesOf('red cordless drill'))[0]).toBe('cordless drill: red: 3');
  });

  test('shortens a query of more than six words from its ends', async () => {
    await givenDealsFrom(13, 'Red steel garden hose', 'Brass bell', 'Oak bench', 'Wool rug');
    expect(await alternativesOf('red steel garden hose brass oak wool')).toEqual([
      'red steel garden hose: brass, oak, wool: 1',
    ]);
  });

  test.each([
    ['a single word', 'search=zqxwv'],
    ['words that no deal has', 'search=zqxwv+vwxqz+qqzzw'],
    ['words whose deals a filter hides', 'search=cordless+drill&max=1'],
    ['an exact search', 'search=cordless+drill+18v&exact=1'],
  ])('offers no alternatives for %s', async (_, address) => {
    expect(await search(address)).toMatchObject({ alternatives: [], totalResults: 0 });
  });
});

describe('a search within a list', () => {
  const filters: DealFilter[] = [
    {},
    { status: 'used' },
    { sellerType: 'third_party' },
    { dealType: 'featured' },
    { dealType: 'coupon' },
    { dealType: 'expiring' },
    { categoryId: 2 },
    { merchantId: 2 },
    { minPrice: 1_010, maxPrice: 1_030 },
    { categoryId: 1, status: 'new', dealType: 'coupon' },
    { merchantId: 2, sellerType: 'amazon', maxPrice: 1_040 },
    { categoryId: 2, merchantId: 1, status: 'used', dealType: 'expiring' },
  ];

  /** Creates deals that all contain the word, with every combination of filters. */
  async function givenLamps(count: number): Promise<void> {
    for (const slug of ['tools', 'loud']) {
      await database.db.insertInto('categories').values({ name: slug, slug }).execute();
      await database.db.insertInto('merchants').values({ name: slug, slug }).execute();
    }
    // Inserts in batches, since a busy server takes seconds for all deals, and a statement may take
    // at most five.
    for (let before = 0; before < count; before += 1_000) {
      await insertLamps(before + 1, Math.min(before + 1_000, count));
    }
    await sql`analyze deals`.execute(database.db);
  }

  async function insertLamps(first: number, last: number): Promise<void> {
    await sql`
      insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id, status, condition, seller_type,
                         is_featured, coupon_code, expires_at, is_expired, created_at)
      select 'lamp-' || n, 'Lamp ' || n, 1000 + n % 60, 'https://shop.example/', 1 + n % 2, 1 + n / 2 % 2,
             case when n / 4 % 2 = 0 then 'new' else 'used' end, case when n / 4 % 2 = 1 then 'good' end,
             case when n / 8 % 2 = 0 then 'amazon' else 'third_party' end, n / 16 % 2 = 0,
             case when n / 32 % 2 = 0 then 'CODE' end,
             case n % 5 when 0 then now() + interval '1 day' when 1 then now() - interval '1 day' end, n % 5 = 1,
             now() - n * interval '1 minute'
        from generate_series(${first}::int, ${last}::int) n`.execute(database.db);
  }

  const request = (filter: DealFilter) => ({
    query: 'lamp',
    sort: 'newest' as const,
    filter,
    page: 1,
    isExact: true,
  });

  test.each(filters)(
    'finds and counts the same deals when filtering by %o as a filter of all matches does',
    async (filter) => {
      await givenLamps(160);
      const terms = await readSearchTerms(database.db, 'lamp');
      const { ids, isCapped } = await findMatchingDeals(database.db, terms, {
        sort: 'newest',
        filter,
      });
      const listed: number[] = [];
      for (let page = 1; page <= Math.ceil(160 / pageSize); page++) {
        const { deals } = await listDeals(database, { filter, sort: 'newest', page });
        listed.push(...deals.map(({ id }) => id));
      }
      expect(ids).toEqual(listed);
      expect(isCapped).toBe(false);

      const { facets } = await searchCatalog(database.db, request(filter));
      const { category, merchant, ...options } = facets;
      expect(options).toEqual(await countDealFacets(database.db, filter));
      for (const [name, places] of [
        ['categoryId', category],
        ['merchantId', merchant],
      ] as const) {
        for (const { slug, count } of places ?? []) {
          const id = slug === 'tools' ? 2 : slug === 'loud' ? 3 : 1;
          const { deals } = await listDeals(database, {
            filter: { ...filter, [name]: id },
            sort: 'newest',
            page: 1,
          });
          const live = deals.filter((deal) => !deal.is_expired);
          expect([name, slug, Math.min(count, pageSize)]).toEqual([name, slug, live.length]);
        }
      }
    },
  );

  const common = filters.filter((_, index) => index % 3 === 1);
  test.each(common)(
    'finds only deals that match %o for a word too frequent to read all its deals',
    async (filter) => {
      await givenLamps(9_000);
      for (const sort of searchSorts) {
        const { deals, total } = await searchCatalog(database.db, { ...request(filter), sort });
        expect(total).toBeGreaterThan(0);
        const { ids } = await findMatchingDeals(
          database.db,
          await readSearchTerms(database.db, 'lamp'),
          { sort, filter },
        );
        const { rows } = await sql<{ odd: number }>`
        select count(*) as odd from deals where id = any(${ids}::bigint[]) and not ${conditionOf(filter)}`.execute(
          database.db,
        );
        expect(rows[0]?.odd).toBe(0);
        expect(deals[0]?.id).toBe(ids[0]);
      }
    },
  );

  test('keeps a chosen filter option, even without results', async () => {
    await givenLamps(20);
    const { facets } = await searchCatalog(database.db, request({ categoryId: 3, merchantId: 1 }));
    expect(facets.category?.find(({ slug }) => slug === 'loud')).toMatchObject({ count: 0 });
    expect(facets.merchant).toEqual([
      { slug: 'soundhouse', name: 'Soundhouse', count: 0, isCapped: false },
    ]);
  });
});

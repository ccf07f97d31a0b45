import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import { findMatchingDeals } from './find-matching-deals.server.ts';
import { readSearchTerms } from './search-terms.server.ts';

const database = useTestDatabase();
const day = 86_400_000;
const mostMatches = 500;

interface Given {
  title: string;
  description?: string;
  sale_price?: number;
  is_active?: boolean;
  expires_at?: Date;
  merchant_id?: number;
  price_checked_at?: Date;
  daysOld?: number;
}

let count = 0;

async function given(...deals: Given[]): Promise<void> {
  for (const { daysOld = 0, ...deal } of deals) {
    const n = ++count;
    await database.db
      .insertInto('deals')
      .values({
        slug: `deal-${n}`,
        sale_price: 1_000,
        deal_url: 'https://shop.example/',
        category_id: 1,
        merchant_id: 1,
        created_at: new Date(Date.UTC(2026, 0, 1) + n * 1_000 - daysOld * day),
        ...deal,
      })
      .execute();
  }
}

async function titles(
  text: string,
  { sort = 'relevance', ...filter }: DealFilter & { sort?: SearchSort } = {},
): Promise<string[]> {
  const terms = await readSearchTerms(database.db, text);
  const { ids } = await findMatchingDeals(database.db, terms, { sort, filter });
  const rows = await database.db.selectFrom('deals').select(['id', 'title']).execute();
  return ids.map((id) => rows.find((row) => row.id === id)?.title ?? '');
}

beforeEach(async () => {
  await database.db.insertInto('categories').values({ name: 'Audio', slug: 'audio' }).execute();
  await database.db.insertInto('merchants').values({ name: 'Shop', slug: 'shop' }).execute();
});

describe('matching', () => {
  // Proves Storefront 5: Case-insensitive partial match
  test('finds parts of words in the title and description, in upper or lower case', async () => {
    await given(
      { title: 'Wireless HEADPHONES' },
      { title: 'Stand', description: 'for your headphones' },
      { title: 'Lamp' },
    );
    expect((await titles('eadPHO')).toSorted()).toEqual(['Stand', 'Wireless HEADPHONES']);
  });

  test('finds a deal only once if its store and title have the same name', async () => {
    await database.db.insertInto('merchants').values({ name: 'Lumen', slug: 'lumen' }).execute();
    await given(
      { title: 'Lumen lamp one', merchant_id: 2 },
      { title: 'Lamp two', merchant_id: 2 },
      { title: 'Lumen lamp three' },
      { title: 'Lamp four' },
      { title: 'Lumen chair', merchant_id: 2 },
    );
    const found = await titles('lumen lamp');
    expect(found.toSorted()).toEqual(['Lamp two', 'Lumen lamp one', 'Lumen lamp three']);
    expect((await titles('lamp lumen', { merchantId: 2 })).length).toBe(2);
  });

  test('finds fragments of one and two characters', async () => {
    await given({ title: 'Xbox' }, { title: 'Lamp', description: 'size L' });
    expect(await titles('x')).toEqual(['Xbox']);
    expect(await titles('bo')).toEqual(['Xbox']);
    expect(await titles('qz')).toEqual([]);
  });

  test('requires all words, in any order, in the title or the description', async () => {
    await given(
      { title: 'Red desk lamp' },
      { title: 'Desk', description: 'comes with a lamp' },
      { title: 'Desk' },
    );
    expect(await titles('lamp desk')).toEqual(['Red desk lamp', 'Desk']);
  });

  test('searches for a hyphenated word without its parts, since texts with the word always contain them', async () => {
    await given(
      { title: 'USB-C cable' },
      { title: 'USB cable, type C' },
      { title: 'C clamp for usb' },
    );
    const { terms } = await readSearchTerms(database.db, 'usb-c', { isExact: true });
    expect(terms[0]?.query).toContain("'usb-c'");
    expect(terms[0]?.query).not.toContain("'usb' &");
    expect(await titles('usb-c cable')).toContain('USB-C cable');
    expect(await titles('usb-c clamp')).toEqual([]);
  });

  test('matches other inflections of a word', async () => {
    await given({ title: 'Running shoe' });
    expect(await titles('shoes')).toEqual(['Running shoe']);
  });

  test('searches for stop words if there are no other words', async () => {
    await given({ title: 'The Lamp' }, { title: 'Desk' });
    expect(await titles('the')).toEqual(['The Lamp']);
  });

  // Proves R21: bound SQL and timeouts (database/connect.ts)
  test('R21: treats percent, underscore and backslash as text', async () => {
    await given(
      { title: 'Cotton 100% soft' },
      { title: 'Cotton 1000 soft' },
      { title: 'a_b' },
      { title: 'axb' },
      { title: 'c\\d' },
    );
    expect(await titles('100%')).toEqual(['Cotton 100% soft']);
    expect(await titles('a_b')).toEqual(['a_b']);
    expect(await titles('c\\d')).toEqual(['c\\d']);
    expect(await titles('%')).toEqual(['Cotton 100% soft']);
    expect(await titles('_')).toEqual(['a_b']);
  });

  test.each([
    "'; drop table deals; --",
    "' or '1'='1",
    "a' & b | !c",
    '<->',
    ':*',
    '((',
    '"',
    "\\'",
    "''",
    '$1',
    '-lamp',
    '!',
  ])('treats the operator %s as text', async (text) => {
    await given({ title: 'Lamp' });
    await expect(titles(text)).resolves.toBeInstanceOf(Array);
    expect(await titles('lamp')).toEqual(['Lamp']);
  });

  test('finds letters in every script', async () => {
    await given(
      { title: 'Café Crème' },
      { title: '東京 ヘッドホン' },
      { title: 'Наушники' },
      { title: 'Party 🎧 set' },
    );
    expect(await titles('CAFÉ')).toEqual(['Café Crème']);
    expect(await titles('ヘッド')).toEqual(['東京 ヘッドホン']);
    expect(await titles('науш')).toEqual(['Наушники']);
    expect(await titles('🎧')).toEqual(['Party 🎧 set']);
  });

  test('never finds inactive deals', async () => {
    await given({ title: 'Lamp', is_active: false });
    expect(await titles('lamp')).toEqual([]);
    expect(await titles('am')).toEqual([]);
  });
});

describe('order', () => {
  test('lists expired deals after live ones in every order', async () => {
    await given(
      { title: 'Lamp', expires_at: new Date(Date.UTC(2020, 0, 1)), sale_price: 500, daysOld: 50 },
      { title: 'A blue lamp', sale_price: 900, daysOld: 10 },
    );
    for (const sort of ['relevance', 'price_low', 'oldest'] as const) {
      expect(await titles('lamp', { sort })).toEqual(['A blue lamp', 'Lamp']);
    }
  });

  test('ranks exact titles first, then beginnings of titles, words in titles, words anywhere, and parts', async () => {
    await given(
      { title: 'Lamp' },
      { title: 'Lamp for desks' },
      { title: 'Blue lamp' },
      { title: 'Stand', description: 'holds one lamp' },
      { title: 'Headlampset' },
      { title: 'Box', description: 'for headlampsets' },
    );
    expect(await titles('lamp')).toEqual([
      'Lamp',
      'Lamp for desks',
      'Blue lamp',
      'Stand',
      'Headlampset',
      'Box',
    ]);
  });

  test('lists equally relevant deals newest first', async () => {
    await given({ title: 'Red lamp', daysOld: 2 }, { title: 'Blue lamp', daysOld: 1 });
    expect(await titles('lamp')).toEqual(['Blue lamp', 'Red lamp']);
  });

  test('sorts by price and date, both ways', async () => {
    await given(
      { title: 'Lamp one', sale_price: 300, daysOld: 3 },
      { title: 'Lamp two', sale_price: 100, daysOld: 2 },
      { title: 'Lamp three', sale_price: 200, daysOld: 1 },
    );
    expect(await titles('lamp', { sort: 'price_low' })).toEqual([
      'Lamp two',
      'Lamp three',
      'Lamp one',
    ]);
    expect(await titles('lamp', { sort: 'price_high' })).toEqual([
      'Lamp one',
      'Lamp three',
      'Lamp two',
    ]);
    expect(await titles('lamp', { sort: 'newest' })).toEqual([
      'Lamp three',
      'Lamp two',
      'Lamp one',
    ]);
    expect(await titles('lamp', { sort: 'oldest' })).toEqual([
      'Lamp one',
      'Lamp two',
      'Lamp three',
    ]);
  });

  test('applies both price limits, inclusively, to matches of words and of parts', async () => {
    await given(
      { title: 'Lamp one', sale_price: 300 },
      { title: 'Lamp two', sale_price: 100 },
      { title: 'Lamp three', sale_price: 200 },
    );
    const filters = { sort: 'price_low' as const, minPrice: 100, maxPrice: 200 };
    expect(await titles('lamp', filters)).toEqual(['Lamp two', 'Lamp three']);
    expect(await titles('amp', filters)).toEqual(['Lamp two', 'Lamp three']);
    expect(await titles('lamp', { minPrice: 201 })).toEqual(['Lamp one']);
    expect(await titles('lamp', { minPrice: 301 })).toEqual([]);
  });
});

describe('a shop too large to read completely', () => {
  const common = 9_000;

  beforeEach(() => givenThings(1, common));

  /**
   * Creates deals that all have a frequent word, and every twentieth also a color. This is done in
   * batches, since a statement may take at most five seconds.
   */
  async function givenThings(from: number, to: number): Promise<void> {
    for (let first = from; first <= to; first += 1_000)
      await insertThings(first, Math.min(first + 999, to));
    await sql`analyze deals, deal_texts`.execute(database.db);
  }

  function insertThings(first: number, last: number): Promise<void> {
    return database.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`
        with inserted as (
          insert into deals (slug, title, description, sale_price, deal_url, category_id, merchant_id, created_at, is_expired)
          select 'common-' || n, case when n % 20 = 11 then 'Magenta' else 'Wireless' end || ' thing ' || n, 'uncommonpart', 1000 + n,
                 'https://shop.example/', 1, 1, timestamptz '2026-01-01' - n * interval '1 minute', n % 10 = 0
            from generate_series(${first}::int, ${last}::int) n
          returning *)
        insert into deal_texts (deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, title, search)
        select id, is_active, is_expired, traits, category_id, merchant_id, created_at, title, deal_words(title, description)
          from inserted`.execute(tx);
    });
  }

  test('fills all pages for a word in one of twenty deals, newest or oldest first', async () => {
    for (let from = common + 1; from < 45_000; from += 3_000) await givenThings(from, from + 2_999);
    const colored = Array.from({ length: mostMatches }, (_, index) => 20 * index + 11);
    const named = (numbers: number[]) => numbers.map((n) => `Magenta thing ${n}`);
    expect(await titles('magenta', { sort: 'newest' })).toEqual(named(colored));
    expect(await titles('magenta')).toEqual(named(colored));
    expect(await titles('magenta', { sort: 'oldest' })).toEqual(
      named(colored.map((n) => 45_002 - n)),
    );
  });

  const givenToys = () =>
    database.db.insertInto('categories').values({ name: 'Toys', slug: 'toys' }).execute();

  /** Makes statistics expect this many times more deals than there are. */
  const expectMore = (times: number) =>
    sql`update pg_class set reltuples = reltuples * ${times}
         where relname in ('deals', 'deal_texts')`.execute(database.db);

  test.each([
    ['common', 1],
    ['frequent', 10],
  ])(
    'shows the first 500 deals with a %s word in the requested order, and reports that there are more',
    async (_, times) => {
      await expectMore(times);
      const terms = await readSearchTerms(database.db, 'wireless');
      const found = async (sort: SearchSort, maxPrice?: number): Promise<unknown> => {
        const wanted = { sort, filter: { maxPrice } };
        const { ids, isCapped } = await findMatchingDeals(database.db, terms, wanted);
        const first = await database.db
          .selectFrom('deals')
          .select('title')
          .where('id', '=', ids[0] ?? 0)
          .execute();
        return [new Set(ids).size, isCapped, first[0]?.title];
      };
      expect(await found('relevance')).toEqual([mostMatches, true, 'Wireless thing 1']);
      expect(await found('newest')).toEqual([mostMatches, true, 'Wireless thing 1']);
      expect(await found('price_low')).toEqual([mostMatches, true, 'Wireless thing 1']);
      expect(await found('price_high')).toEqual([mostMatches, true, 'Wireless thing 8999']);
      expect(await found('oldest')).toEqual([mostMatches, true, 'Wireless thing 8999']);
      expect(await found('relevance', 1_030)).toEqual([29, false, 'Wireless thing 1']);
      expect(await found('relevance', 1_010)).toEqual([10, false, 'Wireless thing 1']);
      expect(await found('price_low', 900)).toEqual([0, false, undefined]);
    },
  );

  test.each([1, 10])(
    'finds a word that only old deals contain, if statistics expect it %i times as often',
    async (times) => {
      await sql`
      update deals set expires_at = now() - interval '1 hour' where sale_price between 1000 and 8900`.execute(
        database.db,
      );
      await expectMore(times);
      for (const sort of ['relevance', 'newest'] as const)
        expect((await titles('wireless', { sort })).slice(0, 2)).toEqual([
          'Wireless thing 7901',
          'Wireless thing 7902',
        ]);
      expect(await titles('wireless', { minPrice: 9_900 })).toHaveLength(96);
    },
  );

  test('finds every deal that ends soon for a frequent word, newest first', async () => {
    await database.db
      .updateTable('deals')
      .set({ expires_at: new Date(Date.now() + day) })
      .where(sql<boolean>`sale_price % 50 = 3`)
      .where('is_expired', '=', false)
      .execute();
    await sql`analyze deals, deal_texts`.execute(database.db);
    const ending = Array.from({ length: common / 50 }, (_, index) => 50 * index + 3);
    const found = await titles('wireless', { dealType: 'expiring', sort: 'newest' });
    expect(found).toEqual(ending.map((n) => `Wireless thing ${n}`));
    const terms = await readSearchTerms(database.db, 'wireless');
    const wanted = { sort: 'newest' as const, filter: { dealType: 'expiring' as const } };
    expect(await findMatchingDeals(database.db, terms, wanted)).toMatchObject({ isCapped: false });
  });

  test.each([1, 10])(
    'combines deals that end soon with other filters, if statistics expect %i times as many',
    async (times) => {
      await givenToys();
      await sql`
        update deals set expires_at = now() + interval '1 day', category_id = case when sale_price < 1500 then 2 else 1 end
         where sale_price between 1400 and 1600 and not is_expired`.execute(database.db);
      await sql`analyze deals, deal_texts`.execute(database.db);
      await expectMore(times);
      const ending = { dealType: 'expiring' as const, minPrice: 1_495 };
      expect(await titles('wireless', { ...ending, categoryId: 2 })).toEqual(
        [495, 496, 497, 498, 499].map((n) => `Wireless thing ${n}`),
      );
      expect(await titles('magenta', ending)).toEqual(
        [511, 531, 551, 571, 591].map((n) => `Magenta thing ${n}`),
      );
    },
  );

  test('reads all matches in a category that has few of the newest deals', async () => {
    await givenToys();
    await sql`
      update deals set category_id = 2
       where title like 'Magenta%' and id in (select id from deals where title like 'Magenta%' order by id desc limit 30)`.execute(
      database.db,
    );
    await sql`update deals set category_id = 2 where title like 'Wireless%' and id % 2 = 0`.execute(
      database.db,
    );
    await sql`analyze deals, deal_texts`.execute(database.db);
    await expectMore(30);
    const terms = await readSearchTerms(database.db, 'magenta');
    const wanted = { sort: 'newest' as const, filter: { categoryId: 2 } };
    const newest = { sort: 'newest' as const, filter: { maxPrice: 5_000 } };
    const { ids } = await findMatchingDeals(database.db, terms, newest);
    const among = { ids, isAll: false };
    const found = await findMatchingDeals(database.db, terms, { ...wanted, among });
    expect(found).toMatchObject({ isCapped: false });
    expect(found.ids).toHaveLength(30);
  });

  test('ignores parts of a frequent word in older deals, with or without a filter', async () => {
    await given({ title: 'Hardwireless', expires_at: new Date(Date.now() + day), daysOld: -90 });
    expect(await titles('wireless', { dealType: 'expiring' })).toEqual([]);
    expect(await titles('wireless')).not.toContain('Hardwireless');
    expect(await titles('dwireless', { dealType: 'expiring' })).toEqual(['Hardwireless']);
  });

  test('ranks an exact title first, no matter how old it is', async () => {
    await given({ title: 'Wireless', daysOld: 900 });
    expect((await titles('wireless'))[0]).toBe('Wireless');
  });

  test('finds a frequent part of words only in the newest deals', async () => {
    expect(await titles('commonpar')).toHaveLength(mostMatches);
  });

  test('finds a rare word next to frequent ones, in any deal', async () => {
    await given(
      { title: 'Wireless zither', daysOld: 900 },
      { title: 'Antizitherine', daysOld: 901 },
    );
    expect(await titles('zither')).toEqual(['Wireless zither', 'Antizitherine']);
    expect(await titles('wireless zither')).toEqual(['Wireless zither']);
  });
});

describe('P35d: a search by price', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  beforeEach(async () => {
    await database.db
      .insertInto('merchants')
      .values({ name: 'Hides', slug: 'hides', hide_price_after_hours: 24 })
      .execute();
    await given(
      { title: 'Lamp shown', sale_price: 1_000 },
      { title: 'Lamp old elsewhere', sale_price: 2_000, price_checked_at: hoursAgo(90) },
      { title: 'Lamp hidden', sale_price: 3_000, merchant_id: 2, price_checked_at: hoursAgo(25) },
      { title: 'Lamp fresh', sale_price: 4_000, merchant_id: 2, price_checked_at: hoursAgo(23) },
      { title: 'Streetlamps', sale_price: 5_000, merchant_id: 2, price_checked_at: hoursAgo(25) },
    );
  });

  // Proves P35d: a hidden price is told by no filter, order or count (deal-conditions.server.ts)
  test.each([
    [{ minPrice: 1 }],
    [{ maxPrice: 9_000 }],
    [{ sort: 'price_low' as const }],
    [{ sort: 'price_high' as const, minPrice: 500 }],
  ])('reveals no hidden price to a search with price parameters: %o', async (filters) => {
    const found = await titles('lamp', filters);
    expect(found.toSorted()).toEqual(['Lamp fresh', 'Lamp old elsewhere', 'Lamp shown']);
  });

  test('finds all deals with hidden prices without price parameters', async () => {
    for (const sort of ['relevance', 'newest', 'oldest'] as const) {
      expect((await titles('lamp', { sort })).length).toBe(5);
    }
  });

  test('reveals no hidden price for words so frequent that only some deals are read', async () => {
    await database.db.deleteFrom('deals').execute();
    // Deals are inserted in batches, since a statement may take at most five seconds, even on a
    // busy server.
    for (let first = 1; first <= 4_500; first += 900)
      await sql`
        insert into deals (title, slug, sale_price, deal_url, category_id, merchant_id, price_checked_at)
        select 'Lamp ' || n, 'lamp-' || n, 1000 + n, 'https://shop.example/', 1, 1 + n % 2,
               now() - n % 3 * interval '20 hours'
          from generate_series(${first}::int, ${first + 899}::int) n`.execute(database.db);
    await sql`analyze deals, deal_texts`.execute(database.db);
    for (const filters of [
      { sort: 'price_low' as const },
      { minPrice: 1_200 },
      { maxPrice: 5_000 },
    ]) {
      const found = await titles('lamp', filters);
      expect(found.length).toBeGreaterThan(100);
      const hidden = found.filter((title) => {
        const n = Number(title.slice('Lamp '.length));
        return n % 2 === 1 && n % 3 === 2;
      });
      expect(hidden).toEqual([]);
    }
  });
});

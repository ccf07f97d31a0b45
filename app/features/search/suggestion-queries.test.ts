import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { popularSearches, suggest } from './suggestion-queries.server.ts';

const database = useTestDatabase();
let count = 0;

async function givenDeal(
  title: string,
  values: { is_active?: boolean; expires_at?: Date } = {},
): Promise<void> {
  const n = ++count;
  await database.db
    .insertInto('deals')
    .values({
      title,
      slug: `deal-${n}`,
      image_url: `/media/${n}.avif`,
      sale_price: 1_000,
      deal_url: 'https://shop.example/',
      category_id: 1,
      merchant_id: 1,
      created_at: new Date(Date.UTC(2026, 0, 1) - n * 60_000),
      ...values,
    })
    .execute();
}

async function texts(typed: string): Promise<string[]> {
  return (await suggest(database.db, typed)).map((suggestion) => suggestion.text);
}

async function types(typed: string): Promise<string> {
  return (await suggest(database.db, typed)).map((suggestion) => suggestion.type).join(' ');
}

beforeEach(async () => {
  await database.db.insertInto('categories').values({ name: 'Audio', slug: 'audio' }).execute();
  await database.db.insertInto('merchants').values({ name: 'Shop', slug: 'shop' }).execute();
});

// Proves Storefront 5: Suggestions from 2 characters
test('suggests nothing for fewer than two characters', async () => {
  await givenDeal('Lamp');
  for (const typed of ['', 'l', ' l ', '\u0000l', '🎧']) expect(await texts(typed)).toEqual([]);
  expect(await texts('la')).toEqual(['Lamp']);
});

test('lists titles that begin with the text first, then words that do, then parts', async () => {
  await givenDeal('Beachlamp');
  await givenDeal('Desk lamp');
  await givenDeal('Lamp oil');
  expect(await texts('lam')).toEqual(['Lamp oil', 'Desk lamp', 'Beachlamp']);
});

test('suggests a product of several stores once, and marks it as a product', async () => {
  await givenDeal('Lamp at the barn');
  await givenDeal('Lamp of two stores');
  await givenDeal('Lamps');
  const { db } = database;
  const { id: product_id } = await insertProduct(db);
  const atBarn = { product_id, merchant_id: (await insertMerchant(db)).id };
  await db.updateTable('deals').set(atBarn).where('title', '=', 'Lamp at the barn').execute();
  expect(await types('lamp')).toBe('deal deal deal');
  await db.updateTable('deals').set({ product_id }).where('title', 'like', '%stores').execute();
  expect(await texts('lamp')).toEqual(['Lamp at the barn', 'Lamps']);
  expect(await types('lamp')).toBe('product deal');
});

// Proves Storefront 7: Suggestions: 3, 2, 2, cut to 5
// Proves Storefront 9: Suggestions: from 2 characters, at most 5 of 3, 2, 2
test('limits suggestions to three titles, two categories and two stores, five in all', async () => {
  for (const name of ['one', 'two', 'three', 'four']) await givenDeal(`Sound ${name}`);
  for (const name of ['Sound', 'Soundbars', 'Sounds']) {
    await database.db.insertInto('categories').values({ name, slug: name.toLowerCase() }).execute();
    await database.db
      .insertInto('merchants')
      .values({ name: `${name} Shop`, slug: name.toLowerCase() })
      .execute();
  }
  expect(await types('sound')).toBe('deal deal deal category category');
  expect(await types('sounds')).toBe('deal deal deal category merchant');
  expect(await types('soundbars')).toBe('category merchant');
});

// Proves Storefront 3: search result and suggestion (suggestion.ts)
test('includes type, slug and picture', async () => {
  await givenDeal('Lamp');
  expect(await suggest(database.db, 'lamp')).toEqual([
    { text: 'Lamp', type: 'deal', slug: `deal-${count}`, image_url: `/media/${count}.avif` },
  ]);
  expect(await suggest(database.db, 'audio')).toEqual([
    { text: 'Audio', type: 'category', slug: 'audio', image_url: null },
  ]);
});

test('suggests each title once', async () => {
  await givenDeal('Desk Lamp');
  await givenDeal('Desk lamp');
  expect(await texts('lamp')).toHaveLength(1);
});

test('does not suggest inactive or expired deals', async () => {
  await givenDeal('Lamp one', { is_active: false });
  await givenDeal('Lamp two', { expires_at: new Date(Date.UTC(2020, 0, 1)) });
  expect(await texts('lamp')).toEqual([]);
});

test('treats typed text literally', async () => {
  await givenDeal('Cotton 100% soft');
  await givenDeal('a_b');
  expect(await texts('0%')).toEqual(['Cotton 100% soft']);
  expect(await texts('%%')).toEqual([]);
  expect(await texts('a_b')).toEqual(['a_b']);
  for (const typed of ["'; drop table deals; --", ":* & '", '\\\\', '((', '" or "']) {
    expect(await texts(typed)).toEqual([]);
  }
  await givenDeal('Ночник');
  expect(await texts('НОЧ')).toEqual(['Ночник']);
});

// Proves Storefront 7: Popular searches
test('lists the categories with the most deals, then featured stores, as popular searches, and none without deals', async () => {
  await database.db
    .insertInto('categories')
    .values(
      Array.from({ length: 7 }, (_, n) => ({
        name: `Category ${n}`,
        slug: `c${n}`,
        deal_count: n,
      })),
    )
    .execute();
  await database.db
    .insertInto('merchants')
    .values(
      Array.from({ length: 5 }, (_, n) => ({
        name: `Store ${n}`,
        slug: `m${n}`,
        deal_count: n,
        is_featured: n === 1,
      })),
    )
    .execute();
  expect((await popularSearches(database.db)).map((search) => search.text)).toEqual([
    'Category 6',
    'Category 5',
    'Category 4',
    'Category 3',
    'Category 2',
    'Store 1',
    'Store 4',
    'Store 3',
  ]);
});

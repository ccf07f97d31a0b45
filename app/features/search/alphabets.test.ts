import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNearAddress } from '#app/features/search/near-address-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { createAsciiDatabase, createTestDatabase, type TestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { correctQuery } from './correct-query.server.ts';
import { findDealIds, searchCatalog } from './search-queries.server.ts';
import { suggest } from './suggestion-queries.server.ts';

const lines = readFileSync(new URL('alphabets.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, typed = '', sign = '', title = ''] = /^(.*) ([→↛]) (.*)$/.exec(line) ?? [];
    return { typed: typed.replace('\\u0301', '\u0301'), sign, title };
  });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fill(database.db);
});
afterAll(() => database.close());

async function fill(db: Db): Promise<void> {
  for (const title of new Set(lines.map((line) => line.title))) await insertDeal(db, { title });
  await insertCategory(db, { name: 'Ακουστικά', slug: 'akoustika' });
  await insertMerchant(db, { name: 'Señor Café', slug: 'senor-cafe' });
}

async function titlesFor(db: Db, typed: string): Promise<string[]> {
  const { ids } = await findDealIds(db, typed);
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('deals').select('title').where('id', 'in', ids).execute();
  return rows.map((row) => row.title);
}

describe('a search', () => {
  test.each(lines)(
    'searches across alphabets: $typed $sign $title',
    async ({ typed, sign, title }) => {
      const found = await titlesFor(database.db, typed);
      expect([found.includes(title), found]).toEqual([sign === '→', found]);
    },
  );

  test('finds categories and stores by names in any alphabet', async () => {
    const search = (query: string) =>
      searchCatalog(database.db, { query, sort: 'relevance', filter: {}, page: 1, isExact: false });
    expect((await search('ΑΚΟΥΣΤΙΚΑ')).categories.map(({ name }) => name)).toEqual(['Ακουστικά']);
    expect((await search('senor cafe')).merchants.map(({ name }) => name)).toEqual(['Señor Café']);
  });
});

describe('suggestions', () => {
  const texts = async (typed: string) =>
    (await suggest(database.db, typed)).map((suggestion) => suggestion.text);

  test.each([
    ['наушн', 'Беспроводные наушники Sony'],
    ['БЕСПРОВОДНЫЕ НАУ', 'Беспроводные наушники Sony'],
    ['ушни', 'Беспроводные наушники Sony'],
    ['SENORA IBA', 'Señora Ibáñez, the novel'],
    ['kaffeemuh', 'Kaffeemühle, Größe L'],
    ['イヤ', 'ワイヤレスイヤホン'],
    ['이어폰', '무선이어폰 삼성'],
    ['หูฟ', 'หูฟังไร้สาย'],
    ['ακουστ', 'Ακουστικά'],
    ['señor c', 'Señor Café'],
    ['SENOR', 'Señor Café'],
  ])('suggests across alphabets for %s: %s', async (typed, title) =>
    expect(await texts(typed)).toContain(title),
  );
});

test('corrects typing errors to correctly accented words, but only in alphabetic scripts', async () => {
  expect(await correctQuery(database.db, 'наушнеки')).toBe('наушники');
  expect(await correctQuery(database.db, 'kafeemuhle')).toBe('kaffeemühle');
  expect(await correctQuery(database.db, 'KAFFEEMUHLE')).toBeNull();
  expect(await correctQuery(database.db, 'ακουστικη')).toBe('ακουστικά');
  expect(await correctQuery(database.db, 'ワイヤレヌイヤホン')).toBeNull();
});

test('suggests a similar title for a missing URL, ignoring accents', async () => {
  expect(await findNearAddress(database.db, '/deals/kaffemuehle-grosse-l')).toMatchObject({
    title: 'Kaffeemühle, Größe L',
  });
  expect(await findNearAddress(database.db, '/x/беспроводный-наушник-sony')).toMatchObject({
    title: 'Беспроводные наушники Sony',
  });
});

test('finds words, beginnings of words and pairs of letters if the server supports only ASCII letters', async () => {
  const ascii = await createAsciiDatabase();
  try {
    await fill(ascii.db);
    for (const [typed, title] of [
      ['наушник', 'Беспроводные наушники Sony'],
      ['sony НАУШНИКАМИ', 'Беспроводные наушники Sony'],
      ['grosse', 'Kaffeemühle, Größe L'],
      ['イヤホン', 'ワイヤレスイヤホン'],
    ] as const) {
      const found = await titlesFor(ascii.db, typed);
      expect([typed, found.includes(title), found]).toEqual([typed, true, found]);
    }
    const suggested = async (typed: string) =>
      (await suggest(ascii.db, typed)).map(({ text }) => text);
    expect(await suggested('KAFFEEM')).toContain('Kaffeemühle, Größe L');
    // Before PostgreSQL 17, such a server does not support capitals in other alphabets, so it
    // cannot sort titles correctly.
    const { rows } = await sql<{ knows: boolean }>`select lower('Б') = 'б' as knows`.execute(
      ascii.db,
    );
    const ofCapitals = await suggested('БЕСПРОВ');
    expect(ofCapitals.includes('Беспроводные наушники Sony')).toBe(rows[0]?.knows);
  } finally {
    await ascii.close();
  }
});

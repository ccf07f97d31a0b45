import { CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { array, assert, asyncProperty, constantFrom, record } from '#test/fast-check.ts';
import { useTestDatabase } from '#test/database.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import { findMatchingDeals } from './find-matching-deals.server.ts';
import { readSearchTerms } from './search-terms.server.ts';

const database = useTestDatabase();
const dealCount = 2_000;
const [others, toys] = [1, 2];
const [shop, lumen] = [1, 2];

interface Row {
  /** The position among the newest deals, starting at 1. */
  n: number;
  title: string;
  categoryId: number;
  merchantId: number;
  isExpired: boolean;
}

beforeEach(async () => {
  await sql`insert into categories (name, slug) values ('Others', 'others'), ('Toys', 'toys')`.execute(
    database.db,
  );
  await sql`insert into merchants (name, slug) values ('Shop', 'shop'), ('Lumen', 'lumen')`.execute(
    database.db,
  );
});

/** Creates deals whose id is their `n`, and makes statistics expect `times` as many. */
async function insertDeals(rows: Row[], times = 1): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`delete from deal_texts`.execute(tx);
    await sql`delete from deals`.execute(tx);
    await sql`
      with inserted as (
        insert into deals (id, slug, title, sale_price, deal_url, category_id, merchant_id, created_at, is_expired)
        overriding system value
        select n, 'deal-' || n, title, 1000 + n, 'https://shop.example/', "categoryId", "merchantId",
               timestamptz '2026-01-01' - n * interval '1 minute', "isExpired"
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
               as given (n bigint, title text, "categoryId" bigint, "merchantId" bigint, "isExpired" boolean)
        returning *)
      insert into deal_texts (deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, title, search)
      select id, is_active, is_expired, traits, category_id, merchant_id, created_at, title, deal_words(title, description)
        from inserted`.execute(tx);
  });
  await sql`analyze deals, deal_texts`.execute(database.db);
  await sql`update pg_class set reltuples = ${rows.length * times} where relname in ('deals', 'deal_texts')`.execute(
    database.db,
  );
}

function insertShop(change: (n: number) => Partial<Row>, times = 1): Promise<void> {
  const row = (_: unknown, index: number) => ({
    n: index + 1,
    title: `Thing ${index + 1}`,
    categoryId: others,
    merchantId: shop,
    isExpired: false,
    ...change(index + 1),
  });
  return insertDeals(Array.from({ length: dealCount }, row), times);
}

type Wanted = Partial<Parameters<typeof findMatchingDeals>[2]>;

/** Returns the deals found and the executed statements. */
async function find(text: string, wanted: Wanted = {}) {
  const statements: CompiledQuery[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(database.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const terms = await readSearchTerms(database.db, text);
  const db = database.db.withPlugin(plugin);
  const found = await findMatchingDeals(db, terms, { sort: 'newest', filter: {}, ...wanted });
  return { ...found, statements };
}

/**
 * Returns the query plan that the first statement for finding deals would have with large tables.
 */
async function planOf(statements: CompiledQuery[]): Promise<string> {
  const first = statements.find((each) => each.sql.includes('with found as'));
  return database.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    const explain = CompiledQuery.raw(`explain ${first?.sql}`, [...(first?.parameters ?? [])]);
    const { rows } = await tx.executeQuery<Record<string, string>>(explain);
    return rows.flatMap((row) => Object.values(row)).join('\n');
  });
}

/** Returns how often statistics on deals with words were read. */
function countEstimates(statements: CompiledQuery[]): number {
  return statements.filter(
    (each) => /^explain.*search @@/s.test(each.sql) && !each.sql.includes('title'),
  ).length;
}

const magentaToys = (n: number): Partial<Row> => ({
  title: n % 20 === 1 ? `Magenta thing ${n}` : `Thing ${n}`,
  categoryId: n % 100 < 2 ? toys : others,
});

test('compares the category row by row if there are few deals', async () => {
  await insertShop(magentaToys);
  const { ids, statements } = await find('magenta', { filter: { categoryId: toys } });
  expect(ids).toHaveLength(dealCount / 100);
  const plan = await planOf(statements);
  expect(plan).toMatch(/Index Cond: \(search @@/);
  expect(plan).not.toMatch(/Index Cond: \(category_id/);
});

test('compares names row by row, in one scan, if there are few deals', async () => {
  await insertShop(magentaToys);
  const { ids, statements } = await find('toys magenta');
  expect(ids).toHaveLength(dealCount / 100);
  const plan = await planOf(statements);
  expect(plan).toMatch(/Index Cond: \(search @@/);
  expect(plan.match(/Scan on deal_texts\b/g)).toHaveLength(1);
});

test('searches for a common word only in the newest deals', async () => {
  await insertShop((n) => ({ title: n % 2 ? `Magenta ${n}` : `Thing ${n}` }), 20);
  const { ids, isCapped } = await find('magenta');
  expect(isCapped).toBe(true);
  expect(ids.length).toBeLessThan(100);
  expect(ids).toEqual(ids.map((_, index) => 2 * index + 1));
});

/**
 * Creates data that statistics take for a million deals, with two words that always occur together
 * in 60,000 of them.
 */
const insertTogether = () =>
  insertShop(
    (n) => ({
      title: n % 50 < 3 ? `Magenta wireless thing ${n}` : `Thing ${n}`,
      categoryId: n % 50 === 2 ? others : toys,
      isExpired: n % 50 === 1,
    }),
    500,
  );

test.each(['magenta', 'magenta wireless'])(
  'scans the first live deals for %s if each word is frequent',
  async (text) => {
    await insertTogether();
    const { ids, isCapped, overCount } = await find(text);
    expect([ids.length, isCapped, overCount]).toEqual([80, true, 0]);
  },
);

test('scans the first deals of a category unless a sample contains none of its deals', async () => {
  await insertTogether();
  const all = { filter: { categoryId: toys } };
  const sampled = async (ids: number[]) => {
    const found = await find('magenta wireless', { ...all, among: { ids, isAll: false } });
    return [found.ids.length, found.isCapped, found.overCount];
  };
  const inOthers = 2;
  const inToys = 50;
  expect(await sampled([inOthers, inToys])).toEqual([40, true, 0]);
  expect(await sampled([inOthers])).toEqual([80, false, 40]);
});

test('reads statistics on other words only if the query also contains names', async () => {
  await insertShop((n) => ({ ...magentaToys(n), merchantId: n % 3 ? shop : lumen }));
  const count = async (text: string) => countEstimates((await find(text)).statements);
  expect(await count('lumen')).toBe(1);
  expect(await count('magenta')).toBe(1);
  // For two terms, the first one is estimated as well.
  expect(await count('lumen toys')).toBe(2);
  expect(await count('magenta thing')).toBe(2);
  expect(await count('lumen magenta')).toBe(3);
});

const meanings: Record<string, (row: Row) => boolean> = {
  wireless: ({ title }) => title.includes('Wireless'),
  magenta: ({ title }) => title.includes('Magenta'),
  toys: ({ categoryId }) => categoryId === toys,
  lumen: ({ merchantId }) => merchantId === lumen,
};
const texts = ['magenta', 'wireless magenta', 'lumen magenta', 'toys wireless', 'lumen toys'];

/** Returns all matches by filtering all deals. */
function matchesOf(rows: Row[], text: string, sort: 'newest' | 'oldest', filter: DealFilter) {
  const { categoryId, merchantId, maxPrice = Infinity } = filter;
  const direction = sort === 'newest' ? 1 : -1;
  return rows
    .filter((row) => text.split(' ').every((word) => meanings[word]?.(row)))
    .filter((row) => categoryId === undefined || row.categoryId === categoryId)
    .filter((row) => merchantId === undefined || row.merchantId === merchantId)
    .filter(({ n }) => 1_000 + n <= maxPrice)
    .toSorted((a, b) => Number(a.isExpired) - Number(b.isExpired) || direction * (a.n - b.n))
    .map(({ n }) => n);
}

const anyDeal = record({
  title: constantFrom('Wireless', 'Magenta', 'Wireless Magenta', 'Magenta Wireless', 'Thing'),
  categoryId: constantFrom(others, toys),
  merchantId: constantFrom(shop, lumen),
  isExpired: constantFrom(false, false, true),
});
const anyFilter = record(
  {
    categoryId: constantFrom(others, toys),
    merchantId: constantFrom(shop, lumen),
    maxPrice: constantFrom(1_050, 1_700),
  },
  { requiredKeys: [] },
);

test(
  'returns the same deals with every query plan, whether all or only the first are read',
  { timeout: 60_000 },
  () =>
    assert(
      asyncProperty(
        array(anyDeal, { minLength: 1_000, maxLength: 1_000 }),
        // Statistics expect few, common or frequent matches.
        constantFrom(1, 20, 1_000),
        anyFilter,
        async (deals, times, filter) => {
          const rows = deals.map((deal, index) => ({ ...deal, n: index + 1 }));
          await insertDeals(rows, times);
          for (const text of texts)
            for (const sort of ['newest', 'oldest'] as const) {
              const ids = matchesOf(rows, text, sort, {});
              const wanted = { sort, filter, among: { ids, isAll: false } };
              const found = await find(text, wanted);
              const all = matchesOf(rows, text, sort, filter);
              const first = found.isCapped ? all.slice(0, Math.max(20, found.ids.length)) : all;
              expect(found.ids, `${text}, ${sort}`).toEqual(first);
            }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    ),
);

import { parse } from 'csv-parse/sync';
import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { fold } from '#app/platform/fold.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import { useTestDatabase } from '#test/database.ts';
import type { DealsQuery, ManagedSort } from './deals-table.ts';
import { dealExportHeadings, exportDeals } from './export-deals.server.ts';
import { findDealsByClicks } from './find-deals-by-clicks.server.ts';
import {
  listManagedDeals,
  listManagedIds,
  managedCondition,
} from './managed-deal-queries.server.ts';

// Compares every search, filter and order of the admin's deals, page by page, with a naive
// implementation.

const database = useTestDatabase();
const dealCount = 170;

interface Row {
  id: number;
  title: string;
  sale_price: number;
  availability: string;
  is_active: boolean;
  is_featured: boolean;
  is_expired: boolean;
  is_demo: boolean;
  reported: number;
  misplaced: number;
  image_url: string | null;
  held_price: number | null;
  created_at: Date;
  category_id: number;
  merchant_id: number;
  merchant: string;
  is_verified: boolean;
  is_broken: boolean;
  is_old: boolean;
  clicks: number;
}

let rows: Row[] = [];

// Titles contain characters that are special in a pattern, a table or a spreadsheet.
const titles = [
  'Alpha',
  'beta',
  'GAMMA',
  'delta, "quoted"',
  '100% wool',
  'snake_case',
  'back\\slash',
  '=SUM(A1)',
  '@mention',
  '-5 degrees',
  'two\nlines',
  'Café; tür',
];

beforeEach(async () => {
  for (let n = 0; n < 3; n += 1) await insertCategory(database.db);
  for (const [n, name] of ['Zulu', 'alpine', 'Beta', 'mike'].entries()) {
    await insertMerchant(database.db, { name, is_featured: n % 2 === 0 });
  }
  await sql`
    insert into deals (title, slug, sale_price, deal_url, availability, is_active, is_featured, is_demo, image_url, held_price, held_at,
                       expires_at, created_at, category_id, merchant_id, link_broken_since)
    select (${titles}::text[])[1 + n % ${titles.length}::integer], 'deal-' || n, 100 * (1 + n * 37 % 11), 'https://shop.example/' || n,
           (array['in_stock', 'out_of_stock', 'unknown'])[1 + n % 3], n % 5 <> 0, n % 7 = 0, n % 11 = 0,
           case when n % 4 > 0 then '/p.webp' end, case when n % 13 = 0 then 50 end, case when n % 13 = 0 then now() end,
           case when n % 6 = 0 then now() - interval '1 day' end, timestamptz '2026-01-01' + n % 40 * interval '1 hour',
           1 + n % 3, 1 + n * 7 % 4, case when n % 9 = 0 then now() end
      from generate_series(1, ${dealCount}::integer) n`.execute(database.db);
  await sql`update deals set created_at = now() where id % 10 = 0`.execute(database.db);
  await sql`
    insert into clicks (deal_id, day, count)
    select id, (now() at time zone 'UTC')::date - (id % 3)::integer, id % 5 from deals where id % 5 > 1`.execute(
    database.db,
  );
  await sql`
    insert into deal_reports (deal_id, about, visitor)
    select id, 'over', n from deals, generate_series(1, 4) n where n <= id % 5
    union all select id, 'product', 1 from deals where id % 6 = 1`.execute(database.db);
  rows = (
    await sql<Row>`
      select d.*, (select count(*) from deal_reports r where r.deal_id = d.id and r.about = 'over') as reported,
             (select count(*) from deal_reports r where r.deal_id = d.id and r.about = 'product') as misplaced, m.name as merchant, m.is_featured as is_verified, d.link_broken_since is not null as is_broken,
             d.created_at < now() - interval '30 days' as is_old, coalesce(c.count, 0) as clicks
        from deals d join merchants m on m.id = d.merchant_id left join recent_clicks c on c.deal_id = d.id order by d.id`.execute(
      database.db,
    )
  ).rows;
});

// Filters leave few matches, so some searches use none and span several pages.
const noFilters = {
  status: null,
  stock: null,
  seller: null,
  show: null,
  category: null,
  merchant: null,
};

const queries: fc.Arbitrary<DealsQuery> = fc.record({
  search: fc.constantFrom(
    '',
    '',
    '',
    'a',
    'ta',
    'É',
    'CAFÉ',
    'ALPHA',
    '%',
    '_',
    '\\',
    'no such',
    'alpine',
    '"',
  ),
  sort: fc.constantFrom<ManagedSort>('created', 'title', 'merchant', 'price', 'status', 'clicks'),
  isDescending: fc.boolean(),
  page: fc.constant(1),
  filters: fc.oneof(
    fc.constant(noFilters),
    fc.record({
      status: fc.option(fc.constantFrom('active', 'expired', 'inactive')),
      stock: fc.option(fc.constantFrom('in', 'out')),
      seller: fc.option(fc.constantFrom('verified', 'unverified')),
      show: fc.option(
        fc.constantFrom(
          'featured',
          'expired',
          'no-picture',
          'held',
          'broken-link',
          'reported',
          'misplaced',
          'unclicked',
          'demo',
        ),
      ),
      category: fc.option(fc.constantFrom('1', '2', '9')),
      merchant: fc.option(fc.constantFrom('1', '4', '9')),
    }),
  ),
});

const shows: Record<string, (row: Row) => boolean> = {
  featured: (row) => row.is_featured,
  expired: (row) => row.is_expired,
  'no-picture': (row) => row.image_url === null,
  held: (row) => row.held_price !== null,
  'broken-link': (row) => row.is_broken && row.is_active && !row.is_expired,
  reported: (row) => row.reported >= 3 && row.is_active && !row.is_expired,
  misplaced: (row) => row.misplaced > 0 && row.is_active && !row.is_expired,
  unclicked: (row) => row.is_active && !row.is_expired && row.is_old && row.clicks === 0,
  demo: (row) => row.is_demo,
};

/** Returns the state as shown in the row's cell. */
function stateOf(row: Row): string {
  return row.is_expired ? 'expired' : row.is_active ? 'active' : 'inactive';
}

function passes(row: Row, { search, filters }: DealsQuery): boolean {
  const { status, stock, seller, show, category, merchant } = filters;
  const wanted = fold(search);
  return (
    (fold(row.title).includes(wanted) || fold(row.merchant).includes(wanted)) &&
    (status === null || status === stateOf(row)) &&
    (stock === null || row.availability === (stock === 'in' ? 'in_stock' : 'out_of_stock')) &&
    (seller === null || row.is_verified === (seller === 'verified')) &&
    (show === null || shows[show]?.(row) === true) &&
    (category === null || row.category_id === Number(category)) &&
    (merchant === null || row.merchant_id === Number(merchant))
  );
}

const keys: Record<ManagedSort, (row: Row) => (string | number)[]> = {
  created: (row) => [row.created_at.getTime(), row.id],
  title: (row) => [fold(row.title), row.id],
  merchant: (row) => [row.merchant.toLowerCase(), row.merchant_id, row.id],
  price: (row) => [row.sale_price, row.id],
  status: (row) => [Number(row.is_active), row.created_at.getTime(), row.id],
  clicks: (row) => [row.clicks, row.clicks > 0 ? 0 : row.created_at.getTime(), row.id],
};

function inOrder(found: Row[], { sort, isDescending }: DealsQuery): Row[] {
  const compare = (a: Row, b: Row) => {
    const [left, right] = [keys[sort](a), keys[sort](b)];
    const at = left.findIndex((value, n) => value !== right[n]);
    const [one, other] = [left[at] ?? 0, right[at] ?? 0];
    return one === other ? 0 : one < other ? -1 : 1;
  };
  const sorted = found.toSorted(compare);
  return isDescending ? sorted.toReversed() : sorted;
}

describe('the list of all deals', () => {
  test('lists the same managed deals as a naive query, page by page, for any search, filter and sort order', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const expected = inOrder(
          rows.filter((row) => passes(row, query)),
          query,
        ).map(({ id }) => id);
        const first = await listManagedDeals(database.db, query);
        const pages = [first];
        while (pages.length < first.pageCount) {
          pages.push(await listManagedDeals(database.db, { ...query, page: pages.length + 1 }));
        }
        const listed = pages.flatMap((page) => page.rows.map(({ id }) => id));
        expect(listed).toEqual(expected);
        expect(first.total).toBe(expected.length);
        expect(await listManagedIds(database.db, query)).toEqual(
          expected.toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 100 },
    );
  });

  test('sorts managed deals by clicks in the same order on every page and with every query plan', async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom(-1, 60), async (any, near) => {
        const query: DealsQuery = { ...any, sort: 'clicks' };
        const expected = inOrder(
          rows.filter((row) => passes(row, query)),
          query,
        ).map(({ id }) => id);
        const condition = managedCondition(query);
        for (const known of [undefined, expected.length]) {
          for (let page = 1; page <= Math.ceil(expected.length / 50); page += 1) {
            const wanted = { ...query, condition, page, near, total: known };
            expect(await findDealsByClicks(database.db, wanted)).toMatchObject({
              rows: expected.slice((page - 1) * 50, page * 50),
              total: expected.length,
            });
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('sorts managed deals by title in the same order from both ends', async () => {
    const query = (isDescending: boolean, page: number): DealsQuery => ({
      search: '',
      sort: 'title',
      isDescending,
      page,
      filters: noFilters,
    });
    const all = async (isDescending: boolean) => {
      const ids: number[] = [];
      for (let page = 1; page <= 4; page += 1) {
        const { rows: found } = await listManagedDeals(database.db, query(isDescending, page));
        ids.push(...found.map(({ id }) => id));
      }
      return ids;
    };
    const up = await all(false);
    expect(new Set(up).size).toBe(dealCount);
    expect(await all(true)).toEqual(up.toReversed());
  });
});

describe('the exported file', () => {
  test('exports every deal that matches a filter once, as text that a spreadsheet leaves unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const expected = rows.filter((row) => passes(row, query));
        const file = csvResponse('deals', dealExportHeadings(), exportDeals(database.db, query));
        const read: Record<string, string>[] = parse(await file.text(), {
          bom: true,
          columns: true,
        });
        expect(read.map((line) => Number(line['ID']))).toEqual(expected.map(({ id }) => id));
        for (const [n, line] of read.entries()) {
          const { title, sale_price, is_active, merchant } = expected[n] ?? rows[0]!;
          const shown = line['Title'] ?? '';
          expect(shown).not.toMatch(/^[=+\-@\t\r]/); // A spreadsheet would evaluate this text as a formula.
          expect(shown.replace(/^'/, '')).toBe(title);
          expect(line['Sale Price']).toBe((sale_price / 100).toFixed(2));
          expect(line['Status']).toBe(is_active ? 'Active' : 'Inactive');
          expect(line['Merchant']).toBe(merchant);
        }
      }),
      { numRuns: 25 },
    );
  });
});

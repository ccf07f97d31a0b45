import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { isFiltered, pageOf, parseTableQuery, type TableSpec, tableHref } from './table-query.ts';

const spec = {
  path: '/admin/things',
  sorts: ['created', 'title'],
  defaultSort: '-created',
  filters: { status: ['active', 'inactive'], merchant: 'id' },
} as const satisfies TableSpec<string, string>;
const parse = (search: string) => parseTableQuery(spec, new URLSearchParams(search));

test('parses a URL without parameters to the defaults', () => {
  expect(parse('')).toEqual({
    search: '',
    sort: 'created',
    isDescending: true,
    filters: { status: null, merchant: null },
    page: 1,
  });
});

test('parses search, filters, order and page from a URL', () => {
  expect(parse('q=%20lamp%20&status=active&merchant=12&sort=title&page=3')).toEqual({
    search: 'lamp',
    sort: 'title',
    isDescending: false,
    filters: { status: 'active', merchant: '12' },
    page: 3,
  });
});

test('R21: ignores unknown values of a table’s URL', () => {
  for (const search of [
    'sort=password',
    'sort=-',
    'status=deleted',
    'merchant=1%20or%201=1',
    'merchant=-1',
    'merchant=99999999999999999999',
    'page=0',
    'page=1e99',
    'page=x',
  ]) {
    expect(parse(search), search).toEqual(parse(''));
  }
});

test('cuts a search at 100 characters and removes control characters', () => {
  expect(parse(`q=${'a'.repeat(300)}`).search).toHaveLength(100);
  expect(parse('q=a%00b%0Ac').search).toBe('a b c');
});

test('parses a table URL that was written from a query back into that query', () => {
  fc.assert(
    fc.property(
      fc.record({
        search: fc
          .string({ maxLength: 40 })
          .map((text) => parse(new URLSearchParams({ q: text }).toString()).search),
        sort: fc.constantFrom('created' as const, 'title' as const),
        isDescending: fc.boolean(),
        filters: fc.record({
          status: fc.constantFrom('active', 'inactive', null),
          merchant: fc.constantFrom('1', '12', null),
        }),
        page: fc.integer({ min: 1, max: 1000 }),
      }),
      (query) => {
        const url = new URL(tableHref(spec, query), 'http://deals.test');
        expect(parseTableQuery(spec, url.searchParams)).toEqual(query);
      },
    ),
  );
});

test('writes a table’s default query as the bare path', () => {
  expect(tableHref(spec, parse(''))).toBe('/admin/things');
  expect(tableHref(spec, parse('page=4'), { page: 1 })).toBe('/admin/things');
});

test('returns the last page for a page number past the end, and one empty page if there are no rows', () => {
  expect(pageOf({ page: 9 }, 101)).toEqual({ page: 3, pageCount: 3, offset: 100 });
  expect(pageOf({ page: 2 }, 0)).toEqual({ page: 1, pageCount: 1, offset: 0 });
});

test('does not count order and page as filters', () => {
  expect(isFiltered(parse('sort=title&page=2'))).toBe(false);
  expect(isFiltered(parse('q=lamp'))).toBe(true);
  expect(isFiltered(parse('status=active'))).toBe(true);
});

test('keeps the list’s columns in their order, in every URL of the query', () => {
  const wide = { ...spec, columns: ['price', 'status', 'clicks'] };
  const columnsOf = (search: string) => parseTableQuery(wide, new URLSearchParams(search)).columns;
  expect(columnsOf('')).toBeNull();
  expect(columnsOf('columns=')).toBeNull();
  expect(columnsOf('columns=password')).toBeNull();
  expect(columnsOf('columns=clicks+nonsense+price+price')).toEqual(['price', 'clicks']);
  expect(parse('columns=price').columns).toBeUndefined();
  const query = parseTableQuery(wide, new URLSearchParams('columns=clicks+price&status=active'));
  expect(tableHref(wide, query, { page: 2 })).toBe(
    '/admin/things?status=active&columns=price+clicks&page=2',
  );
});

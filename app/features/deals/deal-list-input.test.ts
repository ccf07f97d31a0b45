import {
  assert,
  constantFrom,
  dictionary,
  integer,
  option,
  property,
  record,
  string,
} from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { deepestPage } from '#app/platform/page-number.ts';
import {
  activeFilters,
  type DealListInput,
  dealSorts,
  parseDealListInput,
  toSearchParams,
} from './deal-list-input.ts';

const parse = (query: string) => parseDealListInput(new URLSearchParams(query));
const plain = { page: 1, sort: 'newest' };

describe('the address of a list', () => {
  test('without parameters is the first page, newest first, all deals', () => {
    expect(parse('')).toEqual(plain);
  });

  test('is read parameter by parameter', () => {
    expect(
      parse('page=3&sort=price-low&status=used&seller=amazon&type=coupon&min=10&max=19.99'),
    ).toEqual({
      page: 3,
      sort: 'price-low',
      status: 'used',
      sellerType: 'amazon',
      dealType: 'coupon',
      minPrice: 1000,
      maxPrice: 1999,
    });
  });

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=501',
    'page=x',
    'page=',
    'page=Infinity',
    'sort=cheapest',
    'sort=NEWEST',
    'status=all',
    'seller=ebay',
    'type=constructor',
    'min=-5',
    'max=free',
    'min=1.999',
    'unknown=1',
  ])('R22: %s counts as absent', (query) => {
    expect(parse(query)).toEqual(plain);
  });

  test('takes the first of two values', () => {
    expect(parse('sort=discount&sort=price-low').sort).toBe('discount');
  });

  test('a minimum above the maximum stays as it was asked: it finds nothing', () => {
    expect(parse('min=50&max=10')).toMatchObject({ minPrice: 5000, maxPrice: 1000 });
  });
});

describe('writing an address', () => {
  test('leaves out what is the default', () => {
    expect(toSearchParams({ page: 1, sort: 'newest' }).toString()).toBe('');
    expect(toSearchParams({}).toString()).toBe('');
  });

  test('always has the same order, so that equal lists have one address', () => {
    const input = parse(
      'page=2&max=50&type=featured&min=10&sort=discount&seller=amazon&status=new',
    );
    expect(toSearchParams(input).toString()).toBe(
      'status=new&seller=amazon&type=featured&min=10&max=50&sort=discount&page=2',
    );
  });

  test('writes whole prices without cents', () => {
    expect(toSearchParams({ minPrice: 2000, maxPrice: 1999 }).toString()).toBe('min=20&max=19.99');
    expect(toSearchParams({ minPrice: 1950 }).toString()).toBe('min=19.50');
    expect(toSearchParams({ minPrice: 0 }).toString()).toBe('min=0');
  });

  const price = option(integer({ min: 0, max: 2_147_483_647 }), { nil: undefined });
  const inputs = record<DealListInput>({
    page: integer({ min: 1, max: deepestPage }),
    sort: constantFrom(...dealSorts),
    status: constantFrom('new', 'used', undefined),
    sellerType: constantFrom('amazon', 'third_party', undefined),
    dealType: constantFrom('featured', 'coupon', 'expiring', undefined),
    minPrice: price,
    maxPrice: price,
  });

  test('and reading it back gives the same list, whatever the list', () => {
    assert(
      property(inputs, (input) => {
        expect(parseDealListInput(toSearchParams(input))).toEqual(input);
      }),
    );
  });

  test('and reading settles after one round, whatever was in the address', () => {
    const names = constantFrom('page', 'sort', 'status', 'seller', 'type', 'min', 'max', 'other');
    const values = constantFrom('1', '2', 'new', 'amazon', 'coupon', '$1,000', '007', 'discount');
    assert(
      property(dictionary(names, values), dictionary(names, string()), (known, odd) => {
        const once = toSearchParams(parseDealListInput(new URLSearchParams({ ...odd, ...known })));
        const twice = toSearchParams(parseDealListInput(once));
        expect(twice.toString()).toBe(once.toString());
      }),
    );
  });
});

describe('the filters in force', () => {
  test('are listed in the order of the bar, with the value of their parameter', () => {
    expect(activeFilters(parse('max=50&status=new&type=expiring'))).toEqual([
      { name: 'status', value: 'new' },
      { name: 'type', value: 'expiring' },
      { name: 'max', value: '50' },
    ]);
  });

  test('page and order are no filters', () => {
    expect(activeFilters(parse('page=4&sort=discount'))).toEqual([]);
  });

  test('a price of zero is one', () => {
    expect(activeFilters(parse('min=0'))).toEqual([{ name: 'min', value: '0' }]);
  });
});

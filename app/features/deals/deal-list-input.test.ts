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
  cleanSearchText,
  filterOf,
  listAddress,
  listParameters,
  type DealListInput,
  parseDealListInput,
  parseSearchInput,
  presentQuery,
  searchParameters,
} from './deal-list-input.ts';
import { listSorts, searchSorts } from './deal-sorts.ts';
import { activeFilters, listPageHref } from './deal-list-address.ts';

const parse = (query: string) => parseDealListInput(new URLSearchParams(query), 'USD');
const parseSearch = (query: string) => parseSearchInput(new URLSearchParams(query), 'USD');
/** Returns the query string of the page that an input describes. */
const toSearchParams = (input: Partial<DealListInput>) => {
  const usual = input.query ? searchSorts[0] : listSorts[0];
  const list = listAddress('', { sort: usual, page: 1, ...input }, 'USD');
  return new URLSearchParams(listPageHref(list, input.page ?? 1).slice(1));
};
const filtersIn = (input: DealListInput) => activeFilters(listAddress('/deals', input, 'USD'));
const plain = { page: 1, sort: 'newest' };

describe('a list address', () => {
  test('parses a URL without parameters as the first page, newest first, with all deals', () => {
    expect(parse('')).toEqual(plain);
  });

  test('parses a list URL parameter by parameter', () => {
    expect(
      parse(
        'page=3&sort=price_low&status=used&condition=very_good&seller=amazon&type=coupon&off=25&min=10&max=19.99',
      ),
    ).toEqual({
      page: 3,
      sort: 'price_low',
      status: 'used',
      condition: 'very_good',
      sellerType: 'amazon',
      dealType: 'coupon',
      off: 25,
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
    'condition=mint',
    'off=0',
    'off=100',
    'off=5.5',
    'type=constructor',
    'min=-5',
    'max=free',
    'min=1.999',
    'unknown=1',
    'search=lamp',
    'sort=oldest',
    'sort=relevance',
    'category=tools',
  ])('R22: ignores %s', (query) => {
    expect(parse(query)).toEqual(plain);
  });

  test('uses the first of two values of a parameter', () => {
    expect(parse('sort=discount&sort=price_low').sort).toBe('discount');
  });

  test('keeps a minimum above the maximum, which finds nothing', () => {
    expect(parse('min=50&max=10')).toMatchObject({ minPrice: 5000, maxPrice: 1000 });
  });
});

describe('formatting an address', () => {
  test('omits defaults from a list URL', () => {
    expect(toSearchParams({ page: 1, sort: 'newest' }).toString()).toBe('');
    expect(toSearchParams({}).toString()).toBe('');
  });

  test('formats equal lists in the same parameter order, so that they share a URL', () => {
    const input = parse(
      'page=2&max=50&type=featured&min=10&sort=discount&seller=amazon&status=new',
    );
    expect(toSearchParams(input).toString()).toBe(
      'status=new&seller=amazon&type=featured&min=10&max=50&sort=discount&page=2',
    );
  });

  test('formats whole prices without cents', () => {
    expect(toSearchParams({ minPrice: 2000, maxPrice: 1999 }).toString()).toBe('min=20&max=19.99');
    expect(toSearchParams({ minPrice: 1950 }).toString()).toBe('min=19.50');
    expect(toSearchParams({ minPrice: 0 }).toString()).toBe('min=0');
  });

  const price = option(integer({ min: 0, max: 2_147_483_647 }), { nil: undefined });
  const inputs = record<DealListInput>({
    page: integer({ min: 1, max: deepestPage }),
    sort: constantFrom(...listSorts),
    status: constantFrom('new', 'used', undefined),
    condition: constantFrom('like_new', 'refurbished', undefined),
    sellerType: constantFrom('amazon', 'third_party', undefined),
    dealType: constantFrom('featured', 'coupon', 'expiring', undefined),
    brand: constantFrom('Lumo', 'Señora Ibáñez', undefined),
    off: option(integer({ min: 1, max: 99 }), { nil: undefined }),
    minPrice: price,
    maxPrice: price,
  });

  test('parses the formatted URL of any list back to the same list', () => {
    assert(
      property(inputs, (input) => {
        expect(parseDealListInput(toSearchParams(input), 'USD')).toEqual(input);
      }),
    );
  });

  test('returns the same URL for any input after one round trip', () => {
    const names = constantFrom('page', 'sort', 'status', 'seller', 'type', 'min', 'max', 'other');
    const values = constantFrom('1', '2', 'new', 'amazon', 'coupon', '$1,000', '007', 'discount');
    assert(
      property(dictionary(names, values), dictionary(names, string()), (known, odd) => {
        const once = toSearchParams(
          parseDealListInput(new URLSearchParams({ ...odd, ...known }), 'USD'),
        );
        const twice = toSearchParams(parseDealListInput(once, 'USD'));
        expect(twice.toString()).toBe(once.toString());
      }),
    );
  });
});

describe('a search address', () => {
  test('parses a search URL with all parameters, money as cents', () => {
    expect(
      parseSearch(
        'search=desk+lamp&sort=price_low&min=9.99&max=%241%2C200&page=3&exact=1&category=tools&merchant=lamp-house&seller=amazon',
      ),
    ).toEqual({
      query: 'desk lamp',
      sort: 'price_low',
      minPrice: 999,
      maxPrice: 120_000,
      page: 3,
      isExact: true,
      category: 'tools',
      merchant: 'lamp-house',
      sellerType: 'amazon',
    });
  });

  // Proves Storefront 5: Price filters numeric
  // Proves R22: input through a schema
  test('R22: replaces invalid values of a search URL with defaults', () => {
    const defaults = { query: 'x', sort: 'relevance', page: 1 };
    expect(parseSearch('search=x')).toEqual(defaults);
    expect(
      parseSearch(
        'search=+x%00+&sort=cheapest&min=-5&max=1e9&page=0&exact=yes&category=%00&merchant=A/b',
      ),
    ).toEqual(defaults);
    for (const page of ['-1', '1.5', 'x', '99999', '']) {
      expect(parseSearch(`search=x&page=${page}`).page).toBe(1);
    }
  });

  test('parses a search URL without a query as a list', () => {
    expect(parseSearch('search=+%00+&sort=oldest&exact=1&category=tools&type=coupon')).toEqual({
      ...plain,
      dealType: 'coupon',
    });
  });

  test('omits defaults from a search URL, which survives a round trip', () => {
    const input = parseSearch(
      'search=caf%C3%A9+%26+100%25&sort=newest&min=5&max=7.5&page=2&exact=1',
    );
    expect(toSearchParams(input).toString()).toBe(
      'search=caf%C3%A9+%26+100%25&exact=1&min=5&max=7.50&sort=newest&page=2',
    );
    expect(parseSearchInput(toSearchParams(input), 'USD')).toEqual(input);
    const changed = { ...input, sort: 'relevance', minPrice: undefined, page: 1 } as const;
    expect(toSearchParams({ ...changed, isExact: undefined }).toString()).toBe(
      'search=caf%C3%A9+%26+100%25&max=7.50',
    );
  });

  test('sorts by relevance for a search only, where newest must be explicit', () => {
    expect(toSearchParams({ query: 'x', sort: 'newest' }).toString()).toBe('search=x&sort=newest');
    expect(listSorts).not.toContain('relevance');
    expect(searchSorts[0]).toBe('relevance');
  });
});

describe('search words', () => {
  test('R22: composes a search query, and removes control characters and double spaces', () => {
    expect(cleanSearchText('  cafe\u0301\t\u0000 \u202Eset\n ')).toBe('caf\u00e9 set');
    expect(cleanSearchText('\u200B\u0007 ')).toBe('');
    expect(cleanSearchText('\uD83D')).toBe('');
  });

  test('cuts a search query after 100 characters, never within a character', () => {
    expect(cleanSearchText('a'.repeat(5_000))).toHaveLength(100);
    expect(Array.from(cleanSearchText('🎧'.repeat(150)))).toHaveLength(100);
  });
});

describe('an old name of a sort order', () => {
  test.each([
    ['sort=price-low', 'sort=price_low'],
    ['type=coupon&sort=price-high&page=2', 'type=coupon&sort=price_high&page=2'],
    [
      'utm_source=mail&search=a+b&sort=price-low&min=5',
      'utm_source=mail&search=a+b&sort=price_low&min=5',
    ],
  ])('maps the old sort order %s to %s', (former, present) => {
    expect(presentQuery(new URLSearchParams(former))?.toString()).toBe(present);
  });

  test.each(['', 'sort=price_low', 'sort=newest', 'sort=constructor', 'search=price-low'])(
    'rejects the sort order %s',
    (query) => {
      expect(presentQuery(new URLSearchParams(query))).toBeNull();
    },
  );
});

describe('the active filters', () => {
  test('lists active filters in the order of the bar, with their parameter’s value', () => {
    expect(filtersIn(parse('max=50&status=new&type=expiring'))).toEqual([
      { name: 'status', value: 'new' },
      { name: 'type', value: 'expiring' },
      { name: 'max', value: '50' },
    ]);
  });

  test('excludes page and sort order from active filters', () => {
    expect(filtersIn(parse('page=4&sort=discount'))).toEqual([]);
  });

  test('includes a price of zero in active filters', () => {
    expect(filtersIn(parse('min=0'))).toEqual([{ name: 'min', value: '0' }]);
  });

  test('includes every part of a search except query, spelling, order and page in active filters', () => {
    expect(filtersIn(parseSearch('search=a&exact=1&sort=newest&page=2'))).toEqual([]);
    const all = Object.values(searchParameters('USD')).map(({ name }) => name);
    const address =
      'search=a&exact=1&category=c&merchant=m&status=new&condition=good&seller=amazon&type=coupon&evidence=low&brand=b&off=5&min=1&max=2&sort=newest&page=2';
    expect(filtersIn(parseSearch(address)).map(({ name }) => name)).toEqual(
      all.filter((name) => !['search', 'exact', 'sort', 'page'].includes(name)),
    );
    expect([...new URLSearchParams(address).keys()]).toEqual(all);
  });

  test('narrows a list by each active filter', () => {
    const address =
      'status=used&condition=good&seller=amazon&type=coupon&evidence=low&brand=b&off=5&min=1&max=2';
    const { sort: _sort, page: _page, ...filter } = parse(address);
    const { sort: _order, page: _number, ...parameters } = listParameters('USD');
    expect(filterOf(parse(address))).toEqual(filter);
    expect(Object.keys(filter)).toEqual(Object.keys(parameters));
  });
});

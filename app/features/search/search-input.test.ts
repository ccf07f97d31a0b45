import { expect, test } from 'vitest';
import {
  activeFilterCount,
  cleanSearchText,
  parseSearchInput,
  type SearchInput,
  toSearchParams,
} from './search-input.ts';

const parse = (text: string): SearchInput => parseSearchInput(new URLSearchParams(text));

test('an address with everything is read, money as cents', () => {
  expect(parse('search=desk+lamp&sort=price_low&min=9.99&max=%241%2C200&page=3&exact=1')).toEqual({
    query: 'desk lamp',
    sort: 'price_low',
    minPrice: 999,
    maxPrice: 120_000,
    page: 3,
    isExact: true,
  });
});

test('R22: wrong values fall back to the defaults', () => {
  const defaults = {
    query: '',
    sort: 'relevance',
    minPrice: null,
    maxPrice: null,
    page: 1,
    isExact: false,
  };
  expect(parse('')).toEqual(defaults);
  expect(parse('search=+%00+&sort=cheapest&min=-5&max=1e9&page=0&exact=yes')).toEqual(defaults);
  for (const page of ['-1', '1.5', 'x', '99999', '']) expect(parse(`page=${page}`).page).toBe(1);
});

test('R22: text is composed, its control characters and double spaces go', () => {
  expect(cleanSearchText('  cafe\u0301\t\u0000 \u202Eset\n ')).toBe('caf\u00e9 set');
  expect(cleanSearchText('\u200B\u0007 ')).toBe('');
  expect(cleanSearchText('\uD83D')).toBe('');
});

test('text ends after 100 characters, never inside one', () => {
  expect(cleanSearchText('a'.repeat(5_000))).toHaveLength(100);
  expect(Array.from(cleanSearchText('🎧'.repeat(150)))).toHaveLength(100);
});

test('an address leaves the defaults out and survives the way there and back', () => {
  const input = parse('search=caf%C3%A9+%26+100%25&sort=newest&min=5&max=7.5&page=2&exact=1');
  expect(toSearchParams(input).toString()).toBe(
    'search=caf%C3%A9+%26+100%25&sort=newest&min=5.00&max=7.50&page=2&exact=1',
  );
  expect(parseSearchInput(toSearchParams(input))).toEqual(input);
  expect(
    toSearchParams(input, {
      sort: 'relevance',
      minPrice: null,
      page: 1,
      isExact: false,
    }).toString(),
  ).toBe('search=caf%C3%A9+%26+100%25&max=7.50');
});

test('only the prices count as filters', () => {
  expect(activeFilterCount(parse('search=a&sort=newest&page=2'))).toBe(0);
  expect(activeFilterCount(parse('min=1'))).toBe(1);
  expect(activeFilterCount(parse('min=1&max=2'))).toBe(2);
});

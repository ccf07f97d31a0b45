import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as fc from '#test/fast-check.ts';
import { listAddress } from '#app/features/deals/deal-list-input.ts';
import { readTypedFilters } from './read-typed-filters.ts';

const places = {
  category: [
    { name: 'Electronics', slug: 'electronics' },
    { name: 'Books', slug: 'books' },
    { name: 'Home & Kitchen', slug: 'home-kitchen' },
    { name: 'Tools', slug: 'tools' },
  ],
  merchant: [
    { name: 'Nike', slug: 'nike' },
    { name: 'Best Buy', slug: 'best-buy' },
    { name: 'Go', slug: 'go' },
  ],
  brand: ['Adidas', 'Black & Decker', 'HP', 'Sony', 'Señora Ibáñez'],
};

const lines = readFileSync(new URL('typed-filters.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, typed = '', words = '', filters = ''] = /^(.*) →(.*)\|(.*)$/.exec(line) ?? [];
    return { typed, words: words.trim(), filters: filters.trim() };
  });

describe('typed filters', () => {
  test.each(lines)('reads typed filters: $typed', ({ typed, words, filters }) => {
    const read = readTypedFilters(typed, places, 'USD');
    const input = { ...read.filters, query: 'any', sort: 'relevance', page: 1 } as const;
    const { values } = listAddress('/deals', input, 'USD');
    const { search: _any, sort: _usual, ...inForce } = values;
    const set = Object.entries(inForce).filter(([, value]) => value);
    expect({ words: read.words, ...Object.fromEntries(set) }).toEqual({
      words,
      ...Object.fromEntries(new URLSearchParams(filters)),
    });
  });

  test('has at least a hundred examples of typed filters', () =>
    expect(lines.length).toBeGreaterThanOrEqual(100));

  test('parses every filter in any input, and leaves none in the remaining words', () => {
    const parts = fc.constantFrom(
      'under',
      'over',
      '$',
      '50',
      '1,2',
      '-',
      'between',
      'and',
      'nike',
      'in',
      'books',
      '<',
      '(',
    );
    const typed = fc.array(fc.oneof(parts, fc.string({ maxLength: 5 })), { maxLength: 12 });
    fc.assert(
      fc.property(typed, (some) => {
        const text = some.join(' ');
        const { words } = readTypedFilters(text, places, 'USD');
        expect(words.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

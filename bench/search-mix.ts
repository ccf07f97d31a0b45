import type { SearchRequest } from '#app/features/search/search-queries.server.ts';
import { adjectives, brands, categoryNouns } from '#bench/word-lists.ts';

const nouns = categoryNouns.flatMap(([, words]) => words);
const searchAll = (queries: readonly string[]) => queries.map((query) => search(query));
const every = <T>(list: readonly T[], step: number, from = 0): T[] =>
  list.filter((_, index) => index % step === from);

/**
 * About 260 searches: common, medium and rare words, several words, parts, fragments, typos, misses
 * and filters.
 */
export const searches: SearchRequest[] = [
  ...searchAll(every(adjectives, 2)),
  ...searchAll(every(nouns, 4).map((noun) => noun.toLowerCase())),
  ...searchAll(every(brands, 50)),
  ...searchAll(every(nouns, 9, 1).map((noun, index) => `${adjectives[index % 8]} ${noun}`)),
  ...searchAll(every(nouns, 14, 2).map((noun, index) => `${noun} ${brands[index * 7]}`)),
  ...searchAll('a x s 5 tv qz sm er ing les wat ear the ndle phone'.split(' ')),
  ...searchAll('hedphones wierless keybord lapotp blendr tredmill sterofoam gutiar'.split(' ')),
  ...searchAll(['xqzzv', 'zzzz yyyy', 'NO-4821', 'ZE-77305', '100%', "o'brien"]),
  ...searchAll(['usb-c charger', 'made for everyday use']),
  ...['wireless', 'headphones', 'laptop', 'titanium', 'kayak'].flatMap((query) => [
    ...(['price_low', 'price_high', 'newest', 'oldest'] as const).map((sort) =>
      search(query, { sort }),
    ),
    search(query, { filter: { minPrice: 2_000, maxPrice: 10_000 } }),
    search(query, { sort: 'price_low', filter: { minPrice: 1_999, maxPrice: 2_100 } }),
    search(query, { filter: { status: 'used' } }),
    search(query, { filter: { dealType: 'featured', sellerType: 'third_party' } }),
    search(query, { filter: { dealType: 'expiring' } }),
    search(query, { filter: { categoryId: 3 } }),
    search(query, { sort: 'price_high', filter: { merchantId: 7, maxPrice: 10_000 } }),
    search(query, { page: 3 }),
  ]),
];

const typedWords = [...every(adjectives, 6), ...every(nouns, 13), ...every(brands, 120)];
const oddTexts = 'NO-4 xq xqzzv ing les the usb 100% zz'.split(' ');
/** Prefixes that a user types on the way to about 40 words, from the second letter on. */
export const prefixes: string[] = typedWords
  .flatMap((word) => [2, 3, 4, 6, 9].map((length) => word.slice(0, length).toLowerCase()))
  .concat('wireless he', 'smart wat', oddTexts);

function search(query: string, changes: Partial<SearchRequest> = {}): SearchRequest {
  return { query, sort: 'relevance', filter: {}, page: 1, isExact: false, ...changes };
}

import type { ListMatch } from './find-listed-deals.server.ts';

export const listMessages = {
  empty: 'Choose a file, or paste your list.',
  tooLarge: 'This list is larger than 1 MB. Import it in parts.',
  tooLong: 'This list has more than 2,000 lines. Import it in parts.',
  noText: 'This is not a text file. Save it as CSV and try again.',
  noProducts: 'No products were found in this list.',
  unreadable: (why: string) => `This list can’t be read: ${why}.`,
  otherCurrency: (price: string, currency: string) => `${price} is not a price in ${currency}`,
  badPrice: (price: string) => `“${price}” is not a price`,
  hasAlert: 'You already have an alert at a price',
  alertsFull: 'beyond the limit of 100 price alerts',
  favoritesFull: 'Beyond the limit of 1,000 favorites',
  nothingAdded: 'Nothing was added. Import your list again.',
} as const;

/** The ways in which a deal was found, as parts of a line. */
export const matchWords: Record<ListMatch, string> = {
  link: 'found by its link',
  asin: 'found by its ASIN',
  gtin: 'found by its article number (GTIN)',
  words: 'found by its name only: make sure that it is the same product',
};

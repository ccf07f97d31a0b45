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
  hasAlert: 'You already have a price alert for this deal',
  alertsFull: 'over the limit of 100 price alerts',
  favoritesFull: 'Over the limit of 1,000 favorites',
  nothingAdded: 'Nothing was added. Import your list again.',
} as const;

/** The ways in which a deal was found, as parts of a line. */
export const matchWords: Record<ListMatch, string> = {
  link: 'matched by link',
  asin: 'matched by ASIN',
  gtin: 'matched by product number (GTIN)',
  words: 'matched by name only, so check that it is the same product',
};

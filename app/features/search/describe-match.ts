import type { MatchedBy } from './match-product.server.ts';

/** The sentences about how a deal was found, for the page, the API and the extension. */
export const matchSentences: Record<MatchedBy, string> = {
  link: 'We know this product by its link.',
  gtin: 'We know this product by its article number (GTIN).',
  words: 'We found this by its name only, so make sure that it is the same product.',
};

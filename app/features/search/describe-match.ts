import type { MatchedBy } from './match-product.server.ts';

/** Sentences of the page, the API and the extension about how a deal was found. */
export const matchSentences: Record<MatchedBy, string> = {
  link: 'We know this product by its link.',
  gtin: 'We know this product by its article number (GTIN).',
  words: 'We found this by its name only, so make sure that it is the same product.',
};

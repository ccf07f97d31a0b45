import type { Contradiction } from '#app/features/products/find-contradiction.ts';
import type { Suggestion } from '#app/features/products/suggestion-queue.server.ts';

const differences: Record<Contradiction, string> = {
  brand: 'the brands differ',
  measure: 'the sizes differ',
  pack: 'the pack sizes differ',
  colour: 'the colors differ',
  model: 'the model numbers differ',
  number: 'the numbers in the titles differ',
  edition: 'the editions differ',
  accessory: 'one may be an accessory',
  title: 'the titles differ',
};
const withDifference = new Map<string, string>(
  Object.entries(differences).map(([name, words]) => [`gtin-${name}`, words]),
);

/** Returns why a pair was suggested. */
export function describeReason({ reason, isSameMerchant }: Suggestion): string {
  if (reason === 'group') return 'Variants at one store';
  const place = isSameMerchant ? 'Twice at one store: s' : 'S';
  const difference = withDifference.get(reason);
  if (difference !== undefined) return `${place}ame GTIN, but ${difference}`;
  if (reason === 'mpn') return `${place}ame brand and part number`;
  if (reason === 'code') return `${place}ame model number`;
  return `${place}ame GTIN`;
}

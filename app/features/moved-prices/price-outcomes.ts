/** The reasons why a row is not imported, with their texts. */
export const leftOutTexts = {
  'no-deal': 'No deal found',
  'several-deals': 'Several deals fit: add a column with the store',
  'in-trash': 'The deal is in the trash',
  'not-tracked': 'The store does not allow its prices to be tracked',
  'bad-date': 'Not a date',
  'ambiguous-date': 'The date can be read in two ways: choose the order of day and month',
  future: 'The date is in the future',
  'too-old': 'The date is before 1995',
  'bad-price': 'Not a price above zero',
  'far-price': 'The price is over 50 times higher or lower than that of the deal',
  'other-currency': 'The price is in another currency than the deal; prices are not converted',
  'seen-here': 'Our own price log covers this day',
  'no-source': 'No source: name one',
  'already-here': 'A price for this day was already imported',
  duplicate: 'A row above has a price for this day',
} as const;

export type PriceOutcome = 'taken' | keyof typeof leftOutTexts;

const texts: Readonly<Record<PriceOutcome, string>> = {
  taken: 'Prices of this move',
  ...leftOutTexts,
};

export function describePriceOutcome(outcome: PriceOutcome): string {
  return texts[outcome];
}

export const priceOutcomes = Object.keys(texts) as PriceOutcome[];

export type PriceCounts = Partial<Record<PriceOutcome, number>>;

export function sumLeftOut(counts: PriceCounts): number {
  return priceOutcomes.reduce(
    (sum, outcome) => sum + (outcome === 'taken' ? 0 : (counts[outcome] ?? 0)),
    0,
  );
}

/** The effects of an imported row, with their texts. */
export const takenOutcomes = {
  joined: 'Subscribed, with the date of their consent',
  'joined-stated': 'Subscribed, with your statement instead of a date',
  suppressed: 'Unsubscribed there: stored as unsubscribed',
  ended: 'Unsubscribed there and subscribed here: will be unsubscribed here',
  suspended: 'Bounced there: suspended here',
} as const;

/** The reasons why a row is not imported, with their texts. */
export const leftOutTexts = {
  'already-here': 'Already on your list, which keeps its own status and consent',
  'already-ended': 'Already unsubscribed or suspended here',
  'unsubscribed-here': 'Unsubscribed here',
  'suspended-here': 'Bounced or reported as spam here',
  unconfirmed: 'Never confirmed the subscription',
  'no-consent': 'No date of consent',
  'no-status': 'No status',
  'bad-status': 'Unknown status',
  invalid: 'Not an email address',
  duplicate: 'Address listed above: the stricter status counts',
} as const;

export type Outcome = keyof typeof takenOutcomes | keyof typeof leftOutTexts;

export const leftOutcomes: ReadonlySet<string> = new Set(Object.keys(leftOutTexts));

const texts: Readonly<Record<Outcome, string>> = { ...takenOutcomes, ...leftOutTexts };

export function describeOutcome(outcome: Outcome): string {
  return texts[outcome];
}

export const outcomes = Object.keys(texts) as Outcome[];

type Counts = Partial<Record<Outcome, number>>;

/** Sums the counts of an import. */
export function sumOutcomes(counts: Counts): { joins: number; ends: number; leftOut: number } {
  const sum = (some: readonly Outcome[]) => some.reduce((all, one) => all + (counts[one] ?? 0), 0);
  return {
    joins: sum(['joined', 'joined-stated']),
    ends: sum(['suppressed', 'ended', 'suspended']),
    leftOut: sum(outcomes.filter((one) => leftOutcomes.has(one))),
  };
}

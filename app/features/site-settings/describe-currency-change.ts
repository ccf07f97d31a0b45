import { countNoun } from '#app/platform/count-noun.ts';

/** The effects of a currency change. */
export interface CurrencyChange {
  from: string;
  to: string;
  /** Live deals that will wait for a price in the new currency. */
  waiting: number;
  /** Waiting deals that have a price in the new currency. */
  returning: number;
  /** Active alerts in other currencies, and their owners. */
  alerts: number;
  owners: number;
}

/** A currency change that a job makes in batches. */
export interface CurrencyProgress {
  from: string;
  to: string;
  /** The active deals that are still to be hidden, including expired ones. */
  left: number;
}

/** Returns the question that asks staff to confirm a currency change. */
export function describeCurrencyChange(change: CurrencyChange): string {
  const { from, to, waiting, returning, alerts, owners } = change;
  const facts = [
    'Logged prices keep their currency, and no longer appear in charts and claims.',
    `${countNoun(waiting, 'live deal')} will be hidden until a feed, a fetch or a form gives ${waiting === 1 ? 'it' : 'them'} a price in ${to}.`,
    alerts === 0
      ? 'No price alert is affected.'
      : `${countNoun(alerts, 'price alert')} will be paused, and ${countNoun(owners, 'owner')} will be notified by email.`,
    ...(returning === 0
      ? []
      : [`${countNoun(returning, 'hidden deal')} with a price in ${to} will be live again.`]),
  ];
  facts.push('Shipping amounts of stores and searches with price limits must be set again.');
  return `Changing the currency from ${from} to ${to} converts nothing. ${facts.join(' ')} Tick the box below and save again to go ahead.`;
}

export function describeProgress({ from, to, left }: CurrencyProgress): string {
  return `The currency changes from ${from} to ${to} as soon as all deals are hidden: ${countNoun(left, 'deal')} to go.`;
}

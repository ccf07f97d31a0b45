import { countNoun } from '#app/platform/count-noun.ts';
import type { StoresFrom } from './compare-offers.ts';
import { formatFrom } from './format-from.ts';

/** Returns "Also at 2 other stores, from $79.99 incl. shipping". */
export function writeAlsoAt(best: StoresFrom, currency: string): string {
  return `Also at ${countNoun(best.stores, 'other store')}, from ${formatFrom(best, currency)}`;
}

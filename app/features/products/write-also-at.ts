import { countNoun } from '#app/platform/count-noun.ts';
import type { StoresFrom } from './compare-offers.ts';
import { formatFrom } from './format-from.ts';

/** Returns "Also at 2 other stores, from $79.99 incl. shipping", or "Still at" for an ended deal. */
export function writeAlsoAt(best: StoresFrom, currency: string, isEnded = false): string {
  return `${isEnded ? 'Still' : 'Also'} at ${countNoun(best.stores, 'other store')}, from ${formatFrom(best, currency)}`;
}

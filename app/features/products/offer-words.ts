import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { ConditionClass, StoresFrom } from './compare-offers.ts';

/** The labels of the condition classes. */
export const classTitles: Record<ConditionClass, string> = {
  new: 'New',
  refurbished: 'Refurbished',
  used: 'Used',
};

/** Returns a text that states whether a price includes shipping. */
export const shippingWords = (isTotal: boolean) => (isTotal ? 'incl. shipping' : 'plus shipping');

/** Returns " (used)" for the class of a price, or "" for new items. */
export function conditionSuffix(condition: ConditionClass | null): string {
  return condition === null || condition === 'new' ? '' : ` (${condition})`;
}

/** Returns "$79.99 incl. shipping", or "plus shipping" if no store states its cost. */
export function formatFrom(
  { from, isTotal }: Pick<StoresFrom, 'from' | 'isTotal'>,
  currency: string,
): string {
  return `${formatMoney(from, currency)} ${shippingWords(isTotal)}`;
}

/** Returns "Also at 2 other stores, from $79.99 incl. shipping", or "Still at" for an ended deal. */
export function writeAlsoAt(best: StoresFrom, currency: string, isEnded = false): string {
  return `${isEnded ? 'Still' : 'Also'} at ${countNoun(best.stores, 'other store')}, from ${formatFrom(best, currency)}`;
}

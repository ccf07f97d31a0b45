import { formatMoney } from '#app/platform/money.ts';
import type { StoresFrom } from './compare-offers.ts';

/** Returns "$79.99 incl. shipping", or "plus shipping" if no store states its cost. */
export function formatFrom(
  { from, isTotal }: Pick<StoresFrom, 'from' | 'isTotal'>,
  currency: string,
): string {
  return `${formatMoney(from, currency)} ${isTotal ? 'incl. shipping' : 'plus shipping'}`;
}

import { formatMoney, unitsIn } from '#app/platform/money.ts';
import type { Earned } from './earning-figures.server.ts';

/** Formats earnings, with each currency separate: `$12.50 + €3.00`. */
export function formatEarned(earned: readonly Earned[]): string {
  if (earned.length === 0) return '–';
  return earned.map(({ amount, currency }) => formatMoney(amount, currency)).join(' + ');
}

/** Formats earnings per click, or '–' if there are no clicks or no sales. */
export function formatPerClick(earned: readonly Earned[], clicks: number): string {
  if (clicks === 0 || earned.length === 0) return '–';
  return earned
    .map(({ amount, currency }) => formatFraction(amount / clicks, currency))
    .join(' + ');
}

/** Formats earnings and earnings per click as text. */
export function describeEarned(earned: readonly Earned[], clicks: number): string {
  return `${formatEarned(earned)} earned, ${formatPerClick(earned, clicks)} per click`;
}

/** Shows one more decimal than prices have, since a click earns little. */
function formatFraction(amount: number, currency: string): string {
  const digits = Math.log10(unitsIn(currency)) + 1;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / unitsIn(currency));
}

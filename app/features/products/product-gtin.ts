import { storedGtin } from '#app/features/deals/gtin.ts';

/**
 * Returns the stored form of a GTIN that identifies one product worldwide, else `null`. Codes of
 * stores, coupons and periodicals do not. A GTIN of 14 digits that starts with 1 to 9 is a case of
 * packs.
 */
export function productGtin(digits: string): string | null {
  const gtin = storedGtin(digits);
  if (gtin === null || gtin.length === 14) return null;
  return gtin.padStart(13, '0').startsWith('977') ? null : gtin;
}

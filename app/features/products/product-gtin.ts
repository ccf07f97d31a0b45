import { storedGtin } from '#app/features/deals/gtin.ts';

/**
 * Returns the stored form of a GTIN that identifies one product worldwide, else `null`. Codes for
 * stores, coupons and periodicals do not, nor does a 14-digit GTIN that starts with 1 to 9, which
 * is a case of packs.
 */
export function productGtin(digits: string): string | null {
  const gtin = storedGtin(digits);
  if (gtin === null || gtin.length === 14) return null;
  return gtin.padStart(13, '0').startsWith('977') ? null : gtin;
}

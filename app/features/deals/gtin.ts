/** The number below a barcode in its stored form, or the reason it is invalid. */
export type GtinCheck = { ok: true; gtin: string } | { ok: false; reason: string };

const lengths = [8, 12, 13, 14];

/**
 * Checks a number of digits. `036000291452`, `0036000291452` and `00036000291452` identify one
 * product and are stored in the shortest standard form: 8, 12, 13 or 14 digits. A code of 11 digits
 * is a UPC that lost its zero.
 */
export function checkGtin(digits: string): GtinCheck {
  const bare = digits.replace(/^0+/, '');
  const length = lengths.find((one) => one >= bare.length);
  const isOfLength = digits.length >= 11 || digits.length === 8;
  if (!/^\d+$/.test(digits) || !isOfLength || length === undefined) {
    return { ok: false, reason: 'it does not have 8, 12, 13 or 14 digits' };
  }
  const all = bare.padStart(14, '0');
  if (checkDigit(all) !== Number(all.at(-1))) {
    return { ok: false, reason: 'its check digit is wrong' };
  }
  if (isRestricted(bare)) {
    return { ok: false, reason: 'it is a code for internal use or coupons' };
  }
  return { ok: true, gtin: bare.padStart(length, '0') };
}

/** Returns the stored form of a valid GTIN, else `null`. */
export function storedGtin(digits: string): string | null {
  const checked = checkGtin(digits);
  return checked.ok ? checked.gtin : null;
}

function checkDigit(all: string): number {
  let sum = 0;
  for (let at = 0; at < 13; at++) sum += (all.charCodeAt(at) - 48) * (at % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

/** GS1 prefixes for internal use by stores, for coupons and for refunds. */
function isRestricted(bare: string): boolean {
  if (bare.length <= 8) return /^[02]/.test(bare.padStart(8, '0'));
  return /^\d(?:0[245]|2\d|98[0-4]|99)/.test(bare.padStart(14, '0'));
}

import { expect, test } from 'vitest';
import { checkGtin, storedGtin } from './gtin.ts';

test.each([
  ['036000291452', '036000291452'],
  ['36000291452', '036000291452'],
  ['0036000291452', '036000291452'],
  ['00036000291452', '036000291452'],
  ['4006381333931', '4006381333931'],
  ['04006381333931', '4006381333931'],
  ['14006381333938', '14006381333938'],
  ['96385074', '96385074'],
  ['00000096385074', '96385074'],
])('stores the GTIN %s as %s', (typed, stored) => {
  expect(storedGtin(typed)).toBe(stored);
});

test.each([
  ['4006381333932', 'its check digit is wrong'],
  ['12345678', 'its check digit is wrong'],
  ['123456789', 'it does not have 8, 12, 13 or 14 digits'],
  ['1234567890', 'it does not have 8, 12, 13 or 14 digits'],
  ['123456789012345', 'it does not have 8, 12, 13 or 14 digits'],
  ['0000000000000', 'it is a code for internal use or coupons'],
  ['2000000010007', 'it is a code for internal use or coupons'],
  ['9900000000004', 'it is a code for internal use or coupons'],
  ['00000017', 'it is a code for internal use or coupons'],
  ['x', 'it does not have 8, 12, 13 or 14 digits'],
  ['', 'it does not have 8, 12, 13 or 14 digits'],
])('rejects the GTIN %s because %s', (typed, reason) => {
  expect(checkGtin(typed)).toEqual({ ok: false, reason });
});

import { expect, test } from 'vitest';
import { findTotpStep, toBase32, totpCode } from './totp.server.ts';

const key = Buffer.from('12345678901234567890');

test('creates the TOTP codes of RFC 6238, appendix B', () => {
  const codes = [59, 1_111_111_109, 1_234_567_890, 2_000_000_000].map((seconds) =>
    totpCode(key, Math.floor(seconds / 30)),
  );
  expect(codes).toEqual(['287082', '081804', '005924', '279037']);
  expect(toBase32(key)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

test('accepts a TOTP code one step before and after its time, and never twice', () => {
  const now = new Date(1_234_567_890_000);
  const step = Math.floor(1_234_567_890 / 30);
  expect(findTotpStep(key, '005 924', now)).toBe(step);
  expect(findTotpStep(key, totpCode(key, step - 1), now)).toBe(step - 1);
  expect(findTotpStep(key, totpCode(key, step - 2), now)).toBeNull();
  expect(findTotpStep(key, '005924', now, step)).toBeNull();
  expect(findTotpStep(key, '12345', now)).toBeNull();
});

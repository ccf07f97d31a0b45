import { totpCode } from '#app/features/accounts/two-factor/totp.server.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the key from an `otpauth://…?secret=…` URI (RFC 4648, base 32) within a text. */
export function keyIn(text: string): Buffer {
  const shown = /secret=([A-Z2-7]+)/.exec(text)?.[1] ?? '';
  const bits = Array.from(shown, (sign) => letters.indexOf(sign).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the app's current code. */
export function codeNow(key: Buffer): string {
  return totpCode(key, Math.floor(Date.now() / 30_000));
}

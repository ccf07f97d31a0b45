import { expect, test } from 'vitest';
import { decodeQR } from 'qr/decode.js';
import { drawQrCode } from './qr-code.server.ts';
import { fromBase32, newTotpKey, toBase32, totpAddress } from './totp.server.ts';

/** Paints a path of runs, each module as a square of pixels, as a camera would see it. */
function paint({ size, path }: { size: number; path: string }, scale = 4) {
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const from = (row * width + Number(x) * scale) * 4;
      data.fill(0, from, from + Number(length) * scale * 4);
    }
  }
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
  return { width, height: width, data };
}

test.each(['Deal Hub', 'Läden & Preise, größer als gewöhnlich'])(
  'draws a QR code that a reader decodes to the address of an app at %s',
  (site) => {
    const address = totpAddress(newTotpKey(), { site, email: 'ada.lovelace@mail.example' });
    expect(decodeQR(paint(drawQrCode(address)))).toBe(address);
  },
);

test('surrounds a QR code with four white modules', () => {
  const { size, path } = drawQrCode('otpauth://totp/x');
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.slice(1).map(Number));
  expect(Math.min(...runs.flatMap(([x = 0, y = 0]) => [x, y]))).toBe(4);
  expect(Math.max(...runs.flatMap(([x = 0, , length = 0]) => [x + length]))).toBe(size - 4);
});

test('creates keys without letters that look like digits or each other', () => {
  const keys = Array.from({ length: 200 }, newTotpKey);
  for (const key of keys) {
    expect(key).toHaveLength(20);
    expect(toBase32(key)).toMatch(/^[ACDEFHJ-NP-RT-Y2-7]{32}$/);
    expect(fromBase32(toBase32(key))).toEqual(key);
  }
  expect(new Set(keys.map(toBase32)).size).toBe(keys.length);
});

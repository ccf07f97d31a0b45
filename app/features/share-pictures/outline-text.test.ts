import { expect, test } from 'vitest';
import { keepDrawable, measureText, outlineText, wrapText } from './outline-text.server.ts';

const line = { x: 10, y: 40, size: 32, color: '#111111' };

test.each(['Desk lamp €39', 'Żółta łódka', 'Настольная лампа', 'Επιτραπέζιο φωτιστικό', 'Đèn bàn'])(
  'draws all letters of %s',
  (text) => {
    expect(keepDrawable(text)).toBe(text);
    const letters = Array.from(text.replaceAll(' ', '')).length;
    expect(outlineText(text, line).match(/<path /g)).toHaveLength(letters);
  },
);

test('draws text as outlines, without its characters in the SVG', () => {
  const hostile = '</g><script>alert(1)</script>&amp;"\u0000\u202E\u0007';
  const svg = outlineText(keepDrawable(hostile), line);
  expect(svg).toMatch(/^<g fill="#111111">(<path [^<>&]+"\/>)+<\/g>$/);
  expect(svg).not.toContain('script');
  expect(keepDrawable(hostile)).toBe('</g><script>alert(1)</script>&amp;"');
});

test('replaces letters of other scripts with an ellipsis, and drops emoji and direction marks', () => {
  expect(keepDrawable('Sony ヘッドホン WH-1000XM5 🎧')).toBe('Sony … WH-1000XM5');
  expect(keepDrawable('Lamp מנורת שולחן 12 W')).toBe('Lamp … 12 W');
  expect(keepDrawable('\u202Eabc\u2066')).toBe('abc');
  expect(keepDrawable('a\n\tb')).toBe('a b');
  expect(keepDrawable('AT\u2011AT')).toBe('AT-AT');
});

test('returns an empty text if the fonts contain none of its letters', () => {
  expect(keepDrawable('مصباح مكتب')).toBe('');
  expect(keepDrawable('🎧 — !')).toBe('');
});

test('measures text in proportion to its size, and wide letters as wider', () => {
  expect(measureText('Lamp', 64)).toBeCloseTo(2 * measureText('Lamp', 32));
  expect(measureText('W', 32)).toBeGreaterThan(2 * measureText('i', 32));
});

test('breaks text at spaces, and ends a text that is too long with an ellipsis', () => {
  const box = { size: 40, width: 300, lines: 2 };
  expect(wrapText('Desk lamp', box)).toEqual({ lines: ['Desk lamp'], isCut: false });
  const { lines, isCut } = wrapText('Desk lamp with a very long name and many more words', box);
  expect([lines.length, isCut]).toEqual([2, true]);
  expect(lines[1]).toMatch(/\S…$/);
  for (const shown of lines) expect(measureText(shown, box.size)).toBeLessThanOrEqual(box.width);
});

test('breaks a word without spaces anywhere', () => {
  const { lines, isCut } = wrapText('W'.repeat(10_000), { size: 40, width: 300, lines: 2 });
  expect([lines.length, isCut]).toEqual([2, true]);
  for (const shown of lines) expect(measureText(shown, 40)).toBeLessThanOrEqual(300);
});

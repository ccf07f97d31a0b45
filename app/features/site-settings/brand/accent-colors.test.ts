import { assert, integer, property } from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { accentColors, checkAccent, contrast, ownColors, themes } from './accent-colors.ts';

// The reference values come from WCAG's own examples and common contrast checkers.
test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ffd400', '#ffffff', 1.42],
  ['#0b6650', '#ffffff', 6.92],
])('measures %s on %s as %d:1', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 1);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

test('keeps the default colors, which meet every rule, if no accent is set', () => {
  expect(accentColors('')).toBe(ownColors);
  for (const { links, buttons, ring } of checkAccent('')) {
    expect(links).toBeGreaterThanOrEqual(4.5);
    expect(buttons).toBeGreaterThanOrEqual(4.5);
    expect(ring).toBeGreaterThanOrEqual(3);
  }
});

test('keeps an accent color for links if its contrast is sufficient', () => {
  expect(accentColors('#0b6650').light).toMatchObject({ action: '#0b6650', fill: '#0b6650' });
  expect(accentColors('#ffd400').dark).toMatchObject({ action: '#ffd400', fill: '#ffd400' });
});

test('keeps yellow for buttons with black text, and darkens it for links', () => {
  const { action, fill, onFill } = accentColors('#ffd400').light;
  expect([fill, onFill]).toEqual(['#ffd400', '#141312']);
  expect(action).not.toBe('#ffd400');
  expect(contrast(action, '#ffffff')).toBeGreaterThan(4.5);
});

test('lightens a near-black accent until a button stands out from a dark page', () => {
  const { fill } = accentColors('#101010').dark;
  expect(contrast(fill, '#1d1c1a')).toBeGreaterThanOrEqual(3);
  expect(accentColors('#101010').light.fill).toBe('#101010');
});

test('derives legible colors from every accent', () => {
  assert(
    property(integer({ min: 0, max: 0xffffff }), (number) => {
      const accent = `#${number.toString(16).padStart(6, '0')}`;
      for (const theme of themes) {
        const check = checkAccent(accent).find((one) => one.theme === theme);
        expect(check?.links).toBeGreaterThanOrEqual(4.5);
        expect(check?.buttons).toBeGreaterThanOrEqual(4.5);
        expect(check?.ring).toBeGreaterThanOrEqual(3);
        expect(contrast(check?.colors.actionHover ?? '', check?.colors.soft ?? '')).toBeGreaterThan(
          4.5,
        );
        expect(Object.values(check?.colors ?? {}).join()).toMatch(/^(?:#[\da-f]{6},?){6}$/);
      }
    }),
  );
});

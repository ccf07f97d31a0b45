import { expect, test } from 'vitest';
import { drawAlertLine, lineHeight, lineWidth } from './alert-line.ts';

const day = (n: number) => new Date(Date.UTC(2026, 10, n));

test('draws prices as steps over the whole width, with the target below them', () => {
  const points = [
    { at: day(1), price: 10_000 },
    { at: day(11), price: 8_000 },
  ];
  const line = drawAlertLine(points, 6_000, day(21));
  expect(line).toEqual({
    path: `M0 3H${lineWidth / 2}V20H${lineWidth}`,
    targetY: lineHeight - 3,
  });
});

test('draws a constant price in the middle', () => {
  const line = drawAlertLine([{ at: day(1), price: 500 }], null, day(2));
  expect(line).toEqual({ path: `M0 ${lineHeight / 2}H${lineWidth}`, targetY: null });
});

test('draws nothing if there is no price', () => {
  expect(drawAlertLine([], 500, day(2))).toBeNull();
});

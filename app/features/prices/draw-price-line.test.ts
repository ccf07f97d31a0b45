import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawMailPng } from '#app/features/pictures/draw-mail-picture.server.ts';
import { drawPriceLine } from './draw-price-line.ts';

const at = (day: number) => new Date(Date.UTC(2026, 8, day));
const step = (day: number, price: number, isOffer = true) => ({ at: at(day), price, isOffer });
const steps = [step(1, 10_000), step(31, 6_000), step(61, 8_000)];

/** Returns the colors of the picture as an email client shows it. */
async function draw(given = steps, target: number | null = null) {
  const png = await drawMailPng(drawPriceLine(given, target) ?? '');
  const { data, info } = await sharp(png)
    .flatten({ background: '#000000' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colorAt = (x: number, y: number) => {
    const first = (y * 2 * info.width + x * 2) * info.channels;
    const [red = 0, green = 0, blue = 0] = data.subarray(first, first + 3);
    const isDark = red + green + blue < 500;
    return !isDark ? 'paper' : red > green * 2 ? 'dot' : green > red * 2 ? 'line' : 'dashes';
  };
  return { png, info, colorAt };
}

test('draws a PNG at twice its size in the email, with a light background to its edges', async () => {
  const { png, info, colorAt } = await draw();
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1040, height: 240 });
  expect(info.width).toBe(1040);
  expect(png.length).toBeLessThan(6_000);
  for (const [x, y] of [
    [0, 0],
    [519, 0],
    [0, 119],
    [519, 119],
  ] as const)
    expect(colorAt(x, y)).toBe('paper');
});

test('draws each price at its height, and the newest as a dot', async () => {
  const { colorAt } = await draw();
  // The prices are 100, 60 and 80, so the levels are the top, the bottom and the middle.
  expect([colorAt(100, 16), colorAt(350, 104), colorAt(485, 60)]).toEqual(['line', 'line', 'line']);
  expect(colorAt(504, 60)).toBe('dot');
  expect([colorAt(100, 60), colorAt(350, 16)]).toEqual(['paper', 'paper']);
});

test('draws the target of an alert as dashes across the picture, but no dashes without an alert', async () => {
  const across = (one: Awaited<ReturnType<typeof draw>>, y: number) =>
    new Set(Array.from({ length: 200 }, (_, x) => one.colorAt(x, y)));
  expect(across(await draw(steps, 9_000), 38)).toEqual(new Set(['dashes', 'paper']));
  expect(across(await draw(), 38)).toEqual(new Set(['paper']));
});

test('keeps a target below all prices within the picture', async () => {
  const { colorAt } = await draw(steps, 2_000);
  const lowest = new Set(Array.from({ length: 100 }, (_, x) => colorAt(x, 104)));
  expect(lowest).toEqual(new Set(['dashes', 'paper']));
});

test('dashes the line while the deal was out of stock', async () => {
  const { colorAt } = await draw([step(1, 10_000), step(31, 6_000, false), step(61, 8_000)]);
  const level = new Set(Array.from({ length: 100 }, (_, n) => colorAt(300 + n, 104)));
  expect(level).toEqual(new Set(['line', 'paper']));
});

test('draws only the 90 days before the newest price', async () => {
  const long = [step(-400, 50_000), step(-100, 10_000), step(31, 6_000), step(61, 8_000)];
  expect(drawPriceLine(long, null)).toBe(drawPriceLine(long.slice(1), null));
});

test('draws a single price in the middle, and nothing if there are no prices', async () => {
  const { colorAt } = await draw([step(1, 10_000)]);
  expect(colorAt(485, 60)).toBe('line');
  expect(drawPriceLine([], 5_000)).toBeNull();
});

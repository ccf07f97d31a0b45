import { expect, test } from 'vitest';
import { beginsWith, hasPicture } from './post-beginning.ts';

test.each([
  ['<p>Rakes &amp; spades</p><p>for sand</p>', 'Rakes & spades for s…', true],
  ['<h2>Rakes</h2><p>for sand</p>', 'Rakes for sand', true],
  ['<p>Rakes for sand</p>', 'Our favorite rakes', false],
  ['<p>Rakes</p>', 'Rakes for sand', false],
])('detects whether %s begins with the excerpt %s', (html, excerpt, expected) => {
  expect(beginsWith([html, { id: 1 }], excerpt)).toBe(expected);
});

test('keeps the excerpt of a post that begins with a deal', () => {
  expect(beginsWith([{ id: 1 }, '<p>Rakes</p>'], 'Rakes')).toBe(false);
  expect(beginsWith([], 'Rakes')).toBe(false);
});

test('finds the main picture in the text', () => {
  const parts = ['<p>Rakes</p>', { id: 1 }, '<img src="/media/a.webp" alt="">'];
  expect(hasPicture(parts, '/media/a.webp')).toBe(true);
  expect(hasPicture(parts, '/media/b.webp')).toBe(false);
  expect(hasPicture(parts, null)).toBe(false);
});

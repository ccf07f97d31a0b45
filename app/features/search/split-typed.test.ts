import { expect, test } from 'vitest';
import { splitTyped } from './split-typed.ts';

test('what was typed is told apart from the rest, whatever its case', () => {
  expect(splitTyped('Wireless Headphones', 'HEAD')).toEqual([
    { start: 0, text: 'Wireless ', isTyped: false },
    { start: 9, text: 'Head', isTyped: true },
    { start: 13, text: 'phones', isTyped: false },
  ]);
});

test('each typed word is found by itself', () => {
  expect(splitTyped('Stand mixer, 5 qt', 'mixer st').filter((part) => part.isTyped)).toEqual([
    { start: 0, text: 'St', isTyped: true },
    { start: 6, text: 'mixer', isTyped: true },
  ]);
});

test('a suggestion that repeats nothing of it stays whole', () => {
  expect(splitTyped('Headphones', 'hedphones')).toEqual([
    { start: 0, text: 'Headphones', isTyped: false },
  ]);
  expect(splitTyped('Headphones', '  ')).toEqual([
    { start: 0, text: 'Headphones', isTyped: false },
  ]);
});

test('signs that mean something in a pattern are only signs here', () => {
  expect(
    splitTyped('C++ (2nd ed.) 50% off-road [x] a/b {1} $9 ^|?*\\', '(2nd + - [ / { $ ^ | ? * \\ .'),
  ).toContainEqual({
    start: 4,
    text: '(2nd',
    isTyped: true,
  });
});

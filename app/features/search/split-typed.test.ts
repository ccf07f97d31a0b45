import { expect, test } from 'vitest';
import { splitTyped } from './split-typed.ts';

test('splits a suggestion at the typed text, in any case', () => {
  expect(splitTyped('Wireless Headphones', 'HEAD')).toEqual([
    { start: 0, text: 'Wireless ', isTyped: false },
    { start: 9, text: 'Head', isTyped: true },
    { start: 13, text: 'phones', isTyped: false },
  ]);
});

test('ignores accents when splitting a suggestion, and keeps them in its parts', () => {
  const repeated = (text: string, typed: string) =>
    splitTyped(text, typed)
      .filter((part) => part.isTyped)
      .map((part) => part.text);
  expect(repeated('Señora Ibáñez', 'ibanez sen')).toEqual(['Señ', 'Ibáñez']);
  expect(repeated('Sen\u0303ora', 'señ')).toEqual(['Sen\u0303']);
  expect(repeated('Беспроводные НАУШНИКИ', 'наушн')).toEqual(['НАУШН']);
  expect(repeated('ワイヤレスイヤホン', 'イヤホン')).toEqual(['イヤホン']);
  expect(repeated('무선 이어폰', '이어')).toEqual(['이어']);
});

test('marks each typed word in a suggestion separately', () => {
  expect(splitTyped('Stand mixer, 5 qt', 'mixer st').filter((part) => part.isTyped)).toEqual([
    { start: 0, text: 'St', isTyped: true },
    { start: 6, text: 'mixer', isTyped: true },
  ]);
});

test('does not mark a typed number inside a longer one', () => {
  expect(splitTyped('Aurel 6, 256 GB', 'aurel 6').filter((part) => part.isTyped)).toEqual([
    { start: 0, text: 'Aurel', isTyped: true },
    { start: 6, text: '6', isTyped: true },
  ]);
});

test('does not split a suggestion without the typed text', () => {
  expect(splitTyped('Headphones', 'hedphones')).toEqual([
    { start: 0, text: 'Headphones', isTyped: false },
  ]);
  expect(splitTyped('Headphones', '  ')).toEqual([
    { start: 0, text: 'Headphones', isTyped: false },
  ]);
});

test('treats pattern characters in a typed search as text', () => {
  expect(
    splitTyped('C++ (2nd ed.) 50% off-road [x] a/b {1} $9 ^|?*\\', '(2nd + - [ / { $ ^ | ? * \\ .'),
  ).toContainEqual({
    start: 4,
    text: '(2nd',
    isTyped: true,
  });
});

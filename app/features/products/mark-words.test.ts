import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { labelOfVariant, markWords } from './mark-words.ts';

const marked = (title: string, other: string) =>
  markWords(title, other)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('');

test('marks the words that the other title lacks, ignoring case and accents', () => {
  expect(marked('Lumo Nova 15 Pro, Deep Red', 'lumo nóva 15 (black)')).toBe(
    'Lumo Nova 15 [Pro, Deep Red]',
  );
  expect(marked('Kettle', 'Kettle')).toBe('Kettle');
});

test('preserves every character of a title', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (title, other) => {
      const parts = markWords(title, other);
      expect(parts.map(({ text }) => text).join('')).toBe(title);
    }),
  );
});

test('labels a variant by the words that the other title lacks', () => {
  expect(labelOfVariant('Nova 15, (Deep Red)', 'Nova 15 Black')).toBe('Deep Red');
  expect(labelOfVariant('Nova 15', 'Nova 15 Black')).toBeNull();
});

import { expect, test } from 'vitest';
import { cleanSearchText } from './clean-search-text.ts';

test('R22: text is composed, its control characters and double spaces go', () => {
  expect(cleanSearchText('  cafe\u0301\t\u0000 \u202Eset\n ')).toBe('caf\u00e9 set');
  expect(cleanSearchText('\u200B\u0007 ')).toBe('');
  expect(cleanSearchText('\uD83D')).toBe('');
});

test('text ends after 100 characters, never inside one', () => {
  expect(cleanSearchText('a'.repeat(5_000))).toHaveLength(100);
  expect(Array.from(cleanSearchText('🎧'.repeat(150)))).toHaveLength(100);
});

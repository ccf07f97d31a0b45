import { expect, test } from 'vitest';
import { categoryIcon } from './category-icon.ts';

// Proves Storefront 2: Categories page: tiles, icon by keywords
test.each([
  ['Electronics', 'smartphone'],
  ['Fashion', 'shirt'],
  ['Home & Garden', 'home'],
  ['Sports & Fitness', 'dumbbell'],
  ['Books', 'book'],
  ['Automotive', 'car'],
  ['Gaming', 'gamepad2'],
  ['Tools', 'wrench'],
  ['Something else', 'tag'],
  ['Carpets', 'tag'],
  ['Scarves', 'tag'],
  ['Gamelan music', 'tag'],
  ['Pets', 'heart'],
  ['Health & Beauty', 'heart'],
  ['Computers & Accessories', 'smartphone'],
  ['TV & Video', 'smartphone'],
] as const)('a category named %s without an icon of its own has the icon %s', (name, icon) => {
  expect(categoryIcon({ name, icon: 'tag' })).toBe(icon);
});

test('an icon chosen by the editor goes before the words of the name', () => {
  expect(categoryIcon({ name: 'Books', icon: 'heart' })).toBe('heart');
});

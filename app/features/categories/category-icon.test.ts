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
] as const)('derives an icon from the category name %s: %s', (name, icon) => {
  expect(categoryIcon({ name, icon: 'tag' })).toBe(icon);
});

test('prefers the editor’s icon to one derived from the name', () => {
  expect(categoryIcon({ name: 'Books', icon: 'heart' })).toBe('heart');
});

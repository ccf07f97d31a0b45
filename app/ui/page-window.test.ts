import { expect, test } from 'vitest';
import { pageWindow } from './page-window.ts';

test('shows all page links if there are few pages', () => {
  expect(pageWindow(1, 1)).toEqual([1]);
  expect(pageWindow(2, 3)).toEqual([1, 2, 3]);
  expect(pageWindow(3, 5)).toEqual([1, 2, 3, 4, 5]);
});

test('shows the first, last and neighboring pages of many pages, with gaps between them', () => {
  expect(pageWindow(10, 20)).toEqual([1, 'gap', 9, 10, 11, 'gap', 20]);
  expect(pageWindow(1, 20)).toEqual([1, 2, 'gap', 20]);
  expect(pageWindow(20, 20)).toEqual([1, 'gap', 19, 20]);
});

test('never hides a single page link in a gap', () => {
  expect(pageWindow(4, 20)).toEqual([1, 2, 3, 4, 5, 'gap', 20]);
  expect(pageWindow(17, 20)).toEqual([1, 'gap', 16, 17, 18, 19, 20]);
});

import { expect, test } from 'vitest';
import { listTransition } from './use-list-transition.ts';

function place(address: string) {
  const { pathname, search } = new URL(address, 'https://deals.example');
  return { pathname, search };
}

const from = (here: string, next: string) => listTransition(place(here), place(next));

test('filters, order and pages leave the list where it is', () => {
  expect(from('/deals', '/deals?status=used&page=2')).toEqual({ kind: 'same-list' });
  expect(from('/deals?search=lamp', '/deals?search=lamp&sort=newest')).toEqual({
    kind: 'same-list',
  });
});

test('a category, a store or all deals is another list', () => {
  expect(from('/deals', '/categories/tools')).toEqual({ kind: 'other-list' });
  expect(from('/categories/tools', '/merchants/outpost?page=2')).toEqual({ kind: 'other-list' });
  expect(from('/deals?search=lamp', '/deals')).toEqual({ kind: 'other-list' });
});

test('a search is told by its text', () => {
  expect(from('/deals', '/deals?search=desk+lamp')).toEqual({ kind: 'search', text: 'desk lamp' });
  expect(from('/deals?search=lamp', '/deals?search=desk')).toEqual({
    kind: 'search',
    text: 'desk',
  });
  expect(from('/deals', '/deals?search=+')).toEqual({ kind: 'same-list' });
});

test('pages without a list show no list on the way', () => {
  expect(from('/deals', '/categories')).toEqual({ kind: 'none' });
  expect(from('/deals', '/deals/desk-lamp')).toEqual({ kind: 'none' });
});

import { describe, expect, test } from 'vitest';
import { menuInput } from './menu-input.ts';
import { moveLink } from './menu-moves.ts';
import { type MenuLink, mostLinks } from './menus.ts';

const link = (name: string): MenuLink => ({ label: name, href: `/${name}` });
const menu = ['a', 'b', 'c'].map(link);
const labelsAfter = (...[links, move]: Parameters<typeof moveLink>) => {
  const moved = moveLink(links, move);
  return moved.ok ? moved.links.map(({ label }) => label).join('') : moved.reason;
};

describe('a move of a link', () => {
  test('swaps a moved link with its neighbor, and stops at the ends', () => {
    expect(labelsAfter(menu, { kind: 'up', place: 1, link: link('b') })).toBe('bac');
    expect(labelsAfter(menu, { kind: 'down', place: 1, link: link('b') })).toBe('acb');
    expect(labelsAfter(menu, { kind: 'up', place: 0, link: link('a') })).toBe('abc');
    expect(labelsAfter(menu, { kind: 'down', place: 2, link: link('c') })).toBe('abc');
  });

  test.each([-1, 3, 1.5, NaN, 0])(
    'refuses to remove a link from a position where it is not: %d',
    (place) => {
      expect(labelsAfter(menu, { kind: 'remove', place, link: link('b') })).toBe('changed');
    },
  );

  test('puts a removed link back in its place, and does not add a link twice', () => {
    const removed = moveLink(menu, { kind: 'remove', place: 1, link: link('b') });
    const rest = removed.ok ? removed.links : [];
    expect(labelsAfter(rest, { kind: 'add', place: 1, link: link('b') })).toBe('abc');
    expect(labelsAfter(menu, { kind: 'add', link: link('b') })).toBe('there');
    expect(labelsAfter([], { kind: 'add', place: 99, link: link('z') })).toBe('z');
    const full = Array.from({ length: mostLinks }, (_, n) => link(`n${n}`));
    expect(labelsAfter(full, { kind: 'add', link: link('b') })).toBe('full');
  });

  test('keeps each menu link exactly once in any sequence of moves', () => {
    const orders = new Set<string>();
    const waiting: MenuLink[][] = [menu];
    for (let links = waiting.pop(); links; links = waiting.pop()) {
      const order = links.map(({ label }) => label).join('');
      if (orders.has(order)) continue;
      orders.add(order);
      for (const [place, one] of links.entries()) {
        for (const kind of ['up', 'down'] as const) {
          const moved = moveLink(links, { kind, place, link: one });
          expect(moved.ok).toBe(true);
          if (moved.ok) waiting.push(moved.links);
        }
      }
    }
    expect([...orders].toSorted()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  });
});

describe('a new link', () => {
  const read = (typed: object) => menuInput.safeParse({ menu: 'header', label: 'X', ...typed });

  test.each([
    ['/shipping?a=1#b', '/shipping?a=1#b'],
    ['https://shop.example/a', 'https://shop.example/a'],
    ['HTTP://shop.example', 'http://shop.example/'],
  ])('accepts %s', (href, stored) => {
    expect(read({ href }).data).toEqual({ menu: 'header', label: 'X', href: stored });
  });

  test.each([
    'javascript:alert(1)',
    ' JaVaScript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a b',
    'https://user:pass@evil.example',
    'ftp://x.example',
    'shipping',
    `/${'x'.repeat(2_048)}`,
  ])('refuses %s', (href) => {
    expect(read({ href }).success).toBe(false);
    expect(read({ listed: href }).success).toBe(false);
  });

  test.each([
    [{ href: '' }, 'Choose a page above or enter an address'],
    [{ href: '/a', listed: '/b' }, 'Leave this blank, or choose no page above'],
    [{ href: '/a', label: ' ' }, 'Label is required'],
    [{ href: '/a', label: 'x'.repeat(41) }, 'Must be at most 40 characters'],
    [{ href: '/a', menu: 'constructor' }, 'Choose a menu'],
  ])('refuses %o with its reason', (typed, message) => {
    expect(read(typed).error?.issues[0]?.message).toBe(message);
  });
});

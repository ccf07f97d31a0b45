import { describe, expect, test } from 'vitest';
import { array, assert, constantFrom, property, string } from '#test/fast-check.ts';
import { isListablePath } from './missed-paths.server.ts';
import { redirectInput } from './redirect-input.ts';
import { locationOf, matchRule, pathOfTyped, type RedirectRule } from './redirect-rules.ts';

describe('a typed old address', () => {
  test.each([
    ['/old-page', '/old-page'],
    [' /old-page/ ', '/old-page'],
    ['https://old.example/a//b?id=4#top', '/a/b'],
    ['/caf%C3%A9', '/café'],
    ['/cafe\u0301', '/café'],
    ['/скидки', '/скидки'],
    ['/old/*', '/old/*'],
    ['old-page', null],
    ['ftp://old.example/a', null],
    ['/%E0%A4', null],
    ['/a%00', null],
  ])('reads %j as %j', (typed, path) => {
    expect(pathOfTyped(typed)).toBe(path);
  });
});

const rulesOf = (...pairs: [from: string, to: string | null][]) =>
  new Map<string, RedirectRule>(
    pairs.map(([from, to]) => [
      from,
      { from_path: from, target: to, status: to === null ? 410 : 301 },
    ]),
  );

describe('the redirect of an address', () => {
  const rules = rulesOf(
    ['/old', '/a'],
    ['/old/*', '/new/*'],
    ['/old/lamps/*', '/lamps'],
    ['/*', null],
  );
  const ruleOf = (path: string) => {
    const found = matchRule(rules, path);
    return found && [found.rule.from_path, found.rest];
  };

  test('prefers an exact rule to patterns, and the longest pattern to others', () => {
    expect(ruleOf('/old')).toEqual(['/old', '']);
    expect(ruleOf('/old/tv/big')).toEqual(['/old/*', 'tv/big']);
    expect(ruleOf('/old/lamps/desk')).toEqual(['/old/lamps/*', 'desk']);
    expect(ruleOf('/older')).toEqual(['/*', 'older']);
    expect(matchRule(rulesOf(['/old/*', '/a']), '/old')).toBeNull();
    expect(matchRule(rulesOf(['/old/*', '/a']), '/old/')).toBeNull();
  });

  test.each([
    ['/new/*', 'tv/big', '', '/new/tv/big'],
    ['/new/*', 'café', '?a=1', '/new/caf%C3%A9?a=1'],
    ['/new?b=2', 'tv', '?a=1', '/new?b=2'],
    ['https://shop.example/x/*#top', 'tv', '', 'https://shop.example/x/tv#top'],
    ['/скидки', '', '', '/%D1%81%D0%BA%D0%B8%D0%B4%D0%BA%D0%B8'],
    ['/*', '/evil.example', '', '/evil.example'],
    ['/*', '\\evil.example', '', '/%5Cevil.example'],
    ['/*', '$&', '', '/%24%26'],
  ])(
    'completes the target %j with the match %j and the query %j: %j',
    (target, rest, search, location) => {
      expect(locationOf(target, rest, search)).toBe(location);
    },
  );

  test('never leaves the site, regardless of what the star matched', () => {
    const parts = array(constantFrom('/', '\\', '..', '.', '@', ':', '//', 'evil.example'));
    assert(
      property(parts, string(), (rest, more) => {
        const location = locationOf('/new/*', rest.join('') + more.toWellFormed(), '');
        expect(location).toMatch(/^\/(?!\/)[!-~]*$/);
        expect(new URL(location, 'https://deals.test').origin).toBe('https://deals.test');
      }),
    );
  });
});

describe('the form of a redirect', () => {
  const errorOf = (given: object) => redirectInput.safeParse(given).error?.issues[0]?.message;

  test.each([
    [{ from_path: '' }, 'The old address is required'],
    [{ from_path: 'x', target: '/a' }, expect.stringContaining('Must be a path')],
    [{ from_path: '/', target: '/a' }, 'The homepage cannot be redirected'],
    [{ from_path: '/a*', target: '/a' }, expect.stringContaining('Use * once')],
    [{ from_path: '/*/b', target: '/a' }, expect.stringContaining('Use * once')],
    [{ from_path: '/a', target: '' }, 'The new address is required'],
    [{ from_path: '/a', target: '//evil.example' }, expect.stringContaining('Must be a path')],
    [{ from_path: '/a', target: 'javascript:alert(1)' }, expect.stringContaining('Must be a')],
    [{ from_path: '/a/*', target: 'https://*/b' }, expect.stringContaining('Must be a path')],
    [{ from_path: '/a', target: '/b/*' }, expect.stringContaining('only if the old address')],
    [{ from_path: '/a', target: '/b', status: '410' }, expect.stringContaining('Leave this blank')],
    [{ from_path: '/a', target: '/b', status: '308' }, 'Must be 301, 302 or 410'],
  ])('refuses %j', (given, message) => {
    expect(errorOf(given)).toEqual(message);
  });

  test('accepts a redirect without a target for a page that is gone', () => {
    expect(redirectInput.parse({ from_path: '/a', target: '', status: '410' })).toEqual({
      from_path: '/a',
      target: null,
      status: 410,
    });
  });
});

test.each([
  ['/old-lamp', true],
  ['/2019/05/best-lamps.html', true],
  ['/скидки', true],
  ['/wp-login.php', false],
  ['/.env', false],
  ['/a/.git/config', false],
  ['/wp-content/x', false],
  ['/logo.png', false],
  ['/ann@example.com', false],
  ['/reset/8f14e45fceea167a5a36dedd4bea2543', false],
  ['/orders/12345678', false],
])('decides whether the URL %j may be listed: %j', (path, isListed) => {
  expect(isListablePath(path)).toBe(isListed);
});

import { assert, property, webPath } from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { normalisePath } from '#server/normalise-path.ts';

it.each([
  ['/', '/', ''],
  ['/deals', '/deals', ''],
  ['/deals?page=2', '/deals', '?page=2'],
  ['/deals?', '/deals', ''],
  ['/Deals', '/Deals', ''],
  ['/blog/caf%C3%A9', '/blog/caf%C3%A9', ''],
  ['/deals?next=//evil/..', '/deals', '?next=//evil/..'],
  ['/_root.data', '/_root.data', ''],
])('leaves the canonical URL %s unchanged', (target, pathname, search) => {
  expect(normalisePath(target)).toEqual({ ok: true, pathname, search });
});

it.each([
  ['/deals/', '/deals'],
  ['/deals//', '/deals'],
  ['//deals', '/deals'],
  ['//evil.test/', '/evil.test'],
  ['/deals//a?x=1', '/deals/a?x=1'],
  ['/%64eals', '/deals'],
  ['/caf%c3%a9', '/caf%C3%A9'],
])('redirects the variant %s to its canonical spelling', (target, location) => {
  expect(normalisePath(target)).toEqual({ ok: false, status: 301, location });
});

it.each([
  '/a%2fb',
  '/a%5Cb',
  '/a\\b',
  '/../etc/passwd',
  '/a/./b',
  '/a/%2e%2e/b',
  '/%',
  '/%zz',
  '/%ff',
  '/a%00',
  '/deals?q=%00',
  '*',
  'http://evil.test/',
])('rejects the URL %s', (target) => {
  expect(normalisePath(target)).toEqual({ ok: false, status: 400 });
});

it('R46: rejects a URL of more than 2,048 characters', () => {
  expect(normalisePath(`/${'a'.repeat(2047)}`).ok).toBe(true);
  expect(normalisePath(`/${'a'.repeat(2048)}`)).toEqual({ ok: false, status: 414 });
});

// Proves R46: paths are normalised once
it('R46: redirects every variant to its canonical URL on our own host', () => {
  assert(
    property(webPath(), (path) => {
      const once = normalisePath(path || '/');
      if (once.ok || once.status !== 301) return;
      expect(once.location).toMatch(/^\/(?!\/)/);
      expect(normalisePath(once.location).ok).toBe(true);
    }),
  );
});

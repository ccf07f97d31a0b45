import { describe, expect, test } from 'vitest';
import { textOf } from '#test/render-component.tsx';
import { errorPage } from './error-page.ts';
import { plainPagePolicy } from './plain-page.ts';

const known = [400, 403, 404, 405, 413, 414, 415, 421, 429, 500, 503];

describe('R23: the page of an error', () => {
  test.each(known)('%i has a title, a safe sentence and the number of the log line', (status) => {
    const html = errorPage(status, 'request-1');
    const title = /<title>(.+)<\/title>/.exec(html)?.[1] ?? '';
    expect(title).not.toBe('');
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(textOf(html)).toContain('Reference: request-1');
    expect(textOf(html)).toContain('Go to the home page');
  });

  test('each of them says something of its own', () => {
    const titles = known.map((status) => /<h1>(.+)<\/h1>/.exec(errorPage(status, 'x'))?.[1]);
    expect(new Set(titles).size).toBe(known.length);
  });

  test('a status without words of its own has those of a mistake of ours', () => {
    expect(errorPage(418, 'x')).toBe(errorPage(500, 'x'));
  });

  test('needs nothing from anywhere: it must work when nothing else does', () => {
    for (const status of known) {
      const html = errorPage(status, 'x');
      expect(html).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=/);
      expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['/']);
    }
  });

  test('its policy allows its one style sheet by hash, and no script within the page', () => {
    expect(plainPagePolicy).toMatch(/style-src[^;]*'sha256-[\w+/=]+'/);
    expect(plainPagePolicy).not.toContain('unsafe');
    expect(plainPagePolicy).toMatch(/script-src 'self';/);
  });

  test('is not for search engines', () => {
    expect(errorPage(503, 'x')).toContain('<meta name="robots" content="noindex">');
  });
});

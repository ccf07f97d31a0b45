import { describe, expect, test } from 'vitest';
import { textOf } from '#test/render-component.tsx';
import { errorPage } from './error-page.ts';
import { plainPagePolicy } from './plain-page.ts';

const known = [400, 403, 404, 405, 413, 414, 415, 421, 429, 500, 503];

describe('R23: an error page', () => {
  test.each(known)(
    'R23: shows a title, a safe message and the request id for status %i',
    (status) => {
      const html = errorPage(status, 'request-1');
      const title = /<title>(.+)<\/title>/.exec(html)?.[1] ?? '';
      expect(title).not.toBe('');
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(textOf(html)).toContain('Reference: request-1');
      expect(textOf(html)).toContain('Go to the home page');
    },
  );

  test('R23: shows the logo in the colors of both themes', () => {
    const html = errorPage(503, 'x');
    expect(html).toMatch(/<main>\n<svg[^>]*aria-hidden="true"><path d="M9 19h15v14h14v12h10"/);
    for (const colour of ['--deal:#bc3908', '--deal:#ff9466']) expect(html).toContain(colour);
  });

  test('R23: shows a different title for each status', () => {
    const titles = known.map((status) => /<h1>(.+)<\/h1>/.exec(errorPage(status, 'x'))?.[1]);
    expect(new Set(titles).size).toBe(known.length);
  });

  test('R23: uses the text for status 500 for an unknown status', () => {
    expect(errorPage(418, 'x')).toBe(errorPage(500, 'x'));
  });

  test('R23: loads no files on an error page, which must work when nothing else does', () => {
    for (const status of known) {
      const html = errorPage(status, 'x');
      expect(html).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=/);
      expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['/']);
    }
  });

  test('R23: allows the error page’s stylesheet by hash, and no script', () => {
    expect(plainPagePolicy).toMatch(/style-src[^;]*'sha256-[\w+/=]+'/);
    expect(plainPagePolicy).not.toContain('unsafe');
    expect(plainPagePolicy).toMatch(/script-src 'self';/);
  });

  test('R23: asks search engines not to index an error page', () => {
    expect(errorPage(503, 'x')).toContain('<meta name="robots" content="noindex">');
  });
});

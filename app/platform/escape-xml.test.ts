import { Parser } from 'htmlparser2';
import { assert, property, string } from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { escapeXml, withoutForbidden } from './escape-xml.ts';

it('escapes every character that has a meaning in XML', () => {
  expect(escapeXml(`<a href="x">R&D's</a>`)).toBe(
    '&lt;a href=&quot;x&quot;&gt;R&amp;D&#39;s&lt;/a&gt;',
  );
});

it('removes characters that XML forbids, and keeps every language', () => {
  expect(withoutForbidden('a\u0000\u000B\u001F\uFFFEb\tc\n')).toBe('ab\tc\n');
  expect(withoutForbidden('Ünï © 漢字 🎧')).toBe('Ünï © 漢字 🎧');
  expect(withoutForbidden('half \uD83C pair')).toBe('half \uFFFD pair');
});

it('returns the same text after parsing the escaped XML', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      let read = '';
      const parser = new Parser({ ontext: (part) => (read += part) }, { xmlMode: true });
      parser.end(`<a>${escapeXml(text)}</a>`);
      expect(read).toBe(withoutForbidden(text));
    }),
  );
});

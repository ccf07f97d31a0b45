import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '#app/features/pages/render-markdown.server.ts';
import { escapeXml } from '#app/platform/escape-xml.ts';
import { insertPictures } from './insert-pictures.ts';

const address = '/media/library/0a-1600.webp';

describe('insertPictures', () => {
  test('replaces the selection and puts the cursor after the picture', () => {
    const at = { from: 3, to: 6 };
    const { text, cursor } = insertPictures('At old end', at, [{ address, alt: 'A lamp' }]);
    expect(text).toBe(`At ![A lamp](${address}) end`);
    expect(text.slice(cursor)).toBe(' end');
  });

  test('puts each of several pictures into a paragraph', () => {
    const pictures = [address, '/media/library/0b-90.webp'].map((one) => ({
      address: one,
      alt: '',
    }));
    const { text } = insertPictures('', { from: 0, to: 0 }, pictures);
    expect(renderMarkdown(text, 'https://site.example').match(/<p><img /g)).toHaveLength(2);
  });

  test.each(['A [red] lamp', '](/x) ` \\', '<b>Q&A</b>', 'Two\n\nlines'])(
    'shows the alt text %j word for word',
    (alt) => {
      const { text } = insertPictures('', { from: 0, to: 0 }, [{ address, alt }]);
      expect(renderMarkdown(text, 'https://site.example')).toContain(
        `<img src="${address}" alt="${escapeXml(alt.replace(/\s+/g, ' '))}"`,
      );
    },
  );
});

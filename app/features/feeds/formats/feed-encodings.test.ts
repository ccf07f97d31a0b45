import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { FeedEncoding } from './feed-encodings.ts';
import { feedEncodings } from './feed-encodings.ts';
import type { FeedRow } from './feed-fields.ts';
import { readFeed } from './read-feed.server.ts';

const sizeLimits = { rawBytes: 10_000_000, unpackedBytes: 10_000_000 };

async function read(
  bytes: Buffer,
  { encoding, size = 1_000 }: { encoding?: FeedEncoding; size?: number } = {},
) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const feed = await readFeed(chunks(), { sizeLimits, encoding });
  const rows: FeedRow[] = [];
  for await (const row of feed.rows) rows.push(row);
  return {
    encoding: feed.encoding,
    titles: rows.map(({ values }) => values.title),
    rowNotes: rows.flatMap(({ line, notes = [] }) => notes.map((note) => `${line}: ${note}`)),
    notes: feed.notes(),
  };
}

const table = (titles: readonly string[]) =>
  `id,title,link,price\n${titles.map((title, n) => `${n},${title},https://a.test/${n},5\n`).join('')}`;
const xml = (title: string, encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<rss><channel><item><id>1</id><title>${title}</title><link>https://a.test/</link><price>5</price></item></channel></rss>`;
const german = ['Größe L', 'Schöne Lampe', 'Tür', 'Süß', 'Fön'];

describe('UTF-8', () => {
  it('decodes UTF-8 correctly if one character is cut', async () => {
    const bytes = Buffer.from(table(german));
    for (const letter of ['ö', 'ß', 'ü']) {
      const at = bytes.indexOf(letter) + 1;
      const cut = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
      for (const size of [1, 7, 1_000]) {
        const { encoding, titles, rowNotes, notes } = await read(cut, { size });
        expect(encoding).toBe('utf-8');
        expect(titles.filter((title) => german.includes(title ?? ''))).toHaveLength(4);
        expect(titles.join('').split('\uFFFD')).toHaveLength(2);
        expect(rowNotes).toEqual([expect.stringMatching(/^\d: 1 character is not readable/)]);
        expect(notes).toEqual([]);
      }
    }
  });

  it('decodes UTF-8 correctly if a few bytes are windows-1252', async () => {
    const bytes = [
      Buffer.from(table(german)),
      iconv.encode('9,Füße,https://a.test/9,5\n', 'windows-1252'),
    ];
    const { titles, rowNotes } = await read(Buffer.concat(bytes));
    expect(titles).toEqual([...german, 'F\uFFFD\uFFFDe']);
    expect(rowNotes).toEqual([expect.stringMatching(/^7: 2 characters are not readable/)]);
  });

  it('removes byte-order marks and null characters from UTF-8, and nothing else', async () => {
    const { encoding, titles } = await read(Buffer.from(`\uFEFF\uFEFF${table(['T\0ür', 'Cup'])}`));
    expect([encoding, titles]).toEqual(['utf-8', ['T\0ür', 'Cup']]);
    const nul = Buffer.from(`i\0d,title,link,price\n1,Tür,https://a.test/,5\n`);
    expect((await read(nul)).titles).toEqual(['Tür']);
  });

  it('detects UTF-8 even if the file declares another encoding', async () => {
    const found = await read(Buffer.from(xml('Große Tür', 'ISO-8859-1')));
    expect(found).toMatchObject({ encoding: 'utf-8', titles: ['Große Tür'] });
    expect(found.notes).toEqual(['the feed declares windows-1252, but its characters are UTF-8']);
  });

  it('notes that a file was encoded as UTF-8 twice', async () => {
    const { titles, notes } = await read(Buffer.from(table(['CafÃ© au lait', 'Itâ€™s', 'SÃO Â'])));
    expect(titles).toEqual(['CafÃ© au lait', 'Itâ€™s', 'SÃO Â']);
    expect(notes).toEqual([
      '2 rows have text whose encoding was broken before it was sent, such as Ã© at line 2',
    ]);
  });
});

describe('another encoding', () => {
  const czech = ['Žluťoučký kůň', 'Dětské tričko', 'Křeslo'];

  it('recognizes an encoding by its letters, with a note', async () => {
    const bytes = iconv.encode(table(czech), 'windows-1250');
    for (const size of [1, 1_000]) {
      const found = await read(bytes, { size });
      expect(found).toMatchObject({ encoding: 'windows-1250', titles: czech, rowNotes: [] });
      expect(found.notes).toEqual([
        expect.stringContaining('the feed is not UTF-8; its characters look like windows-1250'),
      ]);
    }
  });

  it('recognizes an encoding even if its first non-ASCII letters come late in the file', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `Cup ${n}`);
    const found = await read(iconv.encode(table([...many, ...czech]), 'windows-1250'));
    expect(found.encoding).toBe('windows-1250');
    expect(found.titles.slice(-3)).toEqual(czech);
  });

  it('assumes windows-1252 if nothing else is likely, with a note', async () => {
    const found = await read(iconv.encode(table(['Café']), 'windows-1252'));
    expect(found).toMatchObject({ encoding: 'windows-1252', titles: ['Café'] });
    expect(found.notes[0]).toContain('windows-1252');
  });

  it('decodes a feed by its declared encoding', async () => {
    const bytes = iconv.encode(xml('Křeslo', 'windows-1250'), 'windows-1250');
    expect(await read(bytes)).toMatchObject({
      encoding: 'windows-1250',
      titles: ['Křeslo'],
      notes: [],
    });
  });

  it.each(feedEncodings.filter((encoding) => encoding !== 'auto'))(
    'decodes a feed as %s if the user chose that encoding',
    async (encoding) => {
      const bytes = iconv.encode(table(['Lamp', 'Cup']), encoding);
      const found = await read(bytes, { encoding });
      expect(found).toMatchObject({ encoding, titles: ['Lamp', 'Cup'], notes: [] });
    },
  );

  it('decodes a feed by the chosen encoding unless it has a byte-order mark', async () => {
    const bytes = iconv.encode(table(['Mučka']), 'windows-1250');
    expect(await read(bytes)).toMatchObject({ encoding: 'windows-1252' });
    expect(await read(bytes, { encoding: 'iso-8859-2' })).toMatchObject({ encoding: 'iso-8859-2' });
    const marked = Buffer.from(`\uFEFF${table(german)}`);
    expect(await read(marked, { encoding: 'windows-1250' })).toMatchObject({
      encoding: 'utf-8',
      titles: german,
    });
  });
});

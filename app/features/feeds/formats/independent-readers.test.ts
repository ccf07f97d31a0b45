import { parse as parseTable } from 'csv-parse/sync';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import * as fc from '#test/fast-check.ts';
import type { FeedRow } from './feed-fields.ts';
import { readFeed } from './read-feed.server.ts';
import { TableRecords } from './table-records.ts';

// Two readers that share no code must agree on every generated feed. The feeds are the same on
// every run.

const seed = { seed: 20_261_128, numRuns: 150 };
const sizeLimits = { rawBytes: 10_000_000, unpackedBytes: 10_000_000 };
const words = fc.constantFrom(
  'Lamp',
  'größer',
  '27"',
  '"',
  '""',
  'a "b" c',
  '日本',
  '5 < 6',
  '😀',
  ' ',
);
const word = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(' '));

/** Splits a text or its bytes at these positions, as a network does. */
function piecesOf(whole: string | Buffer, at: readonly number[]): (string | Buffer)[] {
  const ends = at.map((one) => one % (whole.length + 1)).toSorted((a, b) => a - b);
  return [...ends, whole.length].map((end, n) => whole.slice(n === 0 ? 0 : ends[n - 1], end));
}

const cuts = fc.array(fc.nat(), { maxLength: 5 });

describe('a table', () => {
  const width = 6;
  const lineBreak = fc.constantFrom('\n', '\r\n');
  // With more delimiters, a line of text could be taken for a row.
  const textLine = fc
    .tuple(word, fc.constantFrom('', ',', ';', '|'), word)
    .map((parts) => parts.join(''));
  const cell = fc
    .tuple(fc.array(textLine, { minLength: 1, maxLength: 3 }), lineBreak)
    .map(([lines, end]) => lines.join(end));
  const rows = fc.array(
    fc
      .tuple(fc.nat(), fc.array(cell, { minLength: width - 1, maxLength: width - 1 }))
      .map(([id, cells]) => [String(id), ...cells]),
    { maxLength: 6 },
  );
  const written = (delimiter: string, isQuoted: boolean) => (text: string) =>
    isQuoted || /["\r\n]/.test(text) || text.includes(delimiter)
      ? `"${text.replaceAll('"', '""')}"`
      : text;

  it('splits a table in the same way as csv-parse', () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(',', ';', '|', '\t'),
        lineBreak,
        fc.boolean(),
        cuts,
        (cells, delimiter, end, isQuoted, at) => {
          const header = Array.from({ length: width }, (_, n) => `column ${n}`);
          const lines = [header, ...cells].map((row) =>
            row.map(written(delimiter, isQuoted)).join(delimiter),
          );
          const text = lines.join(end) + end;
          const reader = new TableRecords({ delimiter, isQuoted: true });
          const records = piecesOf(text, at).flatMap((piece) => reader.write(String(piece)));
          records.push(...reader.end());
          const other: string[][] = parseTable(text, { delimiter, relax_quotes: true });
          expect(reader.failure).toBeNull();
          expect(records.map((record) => record.cells)).toEqual(other);
          expect(records.filter(({ doubt }) => doubt === 'unclosed')).toEqual([]);
        },
      ),
      seed,
    );
  });
});

interface Product {
  id: string;
  title: string;
  description: string;
  brand: string;
}

const product = fc.record({
  id: fc.nat().map(String),
  title: word,
  description: word,
  brand: word,
});
const products = fc.array(product, { minLength: 1, maxLength: 5 });
const fields = ['title', 'description', 'brand'] as const;
const trimmed = (list: readonly Product[]) =>
  list.map((one) => Object.fromEntries(fields.map((name) => [name, one[name].trim()])));

async function read(text: string, at: readonly number[]): Promise<FeedRow[]> {
  async function* chunks() {
    for (const piece of piecesOf(Buffer.from(text), at)) yield Buffer.from(piece);
  }
  const { rows } = await readFeed(chunks(), { sizeLimits });
  return Array.fromAsync(rows);
}

function valuesOf(rows: readonly FeedRow[]) {
  expect(rows.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
  return rows.map(({ values }) =>
    Object.fromEntries(fields.map((name) => [name, values[name] ?? ''])),
  );
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

describe('XML', () => {
  const styles = fc.infiniteStream(fc.constantFrom('entities', 'cdata', 'both', 'comment'));
  const other = new XMLParser({ parseTagValue: false, trimValues: false, ignoreAttributes: true });

  function element(name: string, text: string, style: string): string {
    const half = Math.floor(text.length / 2);
    const isSplit = style === 'both' && text.isWellFormed() && text[half]?.charCodeAt(0) !== 0x20;
    if (style === 'cdata') return `<${name}><![CDATA[${text}]]></${name}>`;
    if (style === 'comment')
      return `<!-- <title>No</title> --><${name} x="<">${escapeXml(text)}</${name}>`;
    if (!isSplit || text.includes('😀')) return `<${name}>${escapeXml(text)}</${name}>`;
    return `<${name}>${escapeXml(text.slice(0, half))}<![CDATA[${text.slice(half)}]]></${name}>`;
  }

  it('reads XML in the same way as fast-xml-parser', async () => {
    await fc.assert(
      fc.asyncProperty(products, styles, cuts, async (list, style, at) => {
        const items = list.map((one) => {
          const own = fields.map((name) => element(name, one[name], style.next().value));
          const decoy = '<shipping><title>Post</title></shipping><empty/>';
          return `<item><id>${one.id}</id>${own.join('\n')}${decoy}<price>5</price></item>`;
        });
        const text = `<?xml version="1.0"?>\n<rss><channel>${items.join('\n')}</channel></rss>`;
        const parsed: { rss: { channel: { item: Product | Product[] } } } = other.parse(text);
        const { item } = parsed.rss.channel;
        const expected = trimmed(Array.isArray(item) ? item : [item]);
        expect(expected).toEqual(trimmed(list));
        expect(valuesOf(await read(text, at))).toEqual(expected);
      }),
      seed,
    );
  });
});

describe('JSON', () => {
  it.each([
    ['a list', (list: object[]) => JSON.stringify(list)],
    [
      'a document',
      (list: object[]) => JSON.stringify({ shop: { name: '{' }, items: list }, null, 1),
    ],
    ['lines', (list: object[]) => list.map((one) => JSON.stringify(one)).join('\n')],
  ])('reads JSON in the same way as JSON.parse: %s', async (_what, write) => {
    await fc.assert(
      fc.asyncProperty(products, cuts, async (list, at) => {
        const all = list.map((one) => ({
          ...one,
          link: 'https://a.test/',
          price: '5',
          tags: ['[', { a: '}' }],
        }));
        expect(valuesOf(await read(write(all), at))).toEqual(trimmed(list));
      }),
      seed,
    );
  });
});

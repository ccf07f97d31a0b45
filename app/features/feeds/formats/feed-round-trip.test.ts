import { gzipSync } from 'node:zlib';
import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { readFeed } from './read-feed.server.ts';

// Writes the same products in each format in every allowed way, and expects equal products when
// read.

const rules = { currency: 'USD', now: new Date('2026-06-01') };

interface Product {
  id: string;
  title: string;
  description: string;
  brand: string;
  price: number;
  was: number | null;
  isInStock: boolean;
}

// Each of these characters is special in one of the formats.
const pieces = [
  'Café',
  'tür',
  '5"',
  '"quoted"',
  "it's",
  'a,b',
  'x;y',
  'p|q',
  'AT&T',
  '100%',
  '[1]',
  '{2}',
  '3:4',
  'back\\slash',
  '=SUM(1)',
  '-5',
  'null',
  '漢字',
  'ﬁne',
  '👓',
];
const line = fc
  .array(fc.constantFrom(...pieces, 'lamp', 'desk', 'and'), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '));
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'));
const cents = fc.integer({ min: 1, max: 99_999_99 });
const products = fc.uniqueArray(
  fc
    .record({
      id: fc.constantFrom('1', '007', 'A-1', 'x_y', '4006381333931', 'SKU 9', 'é'),
      // A one-word name may be read as a placeholder.
      title: line.map((text) => `Lamp ${text}`),
      description: lines.map((text) => `About ${text}`),
      brand: fc.constantFrom('Northwind', "Smith's", 'A & B', 'Ölmühle'),
      price: cents,
      more: fc.option(fc.integer({ min: 1, max: 9_999 })),
      isInStock: fc.boolean(),
    })
    .map(({ more, ...product }) => ({
      ...product,
      was: more === null ? null : product.price + more,
    })),
  { minLength: 1, maxLength: 6, selector: ({ id }) => id },
);

const money = (amount: number) => (amount / 100).toFixed(2);
const addressOf = ({ id }: Product) =>
  `https://shop.example/p?id=${encodeURIComponent(id)}&from=feed`;
const stockOf = ({ isInStock }: Product) => (isInStock ? 'in stock' : 'out of stock');

/** Writes prices as in Google's format: the regular price, and the sale price if there is one. */
function googleValues(product: Product): Record<string, string> {
  return {
    id: product.id,
    title: product.title,
    description: product.description,
    link: addressOf(product),
    price: `${money(product.was ?? product.price)} USD`,
    sale_price: product.was === null ? '' : `${money(product.price)} USD`,
    availability: stockOf(product),
    brand: product.brand,
    product_type: 'Home > Light',
  };
}

function table(
  all: readonly Product[],
  { delimiter, newline, isQuotedAlways }: TableStyle,
): string {
  const rows = all.map(googleValues);
  const header = Object.keys(rows[0] ?? {});
  const cell = (text: string) =>
    isQuotedAlways || text.includes(delimiter) || /["\r\n]/.test(text)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const written = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  return written.map((row) => row.map(cell).join(delimiter) + newline).join('');
}

interface TableStyle {
  delimiter: string;
  newline: string;
  isQuotedAlways: boolean;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function rss(all: readonly Product[], isCdata: boolean): string {
  const element = ([name, text]: [string, string]) =>
    `<g:${name}>${isCdata ? `<![CDATA[${text}]]>` : escaped(text)}</g:${name}>`;
  const items = all.map((product) => {
    const filled = Object.entries(googleValues(product)).filter(([, text]) => text !== '');
    return `<item>${filled.map(element).join('\n')}</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>
${items.join('\n')}
</channel></rss>`;
}

const jsonRows = (all: readonly Product[]) =>
  all.map((product) => ({
    ...googleValues(product),
    price: money(product.was ?? product.price),
    sale_price: product.was === null ? null : money(product.price),
  }));

/**
 * Splits the bytes anywhere, compressed or not, with or without a byte-order mark. None of this may
 * affect the content.
 */
const ways = fc.record({
  cuts: fc.array(fc.nat(), { maxLength: 8 }),
  isPacked: fc.boolean(),
  hasMark: fc.boolean(),
});

async function read(text: string, way: { cuts: number[]; isPacked: boolean; hasMark: boolean }) {
  const plain = Buffer.from((way.hasMark ? '\uFEFF' : '') + text);
  const bytes = way.isPacked ? gzipSync(plain) : plain;
  const places = [0, ...way.cuts.map((at) => at % bytes.length), bytes.length].toSorted(
    (a, b) => a - b,
  );
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const [n, from] of places.entries()) yield bytes.subarray(from, places[n + 1] ?? from);
  }
  const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
  const feed = await readFeed(chunks(), { sizeLimits });
  const rows = [];
  for await (const row of feed.rows) rows.push(checkFeedRow(row, rules));
  return { format: feed.format, rows };
}

function expectSame(rows: Awaited<ReturnType<typeof read>>['rows'], all: readonly Product[]): void {
  expect(rows).toEqual(
    all.map((product) => ({
      ok: true,
      notes: expect.any(Array),
      row: expect.objectContaining({
        external_id: product.id,
        title: product.title.normalize('NFC'),
        description: product.description.normalize('NFC'),
        deal_url: addressOf(product),
        sale_price: product.price,
        original_price: product.was,
        availability: product.isInStock ? 'in_stock' : 'out_of_stock',
        brand: product.brand,
        category_path: ['Home', 'Light'],
      }),
    })),
  );
}

describe('products written and read back are equal', () => {
  test('reads the same products back from a table with any delimiter, line end and quoting', async () => {
    const style = fc.record({
      delimiter: fc.constantFrom(',', ';', '|', '\t'),
      newline: fc.constantFrom('\n', '\r\n'),
      isQuotedAlways: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(products, style, ways, async (all, how, way) => {
        const { rows } = await read(table(all, how), way);
        expectSame(rows, all);
      }),
      { numRuns: 150 },
    );
  });

  test('reads the same products back from RSS, as text or as CDATA', async () => {
    await fc.assert(
      fc.asyncProperty(products, fc.boolean(), ways, async (all, isCdata, way) => {
        const { format, rows } = await read(rss(all, isCdata), way);
        expect(format).toBe('google-xml');
        expectSame(rows, all);
      }),
      { numRuns: 150 },
    );
  });

  test('reads the same products back from JSON: a list, inside a document, or line by line', async () => {
    const writers: Record<string, (all: readonly Product[]) => string> = {
      list: (all) => JSON.stringify(jsonRows(all)),
      indented: (all) => JSON.stringify(jsonRows(all), null, 2),
      document: (all) => JSON.stringify({ shop: 'x', products: jsonRows(all) }),
      lines: (all) =>
        jsonRows(all)
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(''),
    };
    await fc.assert(
      fc.asyncProperty(
        products,
        fc.constantFrom(...Object.keys(writers)),
        ways,
        async (all, name, way) => {
          const { rows } = await read(writers[name]?.(all) ?? '', way);
          expectSame(rows, all);
        },
      ),
      { numRuns: 150 },
    );
  });
});

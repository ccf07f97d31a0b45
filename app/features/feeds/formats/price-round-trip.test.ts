import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { exponentOf, toDecimal } from '#app/platform/money.ts';
import { judgeFeed, judgeWaiting } from '../runs/judge-feed.ts';
import type { ImportRow } from './check-feed-row.ts';
import type { SupplementRow } from './check-supplement.ts';
import { PriceEvidence } from './price-evidence.ts';
import { readFeed } from './read-feed.server.ts';

// Reads generated catalogs in every shape, encoding, delimiter, number convention and number of
// decimals. Either prices, currencies, links and words are unchanged, or the row is rejected with a
// reason.

interface Product {
  title: string;
  price: number;
  was: number | null;
}

interface Style {
  currency: string;
  convention: [thousands: string, decimal: string];
  isTrimmed: boolean;
  writes: 'number' | 'code before' | 'code after';
  shape: keyof typeof writers;
  encoding: 'utf8' | 'utf8 with mark' | 'utf16le' | 'windows-1252';
  delimiter: string;
}

const products = fc.array(
  fc
    .record({
      title: fc.constantFrom('Café lamp', 'Tür 5"', 'AT&T, black', 'x;y | z', 'Lamp'),
      price: fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 9_999_999 })),
      times: fc.option(fc.integer({ min: 101, max: 1_900 })),
    })
    .map(({ times, price, title }) => ({
      title,
      price,
      was: times === null ? null : Math.ceil((price * times) / 100),
    })),
  { minLength: 1, maxLength: 8 },
);

const styles = fc.record<Style>({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  convention: fc.constantFrom<Style['convention'][]>(
    [',', '.'],
    ['.', ','],
    [' ', ','],
    ['\u00A0', ','],
    ["'", '.'],
    ['', '.'],
    ['', ','],
  ),
  isTrimmed: fc.boolean(),
  writes: fc.constantFrom('number', 'code before', 'code after'),
  shape: fc.constantFrom('table', 'json', 'lines', 'xml', 'rss'),
  encoding: fc.constantFrom('utf8', 'utf8 with mark', 'utf16le', 'windows-1252'),
  delimiter: fc.constantFrom(',', ';', '|', '\t'),
});

function write(amount: number, { currency, convention, isTrimmed, writes }: Style): string {
  const [thousands, decimal] = convention;
  const [whole = '', fraction = ''] = toDecimal(amount, currency).split('.');
  // In currencies with three decimals, all three are written.
  const shown = isTrimmed && exponentOf(currency) < 3 ? fraction.replace(/0+$/, '') : fraction;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  const number = shown === '' ? grouped : `${grouped}${decimal}${shown}`;
  if (writes === 'number') return number;
  return writes === 'code before' ? `${currency} ${number}` : `${number} ${currency}`;
}

const linkOf = (n: number) => `https://shop.example/p?id=${n}&from=feed`;

const valuesOf = (all: readonly Product[], style: Style) =>
  all.map(({ title, price, was }, n) => ({
    id: `p${n}`,
    title,
    link: linkOf(n),
    price: write(was ?? price, style),
    sale_price: was === null ? '' : write(price, style),
  }));

type Values = ReturnType<typeof valuesOf>;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const elements = (values: Values[number], prefix: string) =>
  Object.entries(values)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `<${prefix}${name}>${escaped(text)}</${prefix}${name}>`)
    .join('');

const writers = {
  table(rows: Values, delimiter: string): string {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = rows.map((row) => Object.values(row).map(cell).join(delimiter));
    return [Object.keys(rows[0] ?? {}).join(delimiter), ...lines].join('\r\n');
  },
  json: (rows: Values) => JSON.stringify({ products: rows }),
  lines: (rows: Values) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  xml: (rows: Values) =>
    `<products>${rows.map((row) => `<product>${elements(row, '')}</product>`).join('\n')}</products>`,
  rss: (rows: Values) =>
    `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${rows
      .map((row) => `<item>${elements(row, 'g:')}</item>`)
      .join('\n')}</channel></rss>`,
};

function encode(text: string, { encoding, shape }: Style): Buffer {
  if (encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  // Other shapes declare their encoding or are UTF-8.
  if (encoding === 'windows-1252' && shape === 'table') return Buffer.from(text, 'latin1');
  return Buffer.from(encoding === 'utf8 with mark' ? `\uFEFF${text}` : text);
}

/** Reads a feed as an import does: all rows first, then again those with ambiguous prices. */
async function readBack(bytes: Buffer, currency: string) {
  async function* chunks() {
    yield bytes;
  }
  const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
  const feed = await readFeed(chunks(), { sizeLimits });
  const evidence = new PriceEvidence();
  const rules = { currency, now: new Date('2026-06-01'), limit: 100 };
  const place = (row: ImportRow | SupplementRow): ImportRow => {
    if (row.title === null || row.deal_url === null || row.sale_price === null) throw new Error();
    return row as ImportRow;
  };
  const rows: ImportRow[] = [];
  const reasons = new Map<string | null, string>();
  const add = (judged: ReturnType<typeof judgeWaiting<ImportRow>>) => {
    rows.push(...judged.rows);
    for (const { kind, external_id, reason } of judged.issues) {
      if (kind === 'rejected') reasons.set(external_id, reason);
    }
    return judged.waiting;
  };
  const waiting = [];
  for await (const judged of judgeFeed(feed.rows, { ...rules, evidence }, place)) {
    expect(judged.error).toBeNull();
    waiting.push(...add(judged));
  }
  add(judgeWaiting(waiting, { ...rules, ...evidence.settle() }, place));
  return { rows: new Map(rows.map((row) => [row.external_id, row])), reasons };
}

function outcomeOf(row: ImportRow | undefined, reason = 'lost') {
  const isAsked = /price is ambiguous, .*; choose the decimal mark/.test(reason);
  if (!row) return isAsked ? 'asked' : reason;
  return [row.title, row.deal_url, row.sale_price, row.original_price];
}

test('reads a price of a generated catalog as written, or rejects its row as ambiguous', async () => {
  let count = 0;
  let asked = 0;
  const property = fc.asyncProperty(products, styles, async (all, style) => {
    const text = writers[style.shape](valuesOf(all, style), style.delimiter);
    const { rows, reasons } = await readBack(encode(text, style), style.currency);
    const read = all.map((_, n) => outcomeOf(rows.get(`p${n}`), reasons.get(`p${n}`)));
    const written = all.map(({ title, price, was }, n) => [title, linkOf(n), price, was]);
    expect(read).toEqual(written.map((values, n) => (read[n] === 'asked' ? 'asked' : values)));
    asked += read.filter((one) => one === 'asked').length;
    count += all.length;
  });
  await fc.assert(property, { numRuns: 600, seed: 20_261_128 });
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(count / 10);
}, 60_000);

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as fc from '#test/fast-check.ts';
import { checkFeedRow } from '../formats/check-feed-row.ts';
import type { FeedMapping } from '../formats/feed-fields.ts';
import { readFeed } from '../formats/read-feed.server.ts';
import { readMapping } from './feed-source-input.ts';
import { openFile } from './open-feed.server.ts';
import { previewFeed } from './preview-feed.server.ts';

// A shop may name and nest its columns, elements and keys in any way. A user who sees the rows on
// the screen can select the title, link and price, which is all that is needed.

const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'any-shape-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Product {
  title: string;
  link: string;
  price: string;
}

const products = fc
  .array(
    fc.record({
      words: fc.constantFrom('Lamp', 'Größe & mehr', '1 < 2', 'кружка'),
      cents: fc.integer({ min: 100, max: 99_999 }),
    }),
    {
      minLength: 2,
      maxLength: 6,
    },
  )
  .map((all) =>
    all.map(({ words, cents }, n): Product => ({
      title: `${words} ${n}`,
      link: `https://shop.example/${n}`,
      price: (cents / 100).toFixed(2),
    })),
  );

// None of these words occurs in any feed format.
const word = fc.constantFrom(
  'xa',
  'qo',
  'Zeta',
  'ny',
  'wert7',
  'kolo',
  'blatt',
  'ööx',
  'vau',
  'rix',
  'Tum',
);
const words = fc.uniqueArray(word, {
  minLength: 9,
  maxLength: 9,
  selector: (one) => one.toLowerCase(),
});

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

type Writer = (all: Product[], names: string[], shape: number) => string;

function writeTable(
  all: Product[],
  [a = '', b = '', c = '', d = '', e = '']: string[],
  shape: number,
) {
  const delimiter = [',', ';', '\t', '|'][shape % 4] ?? ',';
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const line = (cells: string[]) => cells.map(cell).join(delimiter);
  const rows = all.map(({ title, link, price }) => line(['x', price, 'no', title, link]));
  return [line([a, b, c, d, e]), ...rows].join(shape % 2 === 0 ? '\n' : '\r\n');
}

function writeXml(all: Product[], names: string[], shape: number) {
  const [root = '', list = '', item = '', box = '', a = '', b = '', c = '', d = ''] = names;
  const inside = ({ title, link, price }: Product) => {
    const [t, l, p] = [escape(title), escape(link), escape(price)];
    return [
      `<${item}><${a}>${t}</${a}><${b}>${l}</${b}><${c}>${p}</${c}></${item}>`,
      `<${item} ${a}="${t}"><${box}><${b} ${d}="${l}"/></${box}><${c}><${d}>${p}</${d}></${c}></${item}>`,
      `<${item}><${a}><![CDATA[${title}]]></${a}><${box}><${b}>${l}</${b}><${c}>${p}</${c}></${box}></${item}>`,
      `<x:${item}><x:${a}>${t}</x:${a}><x:${b}>${l}</x:${b}><x:${c}>${p}</x:${c}></x:${item}>`,
    ][shape % 4];
  };
  const head = shape % 2 === 0 ? '<?xml version="1.0"?>' : '';
  const space = 'xmlns:x="https://x.example/ns"';
  return `${head}<${root} ${space}><${box}>1</${box}><${list}>${all.map(inside).join('\n')}</${list}></${root}>`;
}

function writeJson(all: Product[], names: string[], shape: number) {
  const [root = '', list = '', box = '', a = '', b = '', c = '', d = ''] = names;
  const records = all.map(({ title, link, price }) => {
    const flat = { [a]: title, [b]: link, [c]: Number(price) };
    const deep = { [a]: { [d]: title }, [box]: [{ [b]: link, [c]: { [d]: price } }] };
    return shape > 4 ? flat : deep;
  });
  const documents = [
    () => JSON.stringify(records),
    () => JSON.stringify({ [root]: { [d]: 1 }, [list]: records }, null, 2),
    () => JSON.stringify({ [root]: { [d]: 'x', [list]: records } }),
    () => records.map((record) => JSON.stringify(record)).join('\n'),
    () => JSON.stringify({ [root]: Object.fromEntries(records.map((one, n) => [`k${n}`, one])) }),
  ];
  return (documents[shape % 5] ?? (() => ''))();
}

/** Selects the columns for title, link and price like a user who knows the first product. */
async function mapInScreen(
  file: string,
  first: Product,
): Promise<{ mapping: FeedMapping; place: string }> {
  const look = (place?: string) =>
    previewFeed(file, { format: 'auto', mapping: {}, sizeLimits, place });
  const seen = await look();
  if (!seen.ok) throw new Error(seen.reason);
  const { places } = seen.preview;
  for (const place of places.length > 0 ? places : ['']) {
    const there = await look(place);
    const [row = {}] = there.ok ? there.preview.rows : [];
    const columnOf = (wanted: string) =>
      Object.entries(row).find(
        ([, text]) => text === wanted || Number(text) === Number(wanted),
      )?.[0];
    const chosen = {
      title: columnOf(first.title),
      deal_url: columnOf(first.link),
      sale_price: columnOf(first.price),
    };
    const form = new FormData();
    for (const [field, column] of Object.entries(chosen)) form.set(`map.${field}`, column ?? '');
    if (Object.values(chosen).every(Boolean)) return { mapping: readMapping(form), place };
  }
  throw new Error(`the screen shows no such product: ${JSON.stringify(seen.preview.rows)}`);
}

async function readAll(file: string, mapping: FeedMapping, place: string) {
  const { chunks } = await openFile(file);
  const { rows } = await readFeed(chunks, { mapping, place, sizeLimits });
  const found: unknown[] = [];
  for await (const row of rows) {
    const checked = checkFeedRow(row, { currency: 'USD', now: new Date('2026-06-01') });
    found.push(
      checked.ok
        ? { title: checked.row.title, link: checked.row.deal_url, cents: checked.row.sale_price }
        : checked.reason,
    );
  }
  return found;
}

const writers: [string, Writer][] = [
  ['a table', writeTable],
  ['XML', writeXml],
  ['JSON', writeJson],
];

describe('a feed with a title, a link and a price in any place', () => {
  // Proves P42: feeds of any shape, mapped in the screen (sniff-shape.ts)
  test.each(writers)('maps a feed of unknown shape without code: %s', async (_kind, write) => {
    await fc.assert(
      fc.asyncProperty(products, words, fc.nat(9), async (all, names, shape) => {
        const file = path.join(folder, 'feed');
        await writeFile(file, write(all, names, shape));
        const [first = { title: '', link: '', price: '' }] = all;
        const { mapping, place } = await mapInScreen(file, first);
        expect(await readAll(file, mapping, place)).toEqual(
          all.map(({ title, link, price }) => ({
            title,
            link,
            cents: Math.round(Number(price) * 100),
          })),
        );
      }),
      { numRuns: 80 },
    );
  });
});

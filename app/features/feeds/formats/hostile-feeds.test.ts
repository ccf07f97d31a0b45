import { describe, expect, it } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { FeedError } from './feed-error.ts';
import { fieldSources } from './feed-fields.ts';
import { parseFeedPrice } from './feed-price.ts';
import { listPictures } from './feed-urls.ts';
import { readCategoryPath } from './feed-category.ts';
import { readFeed } from './read-feed.server.ts';
import { sniffJson, sniffXml } from './sniff-shape.ts';

// Feeds come from hosts that the owner does not control. With these sizes, quadratic work would
// exceed a test's time limit.

const many = 400_000;
const rules = { currency: 'USD', now: new Date('2026-06-01') };
const sizeLimits = { rawBytes: 50_000_000, unpackedBytes: 50_000_000 };

async function rowsOf(text: string, keepRaw = false) {
  const chunks = [Buffer.from(text)];
  const feed = await readFeed(
    (async function* () {
      yield* chunks;
    })(),
    { sizeLimits, keepRaw },
  );
  return Array.fromAsync(feed.rows);
}

const table = (price: string, picture = '', category = '') =>
  `id,title,link,price,image_link,product_type\n1,Lamp,https://a.test/1,"${price}","${picture}","${category}"\n`;

describe('an oversized cell', () => {
  it.each([
    ['a number, spaces and a sign', `1${' '.repeat(100_000)}!`],
    ['digits and spaces', '1 '.repeat(50_000)],
    ['a sign and spaces', `$${' '.repeat(100_000)}x`],
  ])('reads no price from an oversized cell: %s', async (_how, price) => {
    const [row] = await rowsOf(table(price));
    expect(row && checkFeedRow(row, rules)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('price is not a number'),
    });
    expect(parseFeedPrice(price, 'USD')).toMatchObject({ ok: false });
  });

  it('reads no price from an oversized cell that begins like one', async () => {
    const [row] = await rowsOf(table(`1${' '.repeat(200)}x`));
    expect(row && checkFeedRow(row, rules)).toMatchObject({ ok: false });
  });

  it('truncates an oversized category or list of pictures', async () => {
    const spaces = ' '.repeat(100_000);
    const [row] = await rowsOf(table('9.99', `https://a.test/1.jpg${spaces}x`, `Home${spaces}x`));
    expect(row && checkFeedRow(row, rules)).toMatchObject({
      ok: true,
      row: { image_url: null, category_path: ['Home …'] },
    });
  });
});

it('parses oversized pictures and categories in one pass', () => {
  expect(listPictures(`a${' ,'.repeat(many)}b`)).toHaveLength(1);
  expect(readCategoryPath(`a${' '.repeat(many)}b`)).toEqual(['a b']);
});

describe('the beginning of a feed', () => {
  const sources = fieldSources();
  it.each([
    ['open elements', () => sniffXml('<a>'.repeat(many), sources)],
    ['open lists', () => sniffJson('[{"a":'.repeat(many), sources)],
    ['an open text', () => sniffJson(`"${'\\"'.repeat(many)}`, sources)],
  ])('finds no products in a feed that begins with nothing but %s', (_what, sniff) => {
    expect(sniff().places.length).toBeLessThanOrEqual(20);
  });
});

it('rejects a header with a million empty columns', async () => {
  const head = `id,title,link,price${','.repeat(1_000_000)}\n`;
  await expect(rowsOf(head)).rejects.toThrow(new FeedError('a row has more than 100,000 columns'));
});

it('shows at most 500 values of an item to the user', async () => {
  const attributes = Array.from({ length: 9_000 }, (_, n) => `a${n}="x"`).join(' ');
  const item = `<item ${attributes}><title>Lamp</title><link>https://a.test/1</link><price>1</price></item>`;
  const [row] = await rowsOf(`<rss><channel>${item}</channel></rss>`, true);
  expect(Object.keys(row?.raw ?? {})).toHaveLength(500);
});

it('reports the line of a product that is nested too deeply', async () => {
  const product = '{"id":1,"title":"Lamp","link":"https://a.test/1","price":"9.99"}';
  const deep = `{"id":2,"title":"Lamp","a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const rows = await rowsOf(`${product}\n${deep}\n`);
  expect(rows[1]).toMatchObject({ line: 2, problem: 'the JSON is nested deeper than 32' });
});

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkFeedRow, type FeedRowRules, type ImportRow } from './check-feed-row.ts';
import { parseFeedPrice } from './feed-price.ts';
import { readFeed } from './read-feed.server.ts';

const rules: FeedRowRules = {
  currency: 'USD',
  now: new Date('2026-06-01'),
  groupsVariants: true,
};

// Proves P42: networks: Awin, CJ, Rakuten, Impact, JSON (read-feed.server.ts)
describe('automatically detected network feeds', () => {
  test('Awin: reads the tracking link, leading zeros of ids, comma decimals and plain text', async () => {
    const { format, rows, problems } = await read(await fixture('awin.csv'));
    expect(format).toBe('awin');
    expect(rows[0]).toMatchObject({
      external_id: '00417',
      title: 'Teapot "Ostara", 1.2 l',
      description: 'Holds 1.2 l.',
      deal_url: 'https://www.awin1.example/pclick.php?p=91',
      sale_price: 3_490,
      original_price: 4_990,
      category_path: ['Home & Living', 'Kitchen', 'Teapots'],
      availability: 'in_stock',
      gtin: '4006381333931',
      brand: 'Ostara',
    });
    // An equal list price is ignored; a blank path is replaced by the plain category.
    expect(rows[1]).toMatchObject({
      original_price: null,
      availability: 'out_of_stock',
      category_path: ['Tea'],
    });
    expect(problems).toEqual([]);
  });

  test('CJ: reads the product’s name instead of the book’s title, and handles a byte-order mark and pipe delimiters', async () => {
    const { format, rows } = await read(await fixture('cj.txt'));
    expect(format).toBe('cj');
    expect(rows[0]).toMatchObject({
      external_id: '000731',
      title: 'The Lamp (paperback)',
      deal_url: 'https://www.anrdoezrs.example/click-1',
      sale_price: 899,
      original_price: 1_299,
      category_path: ['Books', 'Fiction'],
      gtin: '9780306406157',
    });
    expect(rows[1]).toMatchObject({ sale_price: 400, original_price: null });
  });

  test('CJ: reads newer columns that resemble Google’s', async () => {
    const { format, rows } = await read(
      'PROGRAM_NAME,ID,TITLE,LINK,PRICE,SALE_PRICE,PRODUCT_TYPE\nX,1,Cup,https://x.example/1,"19,99 EUR",,Home',
    );
    expect(format).toBe('cj');
    expect(rows).toEqual([]);
  });

  test('Rakuten: reads a file without a header, quotes in names, ~~ between categories, and its own first and last line', async () => {
    const { format, rows, problems, error } = await read(await fixture('rakuten.txt'));
    expect(format).toBe('rakuten');
    expect(error).toBeNull();
    expect(problems).toEqual([]);
    expect(rows[0]).toMatchObject({
      line: 2,
      external_id: '900000017',
      title: '6" Copper Planter',
      description: 'A planter of copper.',
      sale_price: 2_995,
      original_price: null,
      category_path: ['Garden', 'Pots', 'Copper Pots'],
      availability: 'in_stock',
      gtin: '042100005264',
      expires_at: null,
    });
    expect(rows[1]).toMatchObject({
      sale_price: 1_995,
      original_price: 2_495,
      category_path: ['Garden', 'Hoses'],
    });
  });

  test('Rakuten: treats a file without its last line, or with fewer products than stated, as cut off', async () => {
    const whole = (await fixture('rakuten.txt')).toString();
    const cut = await read(whole.replace(/TRL\|2\s*/, ''));
    expect(cut.error).toBe('the feed is cut off: its last line, TRL, is missing');
    const short = await read(whole.replace('TRL|2', 'TRL|9'));
    expect(short.error).toBe('the feed is cut off: it promises 9 products but has 2');
    const record = (whole.split('\n')[1] ?? '').split('|');
    const deleted = await read(`${[...record.slice(0, 37), 'D'].join('|')}\n`);
    expect(deleted.format).toBe('rakuten');
    expect(deleted.problems).toEqual(['this delta file deletes it; import the full file instead']);
    const withAllAttributes = await read(`${[...record.slice(0, 38), 'D'].join('|')}\n`);
    expect(withAllAttributes.problems).toEqual(deleted.problems);
  });

  test('Impact: groups sizes of one shirt as variants, and reads the currency in the value', async () => {
    const { format, rows } = await read(await fixture('impact.csv'));
    expect(format).toBe('impact');
    expect(rows.map((row) => [row.external_id, row.is_variant, row.sale_price])).toEqual([
      ['SH-1', true, 3_900],
      ['SH-1', true, 4_500],
      ['SH-1', true, 4_200],
      ['BG-2', false, 2_500],
    ]);
    expect(rows.map((row) => row.availability)).toEqual([
      'out_of_stock',
      'in_stock',
      'in_stock',
      'unknown',
    ]);
  });

  test('JSON: reads the list inside a document, braces in texts, numbers and null', async () => {
    const { format, rows } = await read(await fixture('catalog.json'));
    expect(format).toBe('json');
    expect(rows[0]).toMatchObject({
      line: 5,
      external_id: '0042',
      title: 'Desk lamp',
      description: 'A lamp with "two" arms { and a brace.',
      sale_price: 3_950,
      original_price: 5_900,
      category_path: ['Home', 'Lighting'],
    });
    expect(rows[1]).toMatchObject({ sale_price: 12_000, original_price: null });
  });

  test('JSON lines: reports a broken line without affecting others', async () => {
    const { format, rows, problems } = await read(await fixture('products.ndjson'));
    expect(format).toBe('ndjson');
    expect(rows.map((row) => [row.external_id, row.sale_price, row.original_price])).toEqual([
      ['7', 900, 1_200],
      ['8', 3_000, null],
    ]);
    expect(problems).toEqual(['this is not a JSON object']);
  });

  test.each(['awin.csv', 'cj.txt', 'rakuten.txt', 'impact.csv', 'catalog.json', 'products.ndjson'])(
    'reads %s identically when compressed or split into single bytes',
    async (name) => {
      const plain = await fixture(name);
      const { rows } = await read(plain);
      expect((await read(gzipSync(plain))).rows).toEqual(rows);
      expect((await read(Array.from(plain, (byte) => Buffer.from([byte])))).rows).toEqual(rows);
    },
  );

  test('reads a feed in latin-1', async () => {
    const text = 'id,title,link,price,product type\n1,Caf\xe9 t\xfbr,https://x.example/1,5,Home\n';
    const { rows } = await read(Buffer.from(text, 'latin1'));
    expect(rows[0]?.title).toBe('Café tûr');
  });
});

test('uses a known decimal mark for ambiguous numbers', () => {
  expect(parseFeedPrice('1.299', 'USD')).toMatchObject({ ok: false });
  expect(parseFeedPrice('1.299', 'USD', 'comma')).toMatchObject({ amount: 129_900 });
  expect(parseFeedPrice('1.299', 'USD', 'point')).toMatchObject({ amount: 130 });
  expect(parseFeedPrice('1.299,50 EUR', 'USD', 'comma')).toMatchObject({ amount: 129_950 });
  expect(parseFeedPrice('1,299', 'USD', 'point')).toMatchObject({ amount: 129_900 });
  expect(parseFeedPrice('19,99', 'USD', 'point')).toMatchObject({ ok: false });
  expect(parseFeedPrice('19.99', 'USD', 'comma')).toMatchObject({ ok: false });
});

test('assumes the feed’s currency, which must be the site’s, for prices without one', () => {
  const row = {
    line: 2,
    values: {
      external_id: '1',
      title: 'Cup',
      deal_url: 'https://x.example/1',
      sale_price: '5,00',
      category: 'Home',
    },
  };
  expect(checkFeedRow(row, { ...rules, feedCurrency: 'EUR' })).toMatchObject({
    ok: false,
    reason: "sale price is in EUR, but this site's currency is USD",
  });
  expect(checkFeedRow(row, rules)).toMatchObject({ ok: true, row: { sale_price: 500 } });
});

function fixture(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url)));
}

async function read(content: string | Buffer | Buffer[]) {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield* Array.isArray(content) ? content : [Buffer.from(content)];
  }
  const rows: ImportRow[] = [];
  const problems: string[] = [];
  let error: string | null = null;
  let format = '';
  try {
    const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
    const feed = await readFeed(chunks(), { sizeLimits });
    format = feed.format;
    for await (const found of feed.rows) {
      const checked = checkFeedRow(found, rules);
      if (checked.ok) rows.push(checked.row);
      else problems.push(checked.reason);
    }
  } catch (problem) {
    error = problem instanceof Error ? problem.message : String(problem);
  }
  return { format, rows, problems, error };
}

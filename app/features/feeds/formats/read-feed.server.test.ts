import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import type { FeedMapping, FeedRow } from './feed-fields.ts';
import { readFeed } from './read-feed.server.ts';

const rules = { currency: 'USD', now: new Date('2026-06-01') };
const sizeLimits = { rawBytes: 10_000_000, unpackedBytes: 10_000_000 };

describe('the formats', () => {
  test('RSS: reads Google’s elements with any prefix, today’s sale, and text without markup', async () => {
    const { format, rows } = await readFixture('sale.rss.xml');
    expect(format).toBe('google-xml');
    const [kettle, lamp] = rows.map((row) => checkFeedRow(row, rules));
    expect(kettle).toEqual({
      ok: true,
      notes: [],
      row: {
        line: 6,
        external_id: 'K-1',
        is_variant: false,
        slug_base: 'enamel-kettle-lid',
        title: 'Enamel kettle & lid',
        description: 'Boils fast.\n\nCafé size.',
        deal_url: 'https://shop.example/kettle?a=1&b=2',
        image_url: 'https://img.example/kettle.jpg',
        sale_price: 2_500,
        original_price: 4_000,
        availability: 'unknown',
        status: 'used',
        condition: 'refurbished',
        category_path: ['Home', 'Kitchen'],
        brand: null,
        gtin: '4006381333931',
        mpn: null,
        item_group_id: null,
        net_contents: null,
        shipping_cost: null,
        coupon_code: null,
        expires_at: new Date('2026-12-24T23:59:59Z'),
      },
    });
    expect(lamp).toMatchObject({
      ok: true,
      row: { line: 24, sale_price: 1_200, original_price: null, availability: 'out_of_stock' },
    });
  });

  test('uses a sale price only within its dates', async () => {
    const { rows } = await readFixture('sale.rss.xml');
    const [later] = rows.map((row) => checkFeedRow(row, { ...rules, now: new Date('2027-02-01') }));
    expect(later).toMatchObject({ ok: true, row: { sale_price: 4_000, original_price: null } });
  });

  test('Atom: reads the alternate link and Google’s id', async () => {
    const { rows } = await readFixture('shop.atom.xml');
    expect(rows.map((row) => row.values)).toEqual([
      expect.objectContaining({
        external_id: 'A-1',
        deal_url: 'https://shop.example/scarf',
        title: 'Wool scarf',
      }),
    ]);
  });

  test('reads Google’s table with spaces in names and quotes in cells', async () => {
    const { format, rows } = await readFixture('google.tsv');
    expect(format).toBe('google-tsv');
    expect(rows.map((row) => checkFeedRow(row, rules))[0]).toMatchObject({
      ok: true,
      row: {
        title: 'Pen 5" wide',
        sale_price: 200,
        original_price: 300,
        category_path: ['Office'],
      },
    });
  });

  test('detects delimiter, columns and prices of a shop’s own list', async () => {
    const { format, rows } = await readFixture('shop-list.csv');
    expect(format).toBe('csv');
    const checked = rows.map((row) => checkFeedRow(row, rules));
    expect(checked[0]).toMatchObject({
      ok: true,
      row: {
        line: 2,
        title: 'Desk, oak; "large"',
        sale_price: 89_900,
        original_price: 129_900,
        availability: 'in_stock',
      },
    });
    expect(checked[1]).toMatchObject({
      ok: true,
      row: {
        title: 'Chair in two lines',
        sale_price: 4_990,
        original_price: null,
        image_url: null,
        availability: 'out_of_stock',
      },
    });
    expect(checked.slice(2)).toEqual([
      {
        ok: false,
        external_id: '9',
        reason: "sale price is in EUR, but this site's currency is USD",
      },
      { ok: false, external_id: '10', reason: 'the row has 2 columns, the header 9' },
    ]);
  });

  test('prefers a mapping over detection, and lists the columns when one is missing', async () => {
    const csv = 'ref,label,now,was,where,title\n1,Cup,5,9,https://shop.example/cup,ignored\n';
    const mapping: FeedMapping = {
      external_id: 'ref',
      title: 'Label',
      sale_price: 'now',
      original_price: 'was',
      deal_url: 'where',
    };
    const { rows } = await read(csv, { mapping });
    expect(rows[0]?.values).toEqual({
      external_id: '1',
      title: 'Cup',
      sale_price: '5',
      original_price: '9',
      deal_url: 'https://shop.example/cup',
    });
    expect((await read(csv)).error).toBe(
      'no column was found for external_id, deal_url, sale_price; name it with --map external_id=COLUMN. The columns are: ref, label, now, was, where, title',
    );
  });
});

describe('encodings', () => {
  const text =
    '<rss><channel><item><g:id>1</g:id><g:title>Café Größe</g:title></item></channel></rss>';

  test.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    [
      'latin1 that says so',
      Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1'),
    ],
    ['latin1 that does not', Buffer.from(text, 'latin1')],
    [
      'latin1 that claims to be UTF-8',
      Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`, 'latin1'),
    ],
    ['gzip, whatever it is called', gzipSync(text)],
  ])('detects the encoding: %s', async (_name, bytes) => {
    expect((await read(bytes)).rows[0]?.values.title).toBe('Café Größe');
    const bytewise = await read(Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(bytewise.rows[0]?.values.title).toBe('Café Größe');
  });

  test('rejects an unknown encoding', async () => {
    const { error } = await read('<?xml version="1.0" encoding="klingon"?><rss/>');
    expect(error).toBe('the feed declares "klingon", which is not a known encoding');
  });
});

describe('invalid feeds', () => {
  test('yields all complete products when the feed ends inside one', async () => {
    const { rows, error } = await read(`<rss><channel>\n${item(1)}${item(2)}<item><g:id>3</g:id>`);
    expect(rows.map((row) => row.values.external_id)).toEqual(['1', '2']);
    expect(error).toBe('the feed ends in the middle of an item at line 10');
  });

  test('detects that a feed ends between two products', async () => {
    const { rows, error } = await read(`<rss><channel>\n${item(1)}`);
    expect(rows).toHaveLength(1);
    expect(error).toBe('the feed is cut off: it ends at line 6 before </rss>');
  });

  test('reports an unclosed product or field for that product only', async () => {
    const { rows, error } = await read(
      `<rss><channel><item><g:id>1</g:id>${item(2)}<item><g:title>Open<g:id>3</g:id></item>${item(4)}</channel></rss>`,
    );
    expect(error).toBeNull();
    expect(rows.map((row) => row.problem)).toEqual([
      'the product cannot be read: <item> is not closed',
      undefined,
      'the product cannot be read: <g:title> is not closed',
      undefined,
    ]);
  });

  test.each([
    [
      'an entity bomb',
      '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss/>',
      'the feed declares <!DOCTYPE>',
    ],
    [
      'a late declaration',
      `<rss><channel>${item(1)}<!ENTITY a "b"></channel></rss>`,
      'the feed declares <!ENTITY>',
    ],
    [
      'a web page',
      '<!DOCTYPE html><html><body>Sign in</body></html>',
      'this is a web page, not a product feed',
    ],
    [
      'another XML',
      '<?xml version="1.0"?><sitemap><loc/></sitemap>',
      'no products were found: the XML has no <item> or <entry>, its root is <sitemap>',
    ],
    [
      'elements without end',
      `<rss>${'<a>'.repeat(40)}`,
      'elements are nested deeper than 32 at line 1',
    ],
    [
      'a tag without end',
      `<rss a="${'x'.repeat(600_000)}`,
      'an element that begins before line 1 is never closed',
    ],
    ['nothing', ' \n', 'the feed is empty'],
    ['prose', 'hello', 'the format is unknown'],
    [
      'the doctype of YML with something in it',
      '<!DOCTYPE yml_catalog SYSTEM "shops.dtd" [<!ENTITY a "b">]><yml_catalog/>',
      'which is refused',
    ],
    ['JSON without products', '{"items": []}', 'no column was found'],
    ['JSON of another kind', '[]', 'no products were found in the JSON'],
    ['broken JSON', '[{"id": 1]', 'the JSON is broken at line 1'],
    [
      'JSON that is cut off',
      '[{"id":"1","title":"Cup","link":"x","price":"1"},\n{"id',
      'cut off: it ends at line 2',
    ],
    ['a ZIP archive', 'PK\u0003\u0004aaaa', 'this is a ZIP archive'],
    [
      'an open quote',
      'id,title,link,price\n1,"Thing,https://x.example/,5',
      'the feed ends in the middle of an item at line 2',
    ],
    [
      'a row without end',
      `id,title,link,price\n1,"${'x'.repeat(300_000)}`,
      'the row at line 2 is larger than 256 KB',
    ],
  ])('rejects %s with a message', async (_name, text, sentence) => {
    expect((await read(text)).error).toContain(sentence);
  });

  test('yields all complete rows of a table that is cut off', async () => {
    const { rows, error } = await read(
      'id,title,link,price\n1,Cup,https://x.example/1,5\n2,Pot,https://x.example/2,5\n3,"Pa',
    );
    expect(rows.map((row) => row.values.external_id)).toEqual(['1', '2']);
    expect(error).toBe('the feed ends in the middle of an item at line 4');
  });

  test('reports a product larger than 256 KB for that product only', async () => {
    const huge = `<item><g:id>9</g:id><g:title>${'x'.repeat(300_000)}</g:title></item>`;
    const { rows } = await read(`<rss><channel>${huge}${item(1)}</channel></rss>`);
    expect(rows[0]).toEqual({
      line: 1,
      values: { external_id: '9' },
      problem: 'the product cannot be read: larger than 256 KB',
    });
    expect(rows[1]?.values.external_id).toBe('1');
  });

  test('limits the compressed size, the uncompressed size and their ratio', async () => {
    const packed = gzipSync(`<rss>${' '.repeat(5_000_000)}</rss>`);
    expect((await read(packed)).error).toContain('more than 100 times its size');
    const small = { rawBytes: 1_000, unpackedBytes: 2_000 };
    expect((await read(' '.repeat(1_001), { sizeLimits: small })).error).toContain('larger than');
    expect((await read(gzipSync(' '.repeat(2_001)), { sizeLimits: small })).error).toContain(
      'unpacked',
    );
    expect((await read(packed.subarray(0, 200))).error).toBe('the compressed feed is cut off');
  });
});

test.each([
  ['no title; no link', { external_id: '1', original_price: '5', category: 'Home' }],
  ['no id; no price', { title: 'T', deal_url: 'https://x.example/' }],
  [
    'link is not an http(s) address: javascript:alert(1); price is 0',
    {
      external_id: '1',
      title: 'T',
      deal_url: 'javascript:alert(1)',
      original_price: '0.00',
      category: 'Home',
    },
  ],
  [
    'sale price is not a number: call',
    {
      external_id: '1',
      title: 'T',
      deal_url: 'https://x.example/',
      original_price: '5',
      sale_price: 'call',
      category: 'Home',
    },
  ],
])('rejects a row with the reason: %s', (reason, values) => {
  expect(checkFeedRow({ line: 1, values }, rules)).toMatchObject({ ok: false, reason });
});

test('truncates a long title at a word, and omits invalid optional values with a note', () => {
  const values = {
    external_id: '1',
    title: 'word '.repeat(60),
    deal_url: 'https://x.example/',
    original_price: '5',
    category: 'Home',
    image_url: 'data:image/png;base64,x',
    expires_at: 'soon',
  };
  const checked = checkFeedRow({ line: 1, values }, rules);
  expect(checked).toMatchObject({
    ok: true,
    row: { title: expect.stringMatching(/word…$/), image_url: null, expires_at: null },
    notes: [
      'imported without its picture: image link is not an http(s) address: data:image/png;base64,x',
      'imported without its end date: not a date: soon',
    ],
  });
  expect(checked.ok && checked.row.title.length).toBeLessThanOrEqual(200);
});

test('R18: loads an http picture over https, and omits it with a note if that fails', () => {
  const values = {
    external_id: '1',
    title: 'Lamp',
    deal_url: 'https://x.example/',
    original_price: '5',
    category: 'Home',
  };
  const pictureOf = (image_url: string) =>
    checkFeedRow({ line: 1, values: { ...values, image_url } }, rules);
  expect(pictureOf('http://img.example/a.png')).toMatchObject({
    row: { image_url: 'https://img.example/a.png' },
    notes: [],
  });
  expect(pictureOf('http://img.example:81/a.png')).toMatchObject({
    row: { image_url: null },
    notes: ['imported without its picture: image link is not an https address'],
  });
});

test('reads rows on demand, so that memory use stays constant', async () => {
  let produced = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('<rss><channel>');
    for (let batch = 0; batch < 200; batch++) {
      produced += 100;
      yield Buffer.from('<item><g:id>1</g:id><g:title>Thing</g:title></item>\n'.repeat(100));
    }
    yield Buffer.from('</channel></rss>');
  }
  const { rows } = await readFeed(endless(), { sizeLimits });
  let taken = 0;
  let mostInFlight = 0;
  for await (const row of rows) {
    taken += row.values.title === 'Thing' ? 1 : 0;
    mostInFlight = Math.max(mostInFlight, produced - taken);
  }
  expect(taken).toBe(20_000);
  expect(mostInFlight).toBeLessThanOrEqual(300);
});

function item(id: number): string {
  return `<item>\n<g:id>${id}</g:id>\n<g:title>Thing</g:title>\n</item>\n`;
}

interface Outcome {
  format: string | null;
  rows: FeedRow[];
  error: string | null;
}

async function readFixture(name: string): Promise<Outcome> {
  return collect(
    createReadStream(fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))),
    {},
  );
}

async function read(
  content: string | Buffer | Buffer[],
  options: Partial<Parameters<typeof readFeed>[1]> = {},
): Promise<Outcome> {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield* Array.isArray(content) ? content : [Buffer.from(content)];
  }
  return collect(chunks(), options);
}

async function collect(
  source: AsyncIterable<Uint8Array>,
  options: Partial<Parameters<typeof readFeed>[1]>,
): Promise<Outcome> {
  const outcome: Outcome = { format: null, rows: [], error: null };
  try {
    const feed = await readFeed(source, { sizeLimits, ...options });
    outcome.format = feed.format;
    for await (const row of feed.rows) outcome.rows.push(row);
  } catch (error) {
    outcome.error = error instanceof Error ? error.message : String(error);
  }
  return outcome;
}

import { describe, expect, it } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import type { FeedRow } from './feed-fields.ts';
import { readFeed } from './read-feed.server.ts';

const sizeLimits = { rawBytes: 50_000_000, unpackedBytes: 50_000_000 };
const rules = { currency: 'EUR', now: new Date('2026-06-01') };
const large = 'x'.repeat(300_000);
const unclosed = 'a quotation mark is never closed, so it was read as part of the text';

async function read(text: string, chunkLength = 65_536) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkLength)
      yield bytes.subarray(at, at + chunkLength);
  }
  const rows: FeedRow[] = [];
  try {
    const feed = await readFeed(chunks(), { sizeLimits });
    for await (const row of feed.rows) rows.push(row);
    return { rows, error: null };
  } catch (error) {
    return { rows, error: error instanceof Error ? error.message : '' };
  }
}

/** Reads a table of these lines, to which it adds ids, and returns the result of each. */
async function results(lines: string[], delimiter = ',', head = ['id', 'title', 'link', 'price']) {
  const text = [head.join(delimiter), ...lines, ''].join('\n');
  const { rows, error } = await read(text);
  expect(error).toBeNull();
  return rows.map((row) => {
    const checked = checkFeedRow(row, rules);
    return checked.ok
      ? [checked.row.external_id, checked.row.title, ...checked.notes]
      : [checked.external_id, checked.reason];
  });
}

const row = (id: number, title: string, delimiter = ',') =>
  [id, title, `https://a.test/${id}`, '9.90'].join(delimiter);

describe('a quotation mark', () => {
  it('reads a quotation mark as a character if it is not closed on its line', async () => {
    const lines = ['Lamp', '"A lamp', 'B lamp', '"C lamp', 'D lamp'];
    for (const delimiter of [',', '\t', ';', '|']) {
      expect(
        await results(
          lines.map((title, n) => row(n + 1, title, delimiter)),
          delimiter,
        ),
      ).toEqual([
        ['1', 'Lamp'],
        ['2', '"A lamp', unclosed],
        ['3', 'B lamp'],
        ['4', '"C lamp', unclosed],
        ['5', 'D lamp'],
      ]);
    }
  });

  it('does not merge rows if another quotation mark seems to close the first', async () => {
    const lines = ['Lamp', '"A lamp', 'B lamp', '27"', 'D lamp'];
    for (const delimiter of [',', '\t', ';', '|']) {
      expect(
        await results(
          lines.map((title, n) => row(n + 1, title, delimiter)),
          delimiter,
        ),
      ).toEqual([
        ['1', 'Lamp'],
        ['2', '"A lamp', unclosed],
        ['3', 'B lamp'],
        ['4', '27"'],
        ['5', 'D lamp'],
      ]);
    }
  });

  it('does not merge rows silently if rows between quotation marks lack cells', async () => {
    const lines = [row(1, '"A lamp'), '2,B lamp,https://a.test/2', row(3, '27"')];
    expect(await results(lines)).toEqual([
      ['1', expect.any(String), expect.stringContaining('a quoted cell has several lines')],
    ]);
  });

  it.each([
    ['"Monitor 27" curved"', 'Monitor 27" curved'],
    ['"TV 55"" OLED"', 'TV 55" OLED'],
    ['"TV 55""', 'TV 55"'],
    ['"""Big"" lamp"', '"Big" lamp'],
    ['"The Big" lamp', '"The Big" lamp'],
    ['27" monitor', '27" monitor'],
    ['"Lamp" ', 'Lamp'],
    ['"Lamp, black"', 'Lamp, black'],
  ])('unquotes %s correctly', async (written, title) => {
    const [lamp, next] = await results([row(1, written), row(2, 'Next')]);
    expect(lamp?.slice(0, 2)).toEqual(['1', title]);
    expect(next).toEqual(['2', 'Next']);
  });

  it('reads quoted lines as one cell if they do not look like rows', async () => {
    expect(
      await results([
        row(1, '"Lamp,\n""black"",\r\nfor tables"'),
        row(2, 'Cup'),
        '3,Pan,https://a.test/3,"9.90\n"',
      ]),
    ).toEqual([
      ['1', 'Lamp, "black", for tables'],
      ['2', 'Cup'],
      ['3', 'Pan'],
    ]);
  });

  it('counts the lines of the file despite quoted line breaks', async () => {
    const { rows } = await read(
      `# note\n\nid,title,link,price\n\n${row(1, '"Lamp,\nblack"')}\n\n${row(2, 'Cup')}\n`,
    );
    expect(rows.map(({ line }) => line)).toEqual([5, 8]);
  });

  it('reads a quoted heading with line breaks', async () => {
    const head = ['id', '"Product\nname"', 'link', '"Sale\r\nprice"'];
    expect(await results([row(1, 'Lamp')], ',', head)).toEqual([['1', 'Lamp']]);
  });

  it('reads a quotation mark in a heading as a character if the next lines are rows', async () => {
    const head = ['id', 'title', 'link', 'price', '"size'];
    const lines = [`${row(1, 'Lamp', '\t')}\t27"`, `${row(2, 'Cup', '\t')}\t8`];
    expect(await results(lines, '\t', head)).toEqual([
      ['1', 'Lamp'],
      ['2', 'Cup'],
    ]);
  });

  it('takes linear time if many quotation marks are not closed', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => row(n + 1, `"Lamp ${n}`));
    expect(await results(lines)).toHaveLength(20_000);
  });
});

describe('a row', () => {
  const head = ['id', 'title', 'link', 'price', 'brand', 'category'];

  it('accepts a row with extra blank cells, or without its last blank cells', async () => {
    expect(
      await results(
        [
          `${row(1, 'Cup')},Acme,Cups,,`,
          `${row(2, 'Pan')},Acme`,
          row(3, 'Pot'),
          `${row(4, 'Mug')},Acme,Mugs,Yellow`,
          '5,Jug,https://a.test/5',
          ',,,,,',
          ' ',
        ],
        ',',
        head,
      ),
    ).toEqual([
      ['1', 'Cup'],
      ['2', 'Pan'],
      ['3', 'Pot'],
      ['4', 'the row has 7 columns, the header 6'],
      ['5', 'the row has 3 columns, the header 6'],
    ]);
  });

  it('rejects a row in which the file ends, and notes a row that may be truncated', async () => {
    const whole = `${head.join(',')}\n${row(1, 'Cup')},Acme,Cups`;
    const noted = (await read(whole)).rows[0];
    expect(noted).toMatchObject({ notes: [expect.stringContaining('without a line break')] });
    const cut = (await read(whole.slice(0, -6))).rows[0];
    expect(cut?.problem).toBe('the row has 5 columns, the header 6');
  });

  it('accepts rows that end with only a carriage return', async () => {
    const lines = [head.join(','), `${row(1, 'Cup')},Acme,Cups`, `${row(2, '"Pan, 3"')},Acme,Pans`];
    const { rows } = await read(lines.join('\r'));
    expect(rows.map(({ values }) => [values.title, values.category])).toEqual([
      ['Cup', 'Cups'],
      ['Pan, 3', 'Pans'],
    ]);
  });
});

describe('a product larger than 256 KB', () => {
  const product = (id: number, description = '') => ({
    id: String(id),
    title: 'Cup',
    link: `https://a.test/${id}`,
    price: '9.90',
    description,
  });
  const table = (text: string) =>
    [
      Object.keys(product(1)),
      ...[product(1), product(2, text), product(3)].map((one) => Object.values(one)),
      '',
    ].join('\n');
  const list = (text: string) => [product(1), product(2, text), product(3)];
  const items = (text: string) =>
    list(text)
      .map((one) => Object.entries(one).map(([name, value]) => `<${name}>${value}</${name}>`))
      .map((parts) => `<item>${parts.join('')}</item>\n`)
      .join('');

  it.each([
    ['a table', table(large)],
    ['quotes', table(`"${large}"`)],
    ['quotes with line breaks', table(`"a\n${large}\n""b"", c\nd"`)],
    ['many lines', table(`"${'a line, of text\n'.repeat(30_000)}"`)],
    ['an unclosed quote', table(`"${large}`)],
    ['JSON', JSON.stringify(list(large))],
    ['JSON with escapes', JSON.stringify(list(`"\\"${large}{[`))],
    [
      'JSON lines',
      list(large)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    ],
    ['XML', `<rss><channel>${items(large)}</channel></rss>`],
    ['CDATA', `<rss><channel>${items(`<![CDATA[${large.repeat(3)}]]>`)}</channel></rss>`],
  ])(
    'omits only the product larger than 256 KB from %s, however it arrives',
    async (_what, text) => {
      for (const chunkLength of [text.length, 65_536, 10_007]) {
        const { rows, error } = await read(text, chunkLength);
        expect(error).toBeNull();
        expect(rows.map(({ values, problem }) => [values.external_id, problem])).toEqual([
          ['1', undefined],
          ['2', expect.stringContaining('larger than 256 KB')],
          ['3', undefined],
        ]);
      }
    },
  );
});

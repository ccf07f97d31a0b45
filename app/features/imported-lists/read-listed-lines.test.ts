import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readList } from './read-listed-lines.server.ts';

const gtin = '4006381333931';
const read = async (text: string | Buffer) => {
  const list = await readList(Buffer.from(text));
  return list.ok ? list.lines : list.message;
};
/** Returns the non-empty values of each line, so that tests need not name the others. */
const products = async (text: string | Buffer) => {
  const lines = await read(text);
  if (typeof lines === 'string') return lines;
  return lines.map(
    ({ product }) =>
      product && Object.fromEntries(Object.entries(product).filter(([, value]) => value !== '')),
  );
};

test('reads a plain list of links, ASINs and GTINs with prices in any notation', async () => {
  const list = [
    'https://shop.example/lamp',
    'https://shop.example/lamp 1.249,99 €',
    '"https://shop.example/lamp;jsessionid=1";12,50',
    'https://shop.example/lamp,39.99',
    'https://shop.example/p,123,456.html',
    'www.shop.example/lamp\tUSD 12',
    'B0ABCDEFGH | $ 19',
    `${gtin}, 30`,
    'Desk lamp https://shop.example/lamp 20',
    'just some words',
    '',
    '0',
  ];
  expect(await products(list.join('\r\n'))).toEqual([
    { link: 'https://shop.example/lamp' },
    { link: 'https://shop.example/lamp', price: '1.249,99 €' },
    { link: 'https://shop.example/lamp;jsessionid=1', price: '12,50' },
    { link: 'https://shop.example/lamp', price: '39.99' },
    { link: 'https://shop.example/p,123,456.html' },
    { link: 'www.shop.example/lamp', price: 'USD 12' },
    { asin: 'B0ABCDEFGH', price: '$ 19' },
    { gtin, price: '30' },
    { link: 'https://shop.example/lamp', price: '20' },
    null,
    null,
  ]);
});

const rows = 'Title;Desired price;Link;EAN\n"Lamp; ""Größe"" M";12,50;https://shop.example/l;\n';
const table = {
  title: 'Lamp; "Größe" M',
  price: '12,50',
  link: 'https://shop.example/l',
};

test.each([
  ['UTF-8', Buffer.from(rows)],
  ['UTF-8 with a byte-order mark', Buffer.from(`\uFEFF${rows}`)],
  ['UTF-16', iconv.encode(rows, 'utf-16le', { addBOM: true })],
  ['Latin-1', iconv.encode(rows, 'latin1')],
  ['tabs', Buffer.from(rows.replace('Lamp; ', 'Lamp, ').replaceAll(';', '\t'))],
  ['a title above the header', Buffer.from(`My list\n\n${rows}`)],
])('reads a table in %s', async (name, bytes) => {
  const title = name === 'tabs' ? 'Lamp, "Größe" M' : table.title;
  expect(await products(bytes)).toEqual([{ ...table, title }]);
});

// Generated files with the known columns of each tracker's export.
test.each([
  [
    'CamelCamelCamel',
    'ASIN,Product Name,Desired Price,URL\nb0abcdefgh,Lamp,"$1,299.00",https://uk.camelcamelcamel.com/product/B0ABCDEFGH\n',
    {
      asin: 'B0ABCDEFGH',
      title: 'Lamp',
      price: '$1,299.00',
      link: 'https://uk.camelcamelcamel.com/product/B0ABCDEFGH',
    },
  ],
  [
    'Keepa, a table',
    'Locale,Title,ASIN,Product Codes: EAN,Product Codes: UPC,Target\nde,Lamp,B0ABCDEFGH,,4006381333931,0.00\n',
    { locale: 'de', title: 'Lamp', asin: 'B0ABCDEFGH', gtin },
  ],
  [
    'Keepa, tracking objects',
    '{"trackings":[{"asin":"B0ABCDEFGH","mainDomainId":3,"thresholdValues":[{"thresholdValue":1999,"domain":3}]}]}',
    { asin: 'B0ABCDEFGH' },
  ],
  [
    'IsThereAnyDeal, JSON',
    '{"version":"02","data":[{"plain":"lamp","title":"Lamp","cat":{"title":"Gifts"},"price_limit":"7.99","cut_limit":25,"drm":["steam"]}]}',
    { title: 'Lamp', price: '7.99' },
  ],
  [
    'IsThereAnyDeal, nested JSON',
    '{"data":{"groups":[],"data":[{"group":{"title":"Gifts"},"game":{"id":"1","title":"Lamp"}}]}}',
    { title: 'Lamp' },
  ],
  ['IsThereAnyDeal, CSV', 'game,price limit\nLamp,7.99\n', { title: 'Lamp', price: '7.99' }],
])('reads the export of %s', async (_, text, product) => {
  expect(await products(text)).toEqual([product]);
});

test('reads the ASIN and marketplace from links to Amazon', async () => {
  const list =
    'https://www.amazon.co.uk/Desk-Lamp/dp/B0ABCDEFGH/ref=sr_1\nhttps://keepa.com/#!product/3-B0ABCDEFGH';
  expect(await products(list)).toMatchObject([
    { asin: 'B0ABCDEFGH', locale: 'co.uk' },
    { asin: 'B0ABCDEFGH' },
  ]);
});

test('numbers each line as in the file, even after quoted line breaks', async () => {
  const text = 'link,title\nhttps://a.example/1,"two\nlines"\n\nnothing\nhttps://a.example/2,x\n';
  expect(await read(text)).toMatchObject([{ line: 2 }, { line: 5 }, { line: 6 }]);
});

test.each([
  ['nothing', ' \n', 'Choose a file'],
  ['a ZIP archive', Buffer.from('PK\u0003\u0004 xlsx'), 'Save it as CSV'],
  ['bytes', Buffer.from('a\0\0\0b\0\0\0'), 'Save it as CSV'],
  ['JSON without products', '{"data":[1,2,{"x":[]}]}', 'No products'],
  ['too many lines', 'https://a.example/1\n'.repeat(2_001), '2,000 lines'],
  ['too many bytes', 'a'.repeat(1024 * 1024 + 1), '1 MB'],
  ['an open quote', `link,title\nhttps://a.example/1,"${'a\n'.repeat(9)}`, 'can’t be read'],
])('refuses %s', async (_, text, message) => {
  expect(await read(text)).toContain(message);
});

test.each([
  ['open brackets', '['.repeat(500_000)],
  ['nested arrays', `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
  ['many arrays', `[${'["a"],'.repeat(150_000)}"a"]`],
  ['one long line', `https://a.example/${'1,'.repeat(500_000)}`],
  ['spaces', `https://a.example/1${' '.repeat(1_000_000)}1`],
  ['separators', ';'.repeat(1_000_000)],
  ['quotes', '"'.repeat(1_000_000)],
  ['long lines of digits', `https://a.example/${'1 '.repeat(1_900)}\n`.repeat(270)],
])('reads 1 MB of %s within seconds', async (_, text) => {
  const before = performance.now();
  await readList(Buffer.from(text));
  expect(performance.now() - before).toBeLessThan(10_000);
});

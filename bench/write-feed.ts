import { open } from 'node:fs/promises';

// node bench/write-feed.ts FILE ROWS CHANGED: a feed of made-up products, of which CHANGED percent have another price.
const [target = '', rowCount = '0', changed = '0'] = process.argv.slice(2);
await writeFeed(target, Number(rowCount), Number(changed));

/** Words in an order of their own for each product, so that texts are as different as real ones. */
async function writeFeed(file: string, rows: number, changedPerCent: number): Promise<void> {
  const words =
    'steel cotton lamp chair kettle wireless mouse garden hose blue green large small travel mug cable desk shelf winter'.split(
      ' ',
    );
  const pick = (row: number, place: number) =>
    words[(row * 7 + place * place * 13 + ((row >> place) & 7)) % words.length] ?? '';
  const handle = await open(file, 'w');
  let text =
    'id,title,description,link,image_link,price,sale_price,product_type,brand,gtin,availability\n';
  for (let row = 0; row < rows; row++) {
    const sentence = (from: number, count: number) =>
      Array.from({ length: count }, (_, place) => pick(row, from + place)).join(' ');
    const cents = 1_000 + ((row * 31) % 9_000) + (row % 100 < changedPerCent ? 100 : 0);
    text += `p${row},${sentence(0, 6)} ${row},${sentence(6, 40)},https://shop.example/p/${row},https://img.example/${row}.jpg,`;
    text += `${(cents + 2_000) / 100},${cents / 100},Home > ${pick(row, 1)},Brand ${row % 50},${4_000_000_000_000 + row},in stock\n`;
    if (text.length > 1_000_000) {
      await handle.write(text);
      text = '';
    }
  }
  await handle.write(text);
  await handle.close();
}

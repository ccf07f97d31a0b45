import { open } from 'node:fs/promises';
import { diceOf, sentence } from '#bench/made-up-words.ts';

// node bench/write-feed.ts FILE ROWS CHANGED: writes a feed of made-up products, of which CHANGED
// percent have a different price.
const [target = '', rowCount = '0', changed = '0'] = process.argv.slice(2);
await writeFeed(target, Number(rowCount), Number(changed));

/**
 * Realistic texts: twenty thousand words, and descriptions of 300 to 2,000 letters, most of which
 * are short.
 */
async function writeFeed(file: string, rows: number, changedPerCent: number): Promise<void> {
  const handle = await open(file, 'w');
  let text =
    'id,title,description,link,image_link,price,sale_price,product_type,brand,gtin,availability\n';
  for (let row = 0; row < rows; row++) {
    const title = sentence(row, 0, 4 + Math.floor(diceOf(row, 900) * 9));
    const length = 300 + Math.floor(1_700 * diceOf(row, 901) ** 6);
    const description = sentence(row, 20, Math.ceil(length / 5)).slice(0, length);
    const cents = 1_000 + ((row * 31) % 9_000) + (row % 100 < changedPerCent ? 100 : 0);
    text += `p${row},${title} ${row},${description},https://shop.example/p/${row},https://img.example/${row}.jpg,`;
    text += `${(cents + 2_000) / 100},${cents / 100},Home > ${sentence(row % 40, 1_000, 1)},Brand ${row % 50},${4_000_000_000_000 + row},in stock\n`;
    if (text.length > 1_000_000) {
      await handle.write(text);
      text = '';
    }
  }
  await handle.write(text);
  await handle.close();
}

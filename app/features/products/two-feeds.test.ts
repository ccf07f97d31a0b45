import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFeed } from '#app/features/feeds/runs/import-feed.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { matchProducts } from './match-offers.server.ts';
import { findProductBySlug } from './product-queries.server.ts';

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'two-feeds-'));
});
afterAll(() => rm(folder, { recursive: true }));

const gtins = { phone: '4006381333931', buds: '4006381333948', tablet: '4006381333955' };

interface Row {
  id: string;
  title: string;
  price: string;
  gtin: string;
}

/** Returns a CSV feed as from Awin. */
function awinFeed(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ id, title, price, gtin }) =>
      `https://www.awin1.example/pclick.php?p=${id},"${title}",${id},${id},https://img.example/${id}.jpg,Fine.,Electronics,Electronics,${price},${price},USD,1,${gtin},Lumo,https://alpha.example/${id},`,
  );
  return `aw_deep_link,product_name,aw_product_id,merchant_product_id,merchant_image_url,description,merchant_category,merchant_product_category_path,search_price,rrp_price,currency,in_stock,ean,brand_name,merchant_deep_link,parent_product_id\n${lines.join('\n')}\n`;
}

/** Returns an XML feed as from Tradedoubler, whose GTINs have 14 digits. */
function tradedoublerFeed(rows: readonly Row[]): string {
  const products = rows.map(
    ({ id, title, price, gtin }) =>
      `<product><name>${title}</name><description>Fine.</description><categories><category name="Electronics" id="4"/></categories><fields><field name="gtin">0${gtin}</field></fields><brand>Lumo</brand><offers><offer feedId="1" id="${id}"><sourceProductId>${id}</sourceProductId><productUrl>https://clk.tradedoubler.com/click?p=1&amp;url=https%3A%2F%2Fbeta.example%2F${id}</productUrl><inStock>1</inStock><priceHistory><price currency="USD">${price}</price></priceHistory></offer></offers></product>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?><productFeed version="2.0"><products xmlns="urn:com:tradedoubler:pf:model:xml:output">${products.join('')}</products></productFeed>`;
}

test('creates one product from two stores’ feeds, excluding a different color and a case', async () => {
  const { db } = database;
  for (const name of ['Alpha', 'Beta']) {
    await insertMerchant(db, { name, slug: name.toLowerCase(), matches_freely: true });
  }
  const feeds = [
    [
      'Alpha',
      'awin.csv',
      awinFeed([
        { id: 'a1', title: 'Lumo Nova 15 256 GB black', price: '899.00', gtin: gtins.phone },
        { id: 'a2', title: 'Lumo Buds 3 white', price: '99.00', gtin: gtins.buds },
        { id: 'a3', title: 'Lumo Slate 11 tablet', price: '499.00', gtin: gtins.tablet },
      ]),
    ],
    [
      'Beta',
      'tradedoubler.xml',
      tradedoublerFeed([
        {
          id: 'b1',
          title: 'Nova 15 Smartphone, 256GB, Schwarz',
          price: '879.00',
          gtin: gtins.phone,
        },
        { id: 'b2', title: 'Lumo Buds 3 blau', price: '95.00', gtin: gtins.buds },
        { id: 'b3', title: 'Schutzhülle für Lumo Slate 11', price: '19.00', gtin: gtins.tablet },
      ]),
    ],
  ] as const;
  for (const [merchant, name, text] of feeds) {
    const file = path.join(folder, name);
    await writeFile(file, text);
    await importFeed(db, { file }, { merchant });
  }
  await matchProducts(db);
  const slugs = await ask(db).column<string>`select slug from products`;
  expect(slugs).toHaveLength(1);
  const product = await findProductBySlug(db, slugs[0] ?? '');
  expect(product?.gtin).toBe(gtins.phone);
  expect(product?.offers.map(({ merchant, sale_price }) => [merchant.name, sale_price])).toEqual([
    ['Alpha', 89_900],
    ['Beta', 87_900],
  ]);
  const alone = await ask(db).value`
    select count(*)::int from deals where product_id is null and gtin in (${gtins.buds}, ${gtins.tablet})`;
  expect(alone).toBe(4);
});

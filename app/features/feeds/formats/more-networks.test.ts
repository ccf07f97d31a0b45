import { expect, test } from 'vitest';
import { readFeedTable } from '#test/feed-table.ts';

/**
 * The expected rows of each fixture: id, title, price and old price in minor units, link, picture,
 * stock, category, brand, code and condition; or the id and the reason for a rejection.
 */
const networks = [
  {
    file: 'arukereso-xml.xml',
    format: 'arukereso-xml',
    currency: 'HUF',
    traps:
      'a net price beside the one that is paid, a price with its unit, an old price below the price, markup in a name, a stock word of the language',
    rows: [
      'A-1 · Vízforraló 1,7 l · 1299000 · 1599000 · https://bolt.example/a1 · https://img.example/a1.jpg · in_stock · Otthon > Konyha > Vízforralók · Ostara · 4006381333931 · ',
      'A-2 · Bögre · 99000 ·  · https://bolt.example/a2?x=1&y=2 ·  · out_of_stock · Otthon ·  ·  · ',
    ],
  },
  {
    file: 'skroutz-xml.xml',
    format: 'skroutz-xml',
    currency: 'EUR',
    traps:
      'the price with tax beside one without, a nested variant with its own price, decimal commas, an old price equal to the price, stock beside a delivery time',
    rows: [
      'S-1 · Βραστήρας Ostara 1,7 l · 3990 · 4990 · https://shop.example/s1?a=1&b=2 · https://img.example/s1.jpg · in_stock · Σπίτι > Κουζίνα > Βραστήρες · Ostara · 4006381333931 · ',
      'S-2 · Κούπα · 500 ·  · https://shop.example/s2 ·  · out_of_stock · Σπίτι ·  ·  · ',
    ],
  },
  {
    file: 'trovaprezzi-xml.xml',
    format: 'trovaprezzi-xml',
    currency: 'EUR',
    traps:
      'an old price equal to the price, thousands with a dot, commas in paths, markup in a name',
    rows: [
      'T-1 · Bollitore Ostara · 129900 · 149900 · https://negozio.example/t1 · https://img.example/t1.jpg · in_stock · Casa > Cucina > Bollitori · Ostara · 4006381333931 · ',
      'T-2 · Tazza · 990 ·  · https://negozio.example/t2 ·  · out_of_stock · Casa ·  ·  · ',
    ],
  },
  {
    file: 'trovaprezzi-csv.csv',
    format: 'trovaprezzi-csv',
    currency: 'EUR',
    traps:
      'Italian headings, bars as separators, an old price below the price, a stock word of the language',
    rows: [
      'T-1 · Bollitore "Ostara" · 4990 · 5990 · https://negozio.example/t1 · https://img.example/t1.jpg · in_stock · Casa > Cucina · Ostara · 4006381333931 · ',
      'T-2 · Tazza · 450 ·  · https://negozio.example/t2 ·  · out_of_stock · Casa ·  ·  · ',
    ],
  },
  {
    file: 'partner-ads-xml.xml',
    format: 'partner-ads-xml',
    currency: 'DKK',
    traps:
      'latin-1, Danish elements, "50+" as stock, an old price equal to the price, an ampersand in links',
    rows: [
      'P-1 · Røremaskine "Chef" · 164900 · 189900 · https://www.partner.example/klik?bannerid=1&htmlurl=https://shop.example/p1 · https://img.example/p1.jpg · in_stock · Køkken · Kenwood · 5011423196527 · ',
      'P-2 · Krus · 5900 ·  · https://www.partner.example/klik?bannerid=1&htmlurl=https://shop.example/p2 ·  · out_of_stock · Køkken ·  ·  · ',
    ],
  },
  {
    file: 'hotline-xml.xml',
    format: 'hotline-xml',
    currency: 'UAH',
    traps:
      'categories in nested elements, a price in dollars beside it, an empty old price, stock words of the language',
    rows: [
      'H-1 · Чайник Ostara · 1540000 · 1690000 · https://shop.example/h1 · https://img.example/h1.jpg · in_stock · Дім > Чайники · Ostara · 4006381333931 · ',
      'H-2 · Чашка · 9950 ·  · https://shop.example/h2 ·  · out_of_stock · Дім · Noname ·  · ',
      'H-3 · Ложка · 2000 ·  · https://shop.example/h3 ·  · unknown ·  · Noname ·  · ',
    ],
  },
  {
    file: 'bol-csv.csv',
    format: 'bol-csv',
    currency: 'EUR',
    traps:
      'dots in headings, bars as separators, a path of three columns, a list price equal to the price, no price',
    rows: [
      '9200000001 · Waterkoker "Ostara" · 3995 · 4995 · https://www.bol.example/p/1 · https://img.example/b1.jpg · in_stock · Wonen > Keuken > Waterkokers · Ostara · 4006381333931 · ',
      '9200000002 · Mok · 800 ·  · https://www.bol.example/p/2 ·  · out_of_stock · Keuken ·  ·  · ',
      '9200000003: no price',
    ],
  },
  {
    file: 'bol-json.json',
    format: 'bol-json',
    currency: 'EUR',
    traps: 'a number as id, an offer without an old price, a product without an offer',
    rows: [
      '9200000001 · Waterkoker · 3995 · 4995 · https://www.bol.example/p/1 · https://img.example/b1.jpg ·  ·  · Ostara · 4006381333931 · new',
      '9200000002 · Mok · 800 ·  · https://www.bol.example/p/2 ·  ·  ·  ·  ·  · new',
      '9200000003: no price',
    ],
  },
  {
    file: 'rakuten-ichiba.json',
    format: 'rakuten-ichiba',
    currency: 'JPY',
    traps:
      'each product in a box, pictures in boxes, an empty affiliate link, a currency without decimals, stock as a number',
    rows: [
      'shop:10001 · 電気ケトル <1.2L> · 12808 ·  · https://item.example/1 · https://img.example/1.jpg?_ex=128x128 · in_stock ·  ·  ·  · ',
      'shop:10002 · マグカップ · 980 ·  · https://af.example/2 ·  · out_of_stock ·  ·  ·  · ',
    ],
  },
  {
    file: 'rakuten-productsearch.xml',
    format: 'rakuten-productsearch',
    currency: 'USD',
    traps:
      'a sale price equal to the price, ids that are blank, a currency in an attribute, a path in two elements',
    rows: [
      'S1 · Coat & scarf · 7900 · 9900 · https://click.example/fs-bin/click?id=1&offerid=2 · https://img.example/1.jpg ·  · Apparel > Coats > Women ·  · 42100005264 · ',
      '18 · Hat · 1500 ·  · https://click.example/2 ·  ·  · Apparel ·  ·  · ',
    ],
  },
  {
    file: 'amazon-api.json',
    format: 'amazon-api',
    currency: 'USD',
    traps:
      'the buy box is the second offer, an old price below the price, a product without offers, a list of codes',
    rows: [
      'B000000001 · Kettle · 1999 · 2999 · https://www.amazon.example/dp/B000000001?tag=x-20 · https://img.example/1.jpg · in_stock · Kettles · Ostara · 4006381333931 · new',
      'B000000002 · Cup · 500 ·  · https://www.amazon.example/dp/B000000002 ·  · out_of_stock ·  ·  ·  · new',
      'B000000003: no price',
    ],
  },
  {
    file: 'ebay-browse.json',
    format: 'ebay-browse',
    currency: 'USD',
    traps:
      'an item without a reduction, no affiliate link, an auction, a shipping cost beside the price',
    rows: [
      'v1|1|0 · Camera "X" · 18999 · 24999 · https://www.ebay.example/itm/1?campid=1 · https://i.example/1.jpg ·  · Cameras ·  ·  · used',
      'v1|2|0 · Lens · 5000 ·  · https://www.ebay.example/itm/2 · https://i.example/2t.jpg ·  · Lenses ·  ·  · new',
      'v1|3|0 · Strap · 350 ·  · https://www.ebay.example/itm/3 ·  ·  ·  ·  ·  · new',
    ],
  },
  {
    file: 'ebay-feed.tsv',
    format: 'ebay-feed',
    currency: 'USD',
    traps: 'camel case in headings, bars in paths, a lone quote, no affiliate link',
    rows: [
      'v1|1|0 · Camera 8" bag · 18999 · 24999 · https://www.ebay.example/itm/1?c=1 · https://i.example/1.jpg · in_stock · Cameras > Digital > Bags · Kestra · 4006381333931 · used',
      'v1|2|0 · Lens · 5000 ·  · https://www.ebay.example/itm/2 ·  · out_of_stock · Cameras ·  ·  · new',
    ],
  },
  {
    file: 'aliexpress-json.json',
    format: 'aliexpress-json',
    currency: 'USD',
    traps:
      'a price in another currency beside it, a price for the app only, no affiliate link, an old price equal to the price',
    rows: [
      '1001 · Watch · 1234 · 2468 · https://s.click.example/1 · https://img.example/1.jpg ·  · Watches > Sport ·  ·  · ',
      '1002 · Strap · 300 ·  · https://item.example/2 ·  ·  · Watches ·  ·  · ',
    ],
  },
  {
    file: 'flipkart-json.json',
    format: 'flipkart-json',
    currency: 'INR',
    traps: 'three prices, a special price that is null, pictures by size, stock as a boolean',
    rows: [
      'F1 · Kettle · 149900 · 199900 · https://dl.flipkart.example/1 · https://img.example/1.jpg · in_stock · Home > Kitchen > Kettles · Ostara ·  · ',
      'F2 · Cup · 19900 ·  · https://dl.flipkart.example/2 · https://img.example/2s.jpg · out_of_stock ·  ·  ·  · ',
    ],
  },
  {
    file: 'mercado-libre.json',
    format: 'mercado-libre',
    currency: 'MXN',
    traps: 'attributes by id beyond the third, old price null, quantity 0, a closed listing',
    rows: [
      'MLM1 · Hervidor · 49900 · 69900 · https://articulo.example/MLM1 · https://http2.example/1.jpg · in_stock · Hervidores · Ostara · 4006381333931 · new',
      'MLM2 · Taza · 9950 ·  · https://articulo.example/MLM2 ·  · out_of_stock ·  ·  ·  · used',
    ],
  },
  {
    file: 'merchant-api.json',
    format: 'merchant-api',
    currency: 'EUR',
    traps: 'prices in millionths, a sale that is over, capitals with underscores, a preorder',
    rows: [
      'g1 · Wasserkocher · 99999 · 129900 · https://shop.example/1 · https://shop.example/1.jpg · in_stock · Küche > Wasserkocher · Ostara · 4006381333931 · new',
      'o2 · Tasse · 550 ·  · https://shop.example/2 ·  · out_of_stock ·  ·  ·  · ',
      'o3 · Löffel · 99 ·  · https://shop.example/3 ·  · unknown ·  ·  ·  · ',
    ],
  },
  {
    file: 'content-api.json',
    format: 'content-api',
    currency: 'USD',
    traps: 'a sale that is over, a number as category, another currency, a preorder',
    rows: [
      'o1 · Lamp · 99900 · 129900 · https://shop.example/1 · https://shop.example/1.jpg · in_stock · Home > Lamps · Lux · 4006381333931 · refurbished',
      'o2 · Bulb · 400 ·  · https://shop.example/2 ·  · out_of_stock ·  ·  ·  · ',
      "o3: price is in EUR, but this site's currency is USD",
    ],
  },
  {
    file: 'shopify-bulk.jsonl',
    format: 'shopify-bulk',
    currency: 'USD',
    traps:
      'variants far from their parents, a draft parent, an image line, a variant without parent, an old price below the price, no link',
    rows: [
      'gid://shopify/Product/3 · Cup · 500 ·  · https://shop.example/products/cup ·  · out_of_stock ·  · Lux ·  · ',
      'gid://shopify/Product/1 · Lamp "Alma" · 1999 · 2999 · https://shop.example/products/lamp-alma · https://cdn.example/1.jpg · in_stock · Lamps · Lux · 4006381333931 · ',
      'gid://shopify/Product/1 · Lamp "Alma" · 2499 ·  · https://shop.example/products/lamp-alma · https://cdn.example/12.jpg · out_of_stock · Lamps · Lux ·  · ',
      'gid://shopify/ProductVariant/99: its parent gid://shopify/Product/9 is not in the feed',
    ],
  },
  {
    file: 'openai-json.jsonl',
    format: 'openai-json',
    currency: 'USD',
    traps:
      'a sale that is over, an empty group, a sale price equal to the price, a preorder, a list of pictures',
    rows: [
      'g1 · Trail shoe · 5999 · 7999 · https://shop.example/p/1 · https://img.example/1.jpg · in_stock · Apparel > Shoes · Acme · 4006381333931 · new',
      'sku2 · Lace · 400 ·  · https://shop.example/p/2 · https://img.example/2.jpg · out_of_stock ·  · Acme ·  · ',
      'sku3 · Sock · 200 ·  · https://shop.example/p/3 ·  · unknown ·  ·  ·  · ',
    ],
  },
  {
    file: 'openai-csv.csv',
    format: 'openai-csv',
    currency: 'USD',
    traps:
      'a sale that is over, an empty group, a sale price equal to the price, a preorder, a list of pictures',
    rows: [
      'g1 · Trail shoe · 5999 · 7999 · https://shop.example/p/1 · https://img.example/1.jpg · in_stock · Apparel > Shoes · Acme · 4006381333931 · new',
      'sku2 · Lace · 400 ·  · https://shop.example/p/2 · https://img.example/2.jpg · out_of_stock ·  · Acme ·  · ',
      'sku3 · Sock · 200 ·  · https://shop.example/p/3 ·  · unknown ·  ·  ·  · ',
    ],
  },
  {
    file: 'agentic-commerce.json',
    format: 'agentic-commerce',
    currency: 'JPY',
    traps:
      'minor units of a currency without decimals, a video before the picture, an old price below the price, another currency, nested variants',
    rows: [
      'prod_1 · Classic Tee / S · 2000 · 2999 · https://shop.example/tee?v=S · https://cdn.example/s.jpg · in_stock ·  ·  · 4006381333931 · ',
      'prod_1 · Classic Tee / M · 2100 ·  · https://shop.example/tee · https://cdn.example/1.jpg · out_of_stock ·  ·  ·  · ',
      "prod_2: sale price is in USD, but this site's currency is JPY",
    ],
  },
  {
    file: 'beslist-xml.xml',
    format: 'beslist-xml',
    currency: 'EUR',
    traps:
      'a price with its unit, "{leeg}" as code, an old price below the price, a hidden product, a stock word of the language',
    rows: [
      'B-1 · Lamp Alma · 3995 · 4995 · https://winkel.example/1 · https://img.example/1.jpg ·  · Wonen > Lampen > Tafel · Lux · 4006381333931 · ',
      'B-2 · Mok · 800 ·  · https://winkel.example/2 ·  · out_of_stock · Wonen ·  ·  · ',
    ],
  },
  {
    file: 'beslist-csv.csv',
    format: 'beslist-csv',
    currency: 'EUR',
    traps:
      'a slash and brackets in headings, semicolons in quotes, thousands with a dot, a stock word of the language',
    rows: [
      'B-1 · Lamp; groot · 129900 · 149900 · https://winkel.example/1 · https://img.example/1.jpg · in_stock · Wonen > Lampen · Lux · 4006381333931 · ',
      'B-2 · Mok · 800 ·  · https://winkel.example/2 ·  · out_of_stock · Wonen ·  ·  · ',
    ],
  },
  {
    file: 'leguide-csv.csv',
    format: 'leguide-csv',
    currency: 'EUR',
    traps:
      'French headings, spaces in prices, an old price below the price, a stock word of the language',
    rows: [
      'L-1 · Bouilloire "Ostara" · 129900 · 149900 · https://boutique.example/1 · https://img.example/1.jpg · in_stock · Maison > Cuisine · Ostara · 4006381333931 · ',
      'L-2 · Tasse · 450 ·  · https://boutique.example/2 ·  · out_of_stock · Maison ·  ·  · ',
    ],
  },
  {
    file: 'leguide-xml.xml',
    format: 'leguide-xml',
    currency: 'EUR',
    traps:
      'the place as attribute, an old price equal to the price, an ampersand in CDATA, a stock word of the language',
    rows: [
      'L-1 · Bouilloire · 4990 · 5990 · https://boutique.example/1?a=1&b=2 · https://img.example/1.jpg · in_stock · Maison > Cuisine · Ostara · 4006381333931 · ',
      'L-2 · Tasse · 450 ·  · https://boutique.example/2 ·  · out_of_stock · Maison ·  ·  · ',
    ],
  },
  {
    file: 'pricespy-csv.csv',
    format: 'pricespy-csv',
    currency: 'SEK',
    traps: 'hyphens in headings, spaces in prices, a stock word of the language, no price',
    rows: [
      'P-1 · Lamp "Alma" · 119900 ·  · https://butik.example/1 · https://img.example/1.jpg · in_stock · Hem > Belysning · Lux ·  · ',
      'P-2 · Mugg · 4900 ·  · https://butik.example/2 ·  · out_of_stock · Hem ·  ·  · ',
      'P-3: no price',
    ],
  },
  {
    file: 'tiktok-csv.csv',
    format: 'tiktok-csv',
    currency: 'USD',
    traps:
      'a sale price equal to the price, a group on one row only, a comma in quotes, only a second picture',
    rows: [
      'G1 · Lamp, small · 1499 · 1999 · https://shop.example/1 · https://img.example/1.jpg · in_stock ·  · Lux ·  · new',
      'T-2 · Cup · 400 ·  · https://shop.example/2 · https://img.example/2b.jpg · out_of_stock ·  · Lux ·  · used',
      'T-3 · Spoon · 200 ·  · https://shop.example/3 ·  · unknown ·  · Lux ·  · new',
    ],
  },
  {
    file: 'naver-ep.tsv',
    format: 'naver-ep',
    currency: 'KRW',
    traps:
      'a mobile price beside it, a path of four columns, an old price equal to the price, a deleted row',
    rows: [
      'N1 · 전기 주전자 "오스타라" · 39900 · 49900 · https://shop.example/1 · https://img.example/1.jpg ·  · 생활 > 주방 > 주전자 · 오스타라 ·  · ',
      'N2 · 컵 · 4500 ·  · https://shop.example/2 ·  ·  · 생활 · 제조사 ·  · ',
    ],
  },
  {
    file: 'bigcommerce-csv.csv',
    format: 'bigcommerce-csv',
    currency: 'USD',
    traps:
      'a row that is a variant, a hidden product, 0.00 as sale price, a cost price, a link without host, slashes in paths',
    rows: [
      '77 · Canvas "Day" bag · 3900 · 4900 · https://shop.example/canvas-bag/ · https://shop.example/i/77.jpg · in_stock · Bags > Canvas · Acme · 4006381333931 · ',
      '79 · Strap · 800 ·  · https://shop.example/strap/ ·  · out_of_stock · Bags ·  ·  · ',
    ],
  },
  {
    file: 'zbozi-xml.xml',
    format: 'zbozi-xml',
    currency: 'CZK',
    traps:
      'the same elements as Heureka, an old price below the price, a hidden product, bars in paths',
    rows: [
      'Z1 · Konvice Ostara · 129050 · 159000 · https://obchod.example/z1 · https://img.example/z1.jpg ·  · Dům > Kuchyně > Konvice · Ostara · 4006381333931 · ',
      'Z2 · Hrnek · 9900 ·  · https://obchod.example/z2 ·  ·  · Dům ·  ·  · ',
    ],
  },
  {
    file: 'walmart-json.json',
    format: 'walmart-json',
    currency: 'USD',
    traps:
      'entities in names, no list price, a list price equal to the price, slashes in paths, a tracking link beside the plain one',
    rows: [
      '1 · Phone & case · 14950 · 19900 · https://goto.walmart.example/1 · https://img.example/1.jpg · in_stock · Electronics > Cell Phones > Cases · Acme · 42100005264 · ',
      '2 · Cable · 900 ·  · https://www.walmart.example/ip/2 ·  · out_of_stock · Electronics ·  ·  · ',
      '3 · Plug · 400 ·  · https://www.walmart.example/ip/3 ·  · in_stock ·  ·  ·  · ',
    ],
  },
  {
    file: 'cj-graphql.json',
    format: 'cj-graphql',
    currency: 'USD',
    traps:
      'a click link in a box, a sale price that is null, a category that is null, amounts as texts',
    rows: [
      'c1 · Jacket · 99900 · 129900 · https://www.cj.example/click-1 · https://img.example/1.jpg · in_stock · Apparel > Jackets · Acme · 4006381333931 · ',
      'c2 · Hat · 1500 ·  · https://shop.example/2 ·  · out_of_stock ·  ·  ·  · ',
    ],
  },
  {
    file: 'etsy-json.json',
    format: 'etsy-json',
    currency: 'USD',
    traps: 'amounts with a divisor, less than a unit, a draft, another currency, a sold listing',
    rows: [
      '901 · Ring "Moon" · 159900 ·  · https://www.etsy.example/listing/901 · https://i.example/901.jpg · in_stock ·  ·  ·  · ',
      '902 · Cup · 5 ·  · https://www.etsy.example/listing/902 ·  · out_of_stock ·  ·  ·  · ',
      "904: sale price is in CAD, but this site's currency is USD",
    ],
  },
];

test.each(networks)(
  'reads $file as $format: $traps',
  async ({ file, format, currency, traps, rows }) => {
    const read = await readFeedTable(
      new URL(`./fixtures/${file}`, import.meta.url),
      currency,
      new Date('2026-06-01'),
    );
    expect(read).toEqual({ format, rows });
    expect(traps.split(', ').length).toBeGreaterThanOrEqual(3);
  },
);

test('has fixtures for at least twenty-five formats', () => {
  expect(new Set(networks.map(({ format }) => format)).size).toBeGreaterThanOrEqual(25);
});

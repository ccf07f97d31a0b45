import { expect, test } from 'vitest';
import { readFeedTable } from '#test/feed-table.ts';

/**
 * Feeds as shops and networks send them, with the expected rows: id, title, price and old price in
 * minor units, link, picture, stock, category, brand, code and condition; or the id and the reason
 * for a rejection.
 */
const feeds = [
  {
    file: '02-newline-in-heading.csv',
    format: 'csv',
    currency: 'EUR',
    rows: [
      '1 · Desk lamp · 1990 ·  · https://shop.example/1 · https://shop.example/1.jpg · in_stock ·  ·  ·  · ',
      '2 · Floor lamp · 2990 ·  · https://shop.example/2 · https://shop.example/2.jpg · in_stock ·  ·  ·  · ',
    ],
  },
  {
    file: '12-stock.csv',
    format: 'google-tsv',
    currency: 'EUR',
    rows: [
      '0 · Item 0 · 1000 ·  · https://shop.example/0 · https://shop.example/0.jpg · in_stock ·  ·  ·  · ',
      '1 · Item 1 · 1000 ·  · https://shop.example/1 · https://shop.example/1.jpg · out_of_stock ·  ·  ·  · ',
      '2 · Item 2 · 1000 ·  · https://shop.example/2 · https://shop.example/2.jpg · out_of_stock ·  ·  ·  · ',
      '3 · Item 3 · 1000 ·  · https://shop.example/3 · https://shop.example/3.jpg · in_stock ·  ·  ·  · ',
      '4 · Item 4 · 1000 ·  · https://shop.example/4 · https://shop.example/4.jpg · in_stock ·  ·  ·  · ',
      '5 · Item 5 · 1000 ·  · https://shop.example/5 · https://shop.example/5.jpg ·  ·  ·  ·  · ',
      '6 · Item 6 · 1000 ·  · https://shop.example/6 · https://shop.example/6.jpg · in_stock ·  ·  ·  · ',
      '7 · Item 7 · 1000 ·  · https://shop.example/7 · https://shop.example/7.jpg · in_stock ·  ·  ·  · ',
      '8 · Item 8 · 1000 ·  · https://shop.example/8 · https://shop.example/8.jpg · out_of_stock ·  ·  ·  · ',
      '9 · Item 9 · 1000 ·  · https://shop.example/9 · https://shop.example/9.jpg · out_of_stock ·  ·  ·  · ',
      '10 · Item 10 · 1000 ·  · https://shop.example/10 · https://shop.example/10.jpg · out_of_stock ·  ·  ·  · ',
      '11 · Item 11 · 1000 ·  · https://shop.example/11 · https://shop.example/11.jpg · in_stock ·  ·  ·  · ',
      '12 · Item 12 · 1000 ·  · https://shop.example/12 · https://shop.example/12.jpg · out_of_stock ·  ·  ·  · ',
      '13 · Item 13 · 1000 ·  · https://shop.example/13 · https://shop.example/13.jpg · in_stock ·  ·  ·  · ',
    ],
  },
  {
    file: '16a-acp.json',
    format: 'agentic-commerce',
    currency: 'EUR',
    rows: [
      'prod_1 · Classic Tee 1 / S · 2000 · 2999 · https://shop.example/tee-1?v=S · https://shop.example/1-S.jpg · in_stock ·  ·  ·  · ',
      'prod_1 · Classic Tee 1 / M · 2000 · 2999 · https://shop.example/tee-1?v=M · https://shop.example/1-M.jpg · in_stock ·  ·  ·  · ',
      'prod_2 · Classic Tee 2 / S · 2001 · 2999 · https://shop.example/tee-2?v=S · https://shop.example/2-S.jpg · in_stock ·  ·  ·  · ',
      'prod_2 · Classic Tee 2 / M · 2001 · 2999 · https://shop.example/tee-2?v=M · https://shop.example/2-M.jpg · in_stock ·  ·  ·  · ',
      'prod_3 · Classic Tee 3 / S · 2002 · 2999 · https://shop.example/tee-3?v=S · https://shop.example/3-S.jpg · in_stock ·  ·  ·  · ',
      'prod_3 · Classic Tee 3 / M · 2002 · 2999 · https://shop.example/tee-3?v=M · https://shop.example/3-M.jpg · in_stock ·  ·  ·  · ',
    ],
  },
  {
    file: '17a-paapi5-offersv2.json',
    format: 'amazon-api',
    currency: 'EUR',
    rows: [
      'B000000001 · Noise cancelling headset 1 · 8099 · 12999 · https://www.amazon.example/dp/B000000001?tag=x-20 · https://m.media.example/I/1.jpg · in_stock ·  · Auralo · 4006381333931 · new',
      'B000000002 · Noise cancelling headset 2 · 8199 · 12999 · https://www.amazon.example/dp/B000000002?tag=x-20 · https://m.media.example/I/2.jpg · in_stock ·  · Auralo · 4006381333931 · new',
    ],
  },
  {
    file: '17b-creators.json',
    format: 'amazon-api',
    currency: 'EUR',
    rows: [
      'B000000001 · Noise cancelling headset 1 · 8099 · 12999 · https://www.amazon.example/dp/B000000001?tag=x-20 · https://m.media.example/I/1.jpg · in_stock ·  · Auralo · 4006381333931 · new',
      'B000000002 · Noise cancelling headset 2 · 8199 · 12999 · https://www.amazon.example/dp/B000000002?tag=x-20 · https://m.media.example/I/2.jpg · in_stock ·  · Auralo · 4006381333931 · new',
    ],
  },
  {
    file: '18-ebay-browse.json',
    format: 'ebay-browse',
    currency: 'EUR',
    rows: [
      'v1|110001|0 · Used camera body 1 · 18999 · 24999 · https://www.ebay.example/itm/1?campid=1 · https://i.ebayimg.example/1.jpg ·  · Digital Cameras ·  ·  · used',
      'v1|110002|0 · Used camera body 2 · 18999 · 24999 · https://www.ebay.example/itm/2?campid=1 · https://i.ebayimg.example/2.jpg ·  · Digital Cameras ·  ·  · used',
    ],
  },
  {
    file: '18b-ebay-feed.tsv',
    format: 'ebay-feed',
    currency: 'EUR',
    rows: [
      'v1|1|0 · Camera · 18999 · 24999 · https://www.ebay.example/itm/1?c=1 · https://i.ebayimg.example/1.jpg · in_stock · Cameras > Digital · Kestra · 4006381333931 · used',
    ],
  },
  {
    file: '25-skroutz.xml',
    format: 'skroutz-xml',
    currency: 'EUR',
    rows: [
      '1 · Λάμπα 1 · 1990 ·  · https://shop.example/1 · https://shop.example/1.jpg · out_of_stock · ΦΩΤΙΣΜΟΣ > Λάμπες · Lux ·  · ',
      '2 · Λάμπα 2 · 2990 ·  · https://shop.example/2 · https://shop.example/2.jpg · in_stock · ΦΩΤΙΣΜΟΣ > Λάμπες · Lux ·  · ',
      '3 · Λάμπα 3 · 3990 ·  · https://shop.example/3 · https://shop.example/3.jpg · out_of_stock · ΦΩΤΙΣΜΟΣ > Λάμπες · Lux ·  · ',
    ],
  },
  {
    file: '26-rozetka-oldprice.xml',
    format: 'yandex-yml',
    currency: 'EUR',
    rows: [
      '0 · Pan 0 · 199900 · 364900 · https://shop.example/0 · https://shop.example/0.jpg · in_stock · Pans ·  ·  · ',
      '1 · Pan 1 · 199900 · 364900 · https://shop.example/1 · https://shop.example/1.jpg · in_stock · Pans ·  ·  · ',
      '2 · Pan 2 · 199900 · 364900 · https://shop.example/2 · https://shop.example/2.jpg · in_stock · Pans ·  ·  · ',
      '3 · Pan 3 · 199900 ·  · https://shop.example/3 · https://shop.example/3.jpg · in_stock · Pans ·  ·  · ',
    ],
  },
  {
    file: '27-path-slash.json',
    format: 'walmart-json',
    currency: 'EUR',
    rows: [
      '0 · Phone 0 · 9900 · 19900 · https://shop.example/0 · https://shop.example/0.jpg · in_stock · Phones > By system > Kind 0 ·  ·  · ',
      '1 · Phone 1 · 10000 · 19900 · https://shop.example/1 · https://shop.example/1.jpg · in_stock · Phones > By system > Kind 1 ·  ·  · ',
      '2 · Phone 2 · 10100 · 19900 · https://shop.example/2 · https://shop.example/2.jpg · in_stock · Phones > By system > Kind 2 ·  ·  · ',
      '3 · Phone 3 · 10200 · 19900 · https://shop.example/3 · https://shop.example/3.jpg · in_stock · Phones > By system > Kind 3 ·  ·  · ',
      '4 · Phone 4 · 10300 · 19900 · https://shop.example/4 · https://shop.example/4.jpg · in_stock · Phones > By system > Kind 4 ·  ·  · ',
    ],
  },
  {
    file: '29-etsy.json',
    format: 'etsy-json',
    currency: 'EUR',
    rows: [
      '7080 · Ring 0 · 1599 ·  · https://shop.example/0 · https://shop.example/0.jpg · out_of_stock ·  ·  ·  · ',
      '7081 · Ring 1 · 1599 ·  · https://shop.example/1 · https://shop.example/1.jpg · in_stock ·  ·  ·  · ',
      '7082 · Ring 2 · 1599 ·  · https://shop.example/2 · https://shop.example/2.jpg · in_stock ·  ·  ·  · ',
    ],
  },
  {
    file: '30-partnerads.xml',
    format: 'partner-ads-xml',
    currency: 'EUR',
    rows: [
      '1 · Røremaskine 1 · 64900 · 89900 · https://www.partner.example/klik?bannerid=1&htmlurl=https://shop.example/1?utm_source=x&utm_medium=y · https://shop.example/1.jpg · in_stock · Køkken · Kenwood · 5011423196527 · ',
      '2 · Røremaskine 2 · 64900 · 89900 · https://www.partner.example/klik?bannerid=1&htmlurl=https://shop.example/2?utm_source=x&utm_medium=y · https://shop.example/2.jpg · in_stock · Køkken · Kenwood · 5011423196527 · ',
    ],
  },
  {
    file: '31-woo-subset.csv',
    format: 'woocommerce-csv',
    currency: 'EUR',
    rows: [
      'A1 · Red wine · 1500 · 2000 · https://shop.example/?s=Red%20wine&post_type=product · https://shop.example/a.jpg · in_stock · Wine ·  ·  · ',
      'A2 · White wine · 1800 ·  · https://shop.example/?s=White%20wine&post_type=product · https://shop.example/b.jpg · out_of_stock · Wine ·  ·  · ',
    ],
  },
  {
    file: '36-rakuten-ichiba.json',
    format: 'rakuten-ichiba',
    currency: 'JPY',
    rows: [
      's:1 · ランプ 1 · 2808 ·  · https://af.example/1 · https://shop.example/1.jpg · in_stock ·  ·  ·  · ',
      's:2 · ランプ 2 · 2808 ·  · https://af.example/2 · https://shop.example/2.jpg · in_stock ·  ·  ·  · ',
    ],
  },
  {
    file: 'aliexpress.json',
    format: 'aliexpress-json',
    currency: 'EUR',
    rows: [
      '100501 · Watch 1 · 1234 · 2468 · https://shop.example/p/1 · https://shop.example/i/1.jpg ·  · Watches ·  ·  · ',
      '100502 · Watch 2 · 1234 · 2468 · https://shop.example/p/2 · https://shop.example/i/2.jpg ·  · Watches ·  ·  · ',
    ],
  },
  {
    file: 'arukereso.xml',
    format: 'arukereso-xml',
    currency: 'EUR',
    rows: [
      'A1 · Lámpa 1 · 1299000 ·  · https://shop.example/p/1 · https://shop.example/i/1.jpg ·  · Otthon > Lámpák · Acme · 4006381333931 · ',
      'A2 · Lámpa 2 · 1299000 ·  · https://shop.example/p/2 · https://shop.example/i/2.jpg ·  · Otthon > Lámpák · Acme · 4006381333931 · ',
    ],
  },
  {
    file: 'beslist.xml',
    format: 'beslist-xml',
    currency: 'EUR',
    rows: [
      '1 · Lamp 1 · 3995 ·  · https://shop.example/p/1 · https://shop.example/i/1.jpg ·  · Wonen > Lampen · Acme · 4006381333931 · ',
      '2 · Lamp 2 · 3995 ·  · https://shop.example/p/2 · https://shop.example/i/2.jpg ·  · Wonen > Lampen · Acme · 4006381333931 · ',
    ],
  },
  {
    file: 'bigcommerce.csv',
    format: 'bigcommerce-csv',
    currency: 'EUR',
    rows: [
      '77 · Canvas bag · 3900 · 4900 · https://shop.example/canvas-bag/ · https://shop.example/i/77.jpg · in_stock · Bags > Canvas · Acme · 4006381333931 · ',
    ],
  },
  {
    file: 'cj-graphql.json',
    format: 'cj-graphql',
    currency: 'EUR',
    rows: [
      'c1 · Jacket 1 · 7900 · 9900 · https://www.cj.example/click-1-1 · https://shop.example/i/1.jpg · in_stock · Apparel > Jackets · Acme · 4006381333931 · ',
      'c2 · Jacket 2 · 7900 · 9900 · https://www.cj.example/click-1-2 · https://shop.example/i/2.jpg · in_stock · Apparel > Jackets · Acme · 4006381333931 · ',
    ],
  },
  {
    file: 'content-api.json',
    format: 'content-api',
    currency: 'EUR',
    rows: [
      'o1 · Lamp 1 · 1499 · 1999 · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock · Home > Lamps · Lux · 4006381333931 · new',
      'o2 · Lamp 2 · 1499 · 1999 · https://shop.example/p/2 · https://shop.example/i/2.jpg · in_stock · Home > Lamps · Lux · 4006381333931 · new',
    ],
  },
  {
    file: 'etsy-v3.json',
    format: 'etsy-json',
    currency: 'EUR',
    rows: [
      '901 · Ring 1 · 1599 ·  · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock ·  ·  ·  · ',
      '902 · Ring 2 · 1599 ·  · https://shop.example/p/2 · https://shop.example/i/2.jpg · in_stock ·  ·  ·  · ',
    ],
  },
  {
    file: 'merchant-api-micros.json',
    format: 'merchant-api',
    currency: 'EUR',
    rows: [
      'o1 · Lamp 1 · 1499 · 1999 · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock ·  · Lux · 4006381333931 · ',
      'o2 · Lamp 2 · 1499 · 1999 · https://shop.example/p/2 · https://shop.example/i/2.jpg · in_stock ·  · Lux · 4006381333931 · ',
    ],
  },
  {
    file: 'openai-2025.json',
    format: 'openai-json',
    currency: 'EUR',
    rows: [
      'g1 · Trail shoe 1 · 5999 · 7999 · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock · Apparel > Shoes · Acme · 4006381333931 · new',
      'g2 · Trail shoe 2 · 5999 · 7999 · https://shop.example/p/2 · https://shop.example/i/2.jpg · in_stock · Apparel > Shoes · Acme · 4006381333931 · new',
    ],
  },
  {
    file: 'openai.jsonl',
    format: 'openai-json',
    currency: 'EUR',
    rows: [
      'g1 · Trail shoe 1 · 5999 · 7999 · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock · Apparel > Shoes · Acme · 4006381333931 · new',
      'g2 · Trail shoe 2 · 5999 · 7999 · https://shop.example/p/2 · https://shop.example/i/2.jpg · in_stock · Apparel > Shoes · Acme · 4006381333931 · new',
    ],
  },
  {
    file: 'pricespy.csv',
    format: 'pricespy-csv',
    currency: 'EUR',
    rows: [
      '1 · Lamp · 19900 ·  · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock · Home · Lux ·  · ',
    ],
  },
  {
    file: 'rakuten-productsearch.xml',
    format: 'rakuten-productsearch',
    currency: 'EUR',
    rows: [
      'S1 · Coat 1 · 7900 · 9900 · https://click.example/?u=1 · https://shop.example/i/1.jpg ·  · Apparel > Coats > Women ·  · 4006381333931 · ',
      'S2 · Coat 2 · 7900 · 9900 · https://click.example/?u=2 · https://shop.example/i/2.jpg ·  · Apparel > Coats > Women ·  · 4006381333931 · ',
    ],
  },
  {
    file: 'shopify-bulk.jsonl',
    format: 'shopify-bulk',
    currency: 'EUR',
    rows: [
      'gid://shopify/Product/1 · Lamp 1 · 1999 · 2999 · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock · Lamps · Lux · 4006381333931 · ',
      'gid://shopify/Product/1 · Lamp 1 · 2499 ·  · https://shop.example/p/1 · https://shop.example/i/1.jpg · out_of_stock · Lamps · Lux ·  · ',
      'gid://shopify/Product/2 · Lamp 2 · 1999 · 2999 · https://shop.example/p/2 · https://shop.example/i/2.jpg · in_stock · Lamps · Lux · 4006381333931 · ',
      'gid://shopify/Product/2 · Lamp 2 · 2499 ·  · https://shop.example/p/2 · https://shop.example/i/2.jpg · out_of_stock · Lamps · Lux ·  · ',
    ],
  },
  {
    file: 'tiktok.csv',
    format: 'tiktok-csv',
    currency: 'EUR',
    rows: [
      'G1 · Lamp · 1499 · 1999 · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock ·  · Lux ·  · new',
    ],
  },
  {
    file: 'yml-vendor-model.xml',
    format: 'yandex-yml',
    currency: 'EUR',
    rows: [
      '1 · Hair dryer Rowen PA-1 · 1999 · 2999 · https://shop.example/p/1 · https://shop.example/i/1.jpg · in_stock · Fans · Rowen ·  · ',
      '2 · Hair dryer Rowen PA-2 · 1999 · 2999 · https://shop.example/p/2 · https://shop.example/i/2.jpg · in_stock · Fans · Rowen ·  · ',
    ],
  },
];

test.each(feeds)('reads every field of $file', async ({ file, format, currency, rows }) => {
  const now = new Date('2026-11-26T12:00:00Z');
  expect(
    await readFeedTable(new URL(`./fixtures/feeds/${file}`, import.meta.url), currency, now),
  ).toEqual({ format, rows });
});

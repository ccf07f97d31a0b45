import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { readFeed } from './read-feed.server.ts';

/**
 * The expected rows of each fixture: id, title, price and old price in cents, link, picture, stock,
 * category and code. Values that the feed lacks are empty.
 */
const networks = [
  {
    file: 'shopify-csv.csv',
    format: 'shopify-csv',
    currency: 'USD',
    traps:
      'byte-order mark, title on the first row of a product only, a row that is a picture, a draft, a code with an apostrophe, no links',
    rows: [
      'linen-shirt · Linen shirt · 3900 · 5900 · https://shop.example/products/linen-shirt · https://cdn.example/shirt.jpg?v=1 · out_of_stock · Shirts · 4006381333931',
      'linen-shirt · Linen shirt · 4500 ·  · https://shop.example/products/linen-shirt · https://cdn.example/shirt-m.jpg · in_stock · Shirts · ',
      'oak-stool · Oak stool · 12050 · 15000 · https://shop.example/products/oak-stool · https://cdn.example/stool.jpg · in_stock · Chairs · ',
    ],
  },
  {
    file: 'shopify-csv-2025.csv',
    format: 'shopify-csv-2025',
    currency: 'USD',
    traps:
      'renamed columns, capitals in its status, blank variants, a row that is a picture, no links',
    rows: [
      'wool-cap · Wool "North" cap · 1850 · 2500 · https://shop.example/products/wool-cap · https://cdn.example/cap.jpg · in_stock · Hats · 042100005264',
      'wool-cap · Wool "North" cap · 1850 ·  · https://shop.example/products/wool-cap · https://cdn.example/cap-red.jpg · out_of_stock · Hats · ',
    ],
  },
  {
    file: 'shopify-json.json',
    format: 'shopify-json',
    currency: 'USD',
    traps: 'variants inside products, null and "" as old price, braces in texts, no links',
    rows: [
      '7100001 · Desk "Alma" · 24900 · 29900 · https://shop.example/products/desk-alma · https://cdn.example/desk.jpg · in_stock · Desks · ',
      '7100001 · Desk "Alma" · 34900 ·  · https://shop.example/products/desk-alma · https://cdn.example/desk-l.jpg · out_of_stock · Desks · ',
      '7100002 · Chair · 8000 ·  · https://shop.example/products/chair ·  · in_stock ·  · ',
    ],
  },
  {
    file: 'woocommerce-csv.csv',
    format: 'woocommerce-csv',
    currency: 'USD',
    traps:
      'German headers in windows-1252, semicolons and decimal commas, a parent without a price, lists of categories and pictures, a draft and one that waits for review, a sale that has not begun',
    rows: [
      '81 · Teekanne; "Ostara" · 3490 · 4990 · https://shop.example/?p=81 · https://shop.example/a.jpg · in_stock · Küche > Kannen · 4006381333931',
      '83 · Tasse - Rot · 1250 ·  · https://shop.example/?p=83 · https://shop.example/c.jpg · out_of_stock · Küche · ',
      '84 · Buch · 129900 ·  · https://andere.example/buch ·  · in_stock · Bücher · ',
    ],
  },
  {
    file: 'woocommerce-csv-pl.csv',
    format: 'woocommerce-csv',
    currency: 'PLN',
    traps: 'Polish headers, a sale that is over, a draft, a byte-order mark',
    rows: [
      '7 · Czajnik "Ost" · 11900 ·  · https://shop.example/?p=7 · https://sklep.example/cz.jpg · in_stock · Dom > Kuchnia · ',
      '8 · Kubek · 950 · 1200 · https://shop.example/?p=8 ·  · out_of_stock · Dom · ',
    ],
  },
  {
    file: 'woocommerce-any-language.csv',
    format: 'woocommerce-any-language',
    currency: 'TRY',
    traps:
      'a header in a language that nobody prepared, everything quoted, a line break inside a cell, a parent without a price, lists',
    rows: [
      '81 · Çaydanlık "Ostara" · 34990 · 49990 · https://shop.example/?p=81 · https://shop.example/a.jpg · in_stock · Mutfak > Çaydanlık · 8690000000012',
      '83 · Fincan - Kırmızı · 12500 ·  · https://shop.example/?p=83 ·  · out_of_stock · Mutfak · ',
    ],
  },
  {
    file: 'woocommerce-any-language-older.csv',
    format: 'woocommerce-any-language-older',
    currency: 'TRY',
    traps: 'a column less, two words as its type, no category, a picture by http',
    rows: [
      '84 · Tepsi · 8000 · 9550 · https://shop.example/?p=84 · https://shop.example/t.jpg · in_stock · Mutfak · ',
      '85 · Kurs · 100000 ·  · https://shop.example/?p=85 ·  · in_stock ·  · ',
    ],
  },
  {
    file: 'woocommerce-json.json',
    format: 'woocommerce-json',
    currency: 'EUR',
    traps: 'prices in cents, entities in names, a list as the document, nested pictures',
    rows: [
      '34 · Kettle & lid · 1999 · 2999 · https://shop.example/product/kettle/ · https://shop.example/k.jpg · in_stock · Kitchen · ',
      '35 · Cup · 450 ·  · https://shop.example/product/cup/ ·  · out_of_stock ·  · ',
    ],
  },
  {
    file: 'magento-csv.csv',
    format: 'magento-csv',
    currency: 'USD',
    traps:
      'six decimals, paths with slashes in a list, pictures without host, a parent without a price, a part of it without a page, a row of another language, days as the back office writes them, a special price that is over',
    rows: [
      'BG-1 · Duffle "North" · 2800 · 3400 · https://shop.example/duffle-north.html · https://shop.example/b/g/bg-1.jpg · in_stock · Gear > Bags · ',
      'BG-2 · Backpack · 5900 ·  · https://shop.example/backpack.html ·  · out_of_stock · Gear · ',
    ],
  },
  {
    file: 'prestashop-csv.csv',
    format: 'prestashop-csv',
    currency: 'USD',
    traps:
      'marks and brackets in headers, windows-1252, a price before tax beside the one that is paid, a hidden product',
    rows: [
      '11 · Cafetière "Été" · 3990 ·  · https://shop.example/index.php?id_product=11&controller=product · https://boutique.example/1.jpg · in_stock · Cuisine · 3760000000017',
      '12 · Moulin · 124900 ·  · https://shop.example/index.php?id_product=12&controller=product ·  · out_of_stock · Cuisine · ',
    ],
  },
  {
    file: 'prestashop-csv-list.csv',
    format: 'prestashop-csv',
    currency: 'USD',
    traps: 'dots and brackets in headers, a price before tax, six decimals, a semicolon in a name',
    rows: [
      '21 · Théière; grande · 2490 ·  · https://shop.example/index.php?id_product=21&controller=product · https://boutique.example/img/21.jpg · in_stock · Cuisine · ',
      '22 · Tasse · 600 ·  · https://shop.example/index.php?id_product=22&controller=product ·  · out_of_stock · Cuisine · ',
    ],
  },
  {
    file: 'yandex-yml.xml',
    format: 'yandex-yml',
    currency: 'RUB',
    traps:
      'windows-1251 and a doctype, categories by number, RUR, several pictures, the name in three elements, spaces in prices',
    rows: [
      'g7 · Чайник Ост · 199000 · 249050 · https://shop.example/a1?x=1&y=2 · https://img.example/a1.jpg · in_stock · Дом > Чайники · 4600000000015',
      'A2 · Кружка · 30000 ·  · https://shop.example/a2 ·  · out_of_stock ·  · ',
    ],
  },
  {
    file: 'admitad-yml.xml',
    format: 'admitad-yml',
    currency: 'USD',
    traps:
      'the id as an attribute beside a vendor code, 0 as old price, a tracking link, categories by number',
    rows: [
      '77 · Runner "X" · 8999 · 12000 · https://ad.admitad.com/g/abc/?ulp=https%3A%2F%2Fshop.example%2F77 · https://img.example/77.jpg · in_stock · Shoes · ',
      '78 · Sock · 900 ·  · https://ad.admitad.com/g/abc/?ulp=https%3A%2F%2Fshop.example%2F78 ·  · in_stock · Shoes · ',
    ],
  },
  {
    file: 'admitad-csv.csv',
    format: 'admitad-csv',
    currency: 'USD',
    traps:
      'a number as category, words in the column of numbers, commas and colons in a list, a tracking link',
    rows: [
      'RX-9 · Runner "X" · 8999 · 12000 · https://ad.admitad.com/g/abc/?ulp=https%3A%2F%2Fshop.example%2Frx · https://img.example/rx.jpg · in_stock · Shoes > Running · ',
      'SK-1 · Sock · 900 ·  · https://ad.admitad.com/g/abc/?ulp=https%3A%2F%2Fshop.example%2Fsk ·  · out_of_stock ·  · ',
    ],
  },
  {
    file: 'meta-csv.csv',
    format: 'meta-csv',
    currency: 'USD',
    traps:
      'a line of comments with quotes above the header, byte-order mark, a number as category, pictures by http',
    rows: [
      'FB_1 · Shirt, blue · 800 · 1000 · https://shop.example/fb1 · https://img.example/fb1.jpg · in_stock · clothing > shirts · ',
      'FB_2 · Cap · 500 ·  · https://shop.example/fb2 · https://img.example/fb2.jpg · out_of_stock · Apparel & Accessories > Hats · ',
    ],
  },
  {
    file: 'meta-xml.xml',
    format: 'meta-xml',
    currency: 'USD',
    traps: 'prefixes, the price of a shipping, a number as category, a second title, CDATA',
    rows: [
      'M1 · Bag & strap · 3000 · 4000 · https://shop.example/m1 · https://img.example/m1.jpg · unknown · bags · ',
      'M2 · Leather belt · 2000 ·  · https://shop.example/m2 · https://img.example/m2.jpg · in_stock ·  · ',
    ],
  },
  {
    file: 'tradedoubler-csv.csv',
    format: 'tradedoubler-csv',
    currency: 'EUR',
    traps: 'bars, decimal commas, a list of codes, two categories, semicolons behind a category',
    rows: [
      'K-1 · Kettle & lid · 2995 ·  · https://clk.tradedoubler.com/click?p=1&a=2&url=https%3A%2F%2Fshop.example%2Fk · https://img.example/k.jpg · in_stock · Kitchen > Kettles · 4006381333931',
      'C-1 · Cup · 500 ·  · https://clk.tradedoubler.com/click?p=1&a=2&url=https%3A%2F%2Fshop.example%2Fc · https://img.example/c.jpg · out_of_stock · Home · ',
    ],
  },
  {
    file: 'tradedoubler-csv-newer.csv',
    format: 'tradedoubler-csv',
    currency: 'EUR',
    traps:
      'a field of the shop with the price that is paid, brackets in headers, semicolons behind a category, a group of sizes',
    rows: [
      'G-1 · Shorts, "Run" · 1400 · 2000 · https://pdt.tradedoubler.com/click?a(1)p(2)url=https%3A%2F%2Fshop.example%2Fs · https://img.example/s.jpg · in_stock · Apparel & Accessories > Shorts · 4006381333931',
      'SK-1 · Socks · 350 ·  · https://pdt.tradedoubler.com/click?a(1)p(2)url=https%3A%2F%2Fshop.example%2Fsk ·  · out_of_stock · Apparel · ',
    ],
  },
  {
    file: 'tradedoubler-xml.xml',
    format: 'tradedoubler-xml',
    currency: 'GBP',
    traps:
      'a default namespace, fields by the names in attributes, nested prices with currency, self-closed elements, two links',
    rows: [
      'L-1 · Lamp "Ida" · 4500 · 6000 · https://clk.tradedoubler.com/click?p=1&url=https%3A%2F%2Fshop.example%2Fl · https://img.example/l.jpg · in_stock · Lighting · 4006381333931',
      'B-1 · Bulb · 350 ·  · https://clk.tradedoubler.com/click?p=1&url=https%3A%2F%2Fshop.example%2Fb ·  · out_of_stock · Lighting · ',
    ],
  },
  {
    file: 'tradetracker-csv.csv',
    format: 'tradetracker-csv',
    currency: 'EUR',
    traps: 'quotes and semicolons, numbers beside a path, thousands, //-pictures, stock in Dutch',
    rows: [
      '55 · Fiets "Stad" · 124900 · 149900 · https://tc.tradetracker.net/?c=9&m=1&a=2&r=&u=https%3A%2F%2Fwinkel.example%2F55 · https://img.example/55.jpg · in_stock · Fietsen > Stad · 8710000000017',
      '56 · Bel · 750 ·  · https://tc.tradetracker.net/?c=9&m=1&a=2&r=&u=https%3A%2F%2Fwinkel.example%2F56 ·  · out_of_stock · Fietsen · ',
    ],
  },
  {
    file: 'tradetracker-xml.xml',
    format: 'tradetracker-xml',
    currency: 'EUR',
    traps: 'properties by name, the path in an attribute, several pictures, self-closed elements',
    rows: [
      '55 · Bike "City" · 124900 · 149900 · https://tc.tradetracker.net/?c=9&u=https%3A%2F%2Fshop.example%2F55 · https://img.example/55.jpg · in_stock · Bikes > City · 8710000000017',
      '56 · Bell · 750 ·  · https://tc.tradetracker.net/?c=9&u=https%3A%2F%2Fshop.example%2F56 ·  · out_of_stock · Bikes · ',
    ],
  },
  {
    file: 'tradetracker-xml-older.xml',
    format: 'tradetracker-xml',
    currency: 'EUR',
    traps:
      'fields by the names in attributes, the path in an attribute, an empty picture, entities',
    rows: [
      '61 · Lamp & cord · 4950 · 5950 · https://tc.tradetracker.net/?c=9&u=https%3A%2F%2Fshop.example%2F61 · https://img.example/61.jpg · in_stock · Home > Lamps · 8710000000024',
      '62 · Bulb · 350 ·  · https://tc.tradetracker.net/?c=9&u=https%3A%2F%2Fshop.example%2F62 ·  · out_of_stock · Home · ',
    ],
  },
  {
    file: 'tradetracker-json.json',
    format: 'tradetracker-json',
    currency: 'EUR',
    traps: 'a list around each value, the price in an object, braces in texts, a list of pictures',
    rows: [
      '71 · Tent "Noord" {2} · 19900 · 24900 · https://tc.tradetracker.net/?c=9&u=https%3A%2F%2Fwinkel.example%2F71 · https://img.example/71.jpg · in_stock · Kamperen > Tenten · 8710000000031',
      '72 · Haring · 150 ·  · https://tc.tradetracker.net/?c=9&u=https%3A%2F%2Fwinkel.example%2F72 ·  · out_of_stock · Kamperen · ',
    ],
  },
  {
    file: 'flexoffers-csv.csv',
    format: 'flexoffers-csv',
    currency: 'USD',
    traps: 'quoted everything, 0.00 as sale price, "$1,299.00", lists in HTML',
    rows: [
      'f-1 · Grill, "Big" · 99900 · 129900 · https://track.flexlinkspro.com/p.ashx?foid=1&url=https%3A%2F%2Fshop.example%2Fg · https://img.example/g.jpg · in_stock · Garden > Grills · 042100005264',
      'f-2 · Tongs · 1200 ·  · https://track.flexlinkspro.com/p.ashx?foid=2&url=https%3A%2F%2Fshop.example%2Ft ·  · out_of_stock · Garden · ',
    ],
  },
  {
    file: 'flexoffers-json.json',
    format: 'flexoffers-json',
    currency: 'USD',
    traps: 'filters that repeat, too, scientific notation, 0 as sale price, null',
    rows: [
      'f-1 · Grill · 99900 · 129900 · https://track.flexlinkspro.com/p.ashx?url=https%3A%2F%2Fshop.example%2Fg · https://img.example/g.jpg · in_stock · Garden > Grills · 042100005264',
      'f-2 · Tongs · 1200 ·  · https://track.flexlinkspro.com/p.ashx?url=https%3A%2F%2Fshop.example%2Ft ·  · out_of_stock · Garden · ',
    ],
  },
  {
    file: 'kwanko-csv.csv',
    format: 'kwanko-csv',
    currency: 'EUR',
    traps:
      'French headers in windows-1252, EUROS, a thin space in thousands, the picture in the second column, stock in French',
    rows: [
      'R-1 · Écharpe "Été" · 2990 · 3990 · https://action.metaffiliation.com/trk.php?mclic=P1&redir=https%3A%2F%2Fboutique.example%2F1 · https://img.example/1.jpg · in_stock · Mode > Écharpes · 3760000000017',
      'R-2 · Gants · 101500 ·  · https://action.metaffiliation.com/trk.php?mclic=P1&redir=https%3A%2F%2Fboutique.example%2F2 · https://img.example/2.jpg · out_of_stock · Mode · ',
    ],
  },
  {
    file: 'kwanko-newer.csv',
    format: 'kwanko-csv',
    currency: 'EUR',
    traps: 'tabs, byte-order mark, a list of pictures, an old price that is none',
    rows: [
      'T-2 · Tent, 2 p. · 9900 · 14900 · https://tracking.kwanko.com/click?u=https%3A%2F%2Fshop.example%2Ft2 · https://img.example/t2.jpg · in_stock · Outdoor > Tents · 3760000000024',
      'P-1 · Peg · 99 ·  · https://tracking.kwanko.com/click?u=https%3A%2F%2Fshop.example%2Fp1 ·  · out_of_stock · Outdoor · ',
    ],
  },
  {
    file: 'kwanko-csv-v3.csv',
    format: 'kwanko-csv',
    currency: 'EUR',
    traps: 'a sign as currency, three sizes of pictures, two categories, 0,00 as old price',
    rows: [
      'R-1 · Écharpe "Été" · 2990 · 3990 · https://action.metaffiliation.com/trk.php?mclic=P1&redir=https%3A%2F%2Fboutique.example%2F1 · https://img.example/1.jpg · in_stock · Mode > Écharpes · 3760000000017',
      'R-2 · Gants · 1500 ·  · https://action.metaffiliation.com/trk.php?mclic=P1&redir=https%3A%2F%2Fboutique.example%2F2 ·  · out_of_stock · Mode · ',
    ],
  },
  {
    file: 'kwanko-csv-v4.csv',
    format: 'kwanko-csv',
    currency: 'EUR',
    traps:
      'names in plain English, a byte-order mark, a blank availability beside a number for stock, an old price below the price',
    rows: [
      'P-1 · Pull "Été" · 2500 · 5000 · https://action.metaffiliation.com/trk.php?mclic=P1&redir=https%3A%2F%2Fboutique.example%2Fp1 · https://img.example/p1.jpg · in_stock · Mode > Pulls · 3760000000017',
      'P-2 · Bonnet · 990 ·  · https://action.metaffiliation.com/trk.php?mclic=P1&redir=https%3A%2F%2Fboutique.example%2Fp2 ·  · out_of_stock · Mode · ',
    ],
  },
  {
    file: 'awin-hosted.csv',
    format: 'awin',
    currency: 'USD',
    traps:
      'a price for a litre beside the price, a recommended price, markup in descriptions, words as stock',
    rows: [
      'OL-1 · Olive oil, "Early" · 890 · 1190 · https://shop.example/ol1 · https://img.example/ol1.jpg · in_stock · Food > Oils · 4006381333931',
      'OL-2 · Vinegar · 350 ·  · https://shop.example/ol2 ·  · out_of_stock · Food · ',
    ],
  },
  {
    file: 'cj-shopping.csv',
    format: 'cj',
    currency: 'USD',
    traps:
      'currencies behind prices, a sale price that is none, colons and brackets in headers, the price of a shipping',
    rows: [
      'CP-1 · Cup, "Blue" · 1550 · 2000 · https://www.anrdoezrs.example/click-1?url=https%3A%2F%2Fshop.example%2Fcp1 · https://img.example/cp1.jpg · in_stock · Kitchen > Cups · 4006381333931',
      'CP-2 · Saucer · 600 ·  · https://www.anrdoezrs.example/click-2?url=https%3A%2F%2Fshop.example%2Fcp2 ·  · out_of_stock · Home & Garden > Kitchen · ',
    ],
  },
  {
    file: 'kwanko-xml.xml',
    format: 'kwanko-xml',
    currency: 'EUR',
    traps: 'latin-1, an empty old price, CDATA, stock in French',
    rows: [
      'R-1 · Écharpe & bonnet · 2990 · 3990 · https://action.metaffiliation.com/trk.php?redir=https%3A%2F%2Fboutique.example%2F1 · https://img.example/1.jpg · in_stock · Mode > Écharpes · 3760000000017',
      'R-2 · Gants · 1500 ·  · https://action.metaffiliation.com/trk.php?redir=https%3A%2F%2Fboutique.example%2F2 ·  · out_of_stock · Mode · ',
    ],
  },
  {
    file: 'effiliation-csv.csv',
    format: 'effiliation-csv',
    currency: 'EUR',
    traps:
      'categories by levels, a number as category, dates of zeros, the picture in another column',
    rows: [
      'E-1 · Cardigan "Éden" · 9900 · 19900 · https://track.effiliation.com/servlet/effi.redir?id_compteur=1&url=https%3A%2F%2Fboutique.example%2Fe1 · https://img.example/e1.jpg · in_stock · HOMME > CARDIGAN · 3760000000017',
      'E-2 · Pull · 1900 ·  · https://track.effiliation.com/servlet/effi.redir?id_compteur=1&url=https%3A%2F%2Fboutique.example%2Fe2 · https://img.example/e2.jpg · out_of_stock ·  · ',
    ],
  },
  {
    file: 'daisycon-csv.csv',
    format: 'daisycon-csv',
    currency: 'EUR',
    traps:
      'the programme’s id and name before the product’s, a number beside a path, 0.00 as old price, //-pictures, bars in paths',
    rows: [
      'S-1 · Stoel "Noor" · 12995 · 15995 · https://ds1.nl/c/?si=1&li=2&dl=https%3A%2F%2Fwinkel.example%2Fs1 · https://img.example/s1.jpg · in_stock · Wonen > Stoelen · 8710000000017',
      'S-2 · Kussen · 1995 ·  · https://ds1.nl/c/?si=1&li=2&dl=https%3A%2F%2Fwinkel.example%2Fs2 ·  · out_of_stock · Wonen · ',
    ],
  },
  {
    file: 'daisycon-xml.xml',
    format: 'daisycon-xml',
    currency: 'EUR',
    traps: 'products three levels deep, two records in each, nested pictures, entities',
    rows: [
      'S-1 · Stoel & kussen · 12995 · 15995 · https://ds1.nl/c/?dl=https%3A%2F%2Fwinkel.example%2Fs1 · https://img.example/s1.jpg · in_stock · Wonen > Stoelen · 8710000000017',
      'S-2 · Kussen · 1995 ·  · https://ds1.nl/c/?dl=https%3A%2F%2Fwinkel.example%2Fs2 ·  · out_of_stock · Wonen · ',
    ],
  },
  {
    file: 'webgains-csv.csv',
    format: 'webgains-csv',
    currency: 'GBP',
    traps: 'UTF-16, £ and a space for thousands, the tracking link under a name of its own',
    rows: [
      'V-1 · Vase, tall · 102900 ·  · https://track.webgains.com/click.html?wgcampaignid=1&wgtarget=https%3A%2F%2Fshop.example%2Fv1 · https://img.example/v1.jpg ·  · Home > Vases · 4006381333931',
      'V-2 · Bowl · 1200 ·  · https://track.webgains.com/click.html?wgcampaignid=1&wgtarget=https%3A%2F%2Fshop.example%2Fv2 ·  ·  · Home · ',
    ],
  },
  {
    file: 'partnerize-csv.csv',
    format: 'partnerize-csv',
    currency: 'GBP',
    traps:
      'bars, also inside quotes, a link to the category beside the product’s, prices with and without currency, the shop in the path of the link',
    rows: [
      'P1 · Coat | long · 8900 · 12000 · https://prf.hn/click/camref:abc/destination:https%3A%2F%2Fshop.example%2Fp1 · https://img.example/p1.jpg · in_stock · Women > Coats · 4006381333931',
      'P2 · Scarf · 1000 ·  · https://prf.hn/click/camref:abc/destination:https%3A%2F%2Fshop.example%2Fp2 ·  · out_of_stock · Women · ',
    ],
  },
  {
    file: 'shareasale.txt',
    format: 'shareasale',
    currency: 'USD',
    traps: 'no header, a lone quote, 0.00 as old price, two pairs of categories, fifty columns',
    rows: [
      'CP6 · 6" Planter · 2495 · 3495 · https://www.shareasale.com/m-pr.cfm?merchantID=77&userID=YOURUSERID&productID=900 · https://img.example/900.jpg · in_stock · Garden > Planters · 042100005264',
      'HS · Hose · 1995 ·  · https://www.shareasale.com/m-pr.cfm?merchantID=77&userID=YOURUSERID&productID=901 · https://img.example/901.jpg · out_of_stock · Home > Garden · ',
    ],
  },
  {
    file: 'kelkoo-csv.csv',
    format: 'kelkoo-csv',
    currency: 'NOK',
    traps: 'tabs, hyphens in headers, quotes inside cells, 0 as stock',
    rows: [
      'KK1 · Fleece "100" · 59900 · 79900 · https://shop.example/kk1 · https://img.example/kk1.jpg · in_stock · Clothing > Fleece · 7090000000011',
      'KK2 · Cap · 9900 ·  · https://shop.example/kk2 ·  · out_of_stock · Clothing · ',
    ],
  },
  {
    file: 'kelkoo-xml.xml',
    format: 'kelkoo-xml',
    currency: 'NOK',
    traps: 'CDATA around links, an empty first picture, hyphens in names, entities in categories',
    rows: [
      'KK1 · Fleece 10/11 · 59900 · 79900 · https://shop.example/kk1?a=1&b=2 · https://img.example/kk1-2.jpg · in_stock · Clothing > Fleece · 7090000000011',
      'KK2 · Cap · 9900 ·  · https://shop.example/kk2 ·  · out_of_stock · Clothing · ',
    ],
  },
  {
    file: 'kelkoo-json.json',
    format: 'kelkoo-json',
    currency: 'NOK',
    traps:
      'names beside numbers in objects, the price in whole numbers, an equal price before, a word of its own for stock',
    rows: [
      'a1 · Fleece "100" · 59900 · 79900 · https://no-go.kelkoogroup.net/go?u=https%3A%2F%2Fshop.example%2Fa1 · https://img.example/a1.jpg · in_stock · Clothing > Fleece · 7090000000011',
      'a2 · Cap · 9950 ·  · https://no-go.kelkoogroup.net/go?u=https%3A%2F%2Fshop.example%2Fa2 ·  · unknown · Hats · ',
    ],
  },
  {
    file: 'idealo-csv.csv',
    format: 'idealo-csv',
    currency: 'EUR',
    traps:
      'a line for spreadsheets above the header, decimal commas, a list of codes, a link without protocol, several pictures',
    rows: [
      'I-1 · Telefon "S" 128 GB · 149999 · 169999 · https://www.laden.example/i1 · https://img.example/i1.jpg ·  · Telefone > Mobil · 4006381333931',
      'I-2 · Hülle · 999 ·  · https://laden.example/i2 ·  ·  · Telefone · ',
    ],
  },
  {
    file: 'billiger-xml.xml',
    format: 'billiger-xml',
    currency: 'EUR',
    traps: 'ISO-8859-15, decimal commas, one digit, CDATA, an empty old price',
    rows: [
      'B-1 · Kühlschrank & Fach · 49900 · 59900 · https://laden.example/b1 · https://img.example/b1.jpg · in_stock · Küche > Kühlen · 4006381333931',
      'B-2 · Filter · 950 ·  · https://laden.example/b2 ·  ·  · Küche · ',
    ],
  },
  {
    file: 'billiger-csv.csv',
    format: 'billiger-csv',
    currency: 'EUR',
    traps: 'windows-1252, "599,– €", semicolons in quotes, a list of pictures',
    rows: [
      'B-1 · Kühlschrank · 49900 · 59900 · https://laden.example/b1 · https://img.example/b1.jpg · in_stock · Küche > Kühlen · 4006381333931',
      'B-2 · Filter · 950 ·  · https://laden.example/b2 ·  · out_of_stock · Küche · ',
    ],
  },
  {
    file: 'heureka-xml.xml',
    format: 'heureka-xml',
    currency: 'CZK',
    traps:
      'capitals, the price with tax, bars in paths, a delivery day that is not a stock, spaces in prices',
    rows: [
      'H1 · Konvice Ostara · 129050 · 159000 · https://obchod.example/h1 · https://img.example/h1.jpg ·  · Dům > Kuchyně > Konvice · 8590000000015',
      'H2 · Hrnek · 9900 ·  · https://obchod.example/h2 ·  ·  · Dům · ',
    ],
  },
  {
    file: 'ceneo-xml.xml',
    format: 'ceneo-xml',
    currency: 'PLN',
    traps:
      'everything in attributes, attributes by name, paths with slashes, one letter for an element',
    rows: [
      'C1 · Czajnik "Ostara" · 11990 ·  · https://sklep.example/c1?a=1&b=2 · https://img.example/c1.jpg · in_stock · Dom > Kuchnia > Czajniki · 5900000000015',
      'C2 · Kubek · 990 ·  · https://sklep.example/c2 ·  · out_of_stock · Dom · ',
    ],
  },
  {
    file: 'optimise-csv.csv',
    format: 'optimise-csv',
    currency: 'INR',
    traps: 'lakhs, a price and two others, pictures by size, a number beside a path',
    rows: [
      'O-1 · Sari, silk · 9999900 · 12999900 · https://clk.omgt5.com/?PID=1&R=https%3A%2F%2Fshop.example%2Fo1 · https://img.example/o1.jpg · in_stock · Women > Saris · ',
      'O-2 · Shawl · 50000 ·  · https://clk.omgt5.com/?PID=1&R=https%3A%2F%2Fshop.example%2Fo2 · https://img.example/o2s.jpg · out_of_stock · Women · ',
    ],
  },
];

// Proves P42: formats of networks and shops as files (feed-formats.server.ts)
test.each(networks)(
  'detects the format of $file automatically: $traps',
  async ({ file, format, currency, traps, rows }) => {
    const bytes = await readFile(fileURLToPath(new URL(`./fixtures/${file}`, import.meta.url)));
    async function* chunks() {
      yield bytes;
    }
    const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
    const feed = await readFeed(chunks(), { sizeLimits });
    expect(feed.format).toBe(format);
    const rules = { currency, now: new Date('2026-06-01'), shop: 'https://shop.example' };
    const read: string[] = [];
    for await (const found of feed.rows) {
      const checked = checkFeedRow(found, { ...rules, groupsVariants: true });
      if (!checked.ok) {
        read.push(checked.reason);
        continue;
      }
      expect(checked.notes).toEqual([]);
      const { row } = checked;
      const words = [row.external_id, row.title, row.sale_price, row.original_price, row.deal_url];
      const more = [row.image_url, row.availability, row.category_path.join(' > '), row.gtin];
      read.push([...words, ...more].map((word) => word ?? '').join(' · '));
    }
    expect(read).toEqual(rows);
    expect(traps.split(', ').length).toBeGreaterThanOrEqual(3);
  },
);

test.each([45, 60, 75, 90, 97])(
  'reads a YML file that arrives in two chunks, split after %i bytes within its doctype',
  async (at) => {
    const file = new URL('./fixtures/yandex-yml.xml', import.meta.url);
    const bytes = await readFile(fileURLToPath(file));
    async function* chunks() {
      yield bytes.subarray(0, at);
      yield bytes.subarray(at);
    }
    const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
    const feed = await readFeed(chunks(), { sizeLimits });
    expect((await Array.fromAsync(feed.rows)).map(({ values }) => values.external_id)).toEqual([
      'A1',
      'A2',
    ]);
  },
);

test('has fixtures for more than twenty-five networks', () => {
  expect(new Set(networks.map(({ format }) => format)).size).toBeGreaterThan(25);
});

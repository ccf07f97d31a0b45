import { expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { readFeed } from './read-feed.server.ts';

/**
 * Headings of a language: id, title, link, picture, old price, price, stock, category, brand and
 * code, and its words for in stock and out of stock.
 */
const languages = [
  [
    'Arabic',
    'رقم المنتج|اسم المنتج|رابط المنتج|رابط الصورة|السعر قبل الخصم|السعر بعد الخصم|التوفر|الفئة|العلامة التجارية|الباركود',
    'متوفر',
    'غير متوفر',
  ],
  [
    'Arabic with plain names',
    'المعرف|العنوان|الرابط|الصورة|السعر الأصلي|السعر|المخزون|التصنيف|الماركة|باركود',
    'متاح',
    'نفد من المخزون',
  ],
  [
    'Hebrew',
    'מק"ט|שם המוצר|קישור למוצר|קישור לתמונה|מחיר לפני הנחה|מחיר|זמינות|קטגוריה|מותג|ברקוד',
    'במלאי',
    'אזל מהמלאי',
  ],
  [
    'Greek',
    'Κωδικός|Όνομα προϊόντος|Σύνδεσμος|Εικόνα|Αρχική τιμή|Τελική τιμή|Διαθεσιμότητα|Κατηγορία|Κατασκευαστής|EAN',
    'Σε απόθεμα',
    'Εξαντλημένο',
  ],
  [
    'Japanese',
    '商品番号|商品名|商品ページURL|商品画像URL|通常価格|セール価格|在庫状況|カテゴリー|ブランド|JANコード',
    '在庫あり',
    '売り切れ',
  ],
  [
    'Japanese in full width',
    '商品ＩＤ|品名|商品ＵＲＬ|画像ＵＲＬ|定価|販売価格|在庫|カテゴリ|メーカー|ＪＡＮ',
    'あり',
    'なし',
  ],
  [
    'Korean',
    '상품번호|상품명|상품URL|이미지URL|정가|할인가|재고상태|카테고리|제조사|바코드',
    '재고있음',
    '품절',
  ],
  [
    'simplified Chinese',
    '商品编号|商品名称|商品链接|商品图片|原价|促销价|库存状态|商品分类|品牌|商品条码',
    '有货',
    '缺货',
  ],
  [
    'traditional Chinese',
    '商品編號|商品名稱|商品連結|商品圖片|原價|特價|庫存|類別|品牌|條碼',
    '現貨',
    '無庫存',
  ],
  [
    'Turkish',
    'Ürün Kodu|Ürün Adı|Ürün Linki|Görsel|Liste Fiyatı|İndirimli Fiyat|Stok Durumu|Kategori|Marka|Barkod',
    'Stokta var',
    'Tükendi',
  ],
  [
    'Turkish in capitals',
    'ÜRÜN KODU|BAŞLIK|BAĞLANTI|RESİM|ESKİ FİYAT|FİYAT|STOK|KATEGORİ|MARKA|BARKOD',
    'VAR',
    'YOK',
  ],
  [
    'Hungarian',
    'Cikkszám|Terméknév|Termék link|Kép URL|Eredeti ár|Akciós ár|Készlet|Kategória|Gyártó|Vonalkód',
    'Raktáron',
    'Nincs raktáron',
  ],
  [
    'Romanian',
    'Cod produs|Denumire produs|Link produs|Imagine|Preț vechi|Preț redus|Disponibilitate|Categorie|Producător|Cod de bare',
    'În stoc',
    'Stoc epuizat',
  ],
  [
    'Czech',
    'Kód zboží|Název produktu|URL produktu|Obrázek|Běžná cena|Akční cena|Dostupnost|Kategorie|Výrobce|Čárový kód',
    'Skladem',
    'Není skladem',
  ],
  [
    'Danish',
    'Varenummer|Varenavn|Vareurl|Billedurl|Førpris|Tilbudspris|Lagerstatus|Kategorinavn|Mærke|Stregkode',
    'På lager',
    'Udsolgt',
  ],
  [
    'Finnish',
    'Tuotekoodi|Tuotenimi|Tuotelinkki|Kuvalinkki|Normaalihinta|Tarjoushinta|Saatavuus|Tuoteryhmä|Valmistaja|Viivakoodi',
    'Varastossa',
    'Loppuunmyyty',
  ],
  [
    'Ukrainian',
    'id|Назва товару|Посилання|Зображення|Стара ціна|Ціна|Наявність|Категорія|Виробник|Штрихкод',
    'В наявності',
    'Немає в наявності',
  ],
] as const;

test.each(languages)(
  'reads headings and stock words in %s',
  async (_name, headings, there, gone) => {
    const header = headings.split('|').map((name) => `"${name.replaceAll('"', '""')}"`);
    const rowOf = (id: string, stock: string) =>
      [
        id,
        `Pot ${id}`,
        `https://shop.example/${id}`,
        `https://shop.example/${id}.jpg`,
        '30.00',
        '20.00',
        stock,
        'Home > Pots',
        'Acme',
        '4006381333931',
      ].join(',');
    const rows = await read([header.join(','), rowOf('1', there), rowOf('2', gone), ''].join('\n'));
    expect(rows).toMatchObject(
      ['in_stock', 'out_of_stock'].map((availability, at) => ({
        ok: true,
        row: {
          external_id: `${at + 1}`,
          title: `Pot ${at + 1}`,
          deal_url: `https://shop.example/${at + 1}`,
          image_url: `https://shop.example/${at + 1}.jpg`,
          sale_price: 2_000,
          original_price: 3_000,
          availability,
          category_path: ['Home', 'Pots'],
          brand: 'Acme',
          gtin: '4006381333931',
        },
      })),
    );
  },
);

test.each([
  ['Price (EUR)', '19.90', { sale_price: 1_990 }],
  ['Price [€]', '19.90', { sale_price: 1_990 }],
  ['Preis (EUR)', '"19,90"', { sale_price: 1_990 }],
  ['Sale price ( EUR )', '19.90', { sale_price: 1_990 }],
  ['Price (EUR)', '19.90 EUR', { sale_price: 1_990 }],
])('recognizes the column and its currency in the heading %s', async (heading, price, wanted) => {
  const text = `id,title,link,${heading}\n1,Pot,https://shop.example/1,${price}\n`;
  expect(await read(text)).toMatchObject([{ ok: true, row: wanted }]);
});

test.each([
  ['Price (USD)', 'price is in USD'],
  ['Price (Kč)', 'price is in CZK'],
])('rejects a price under the heading %s on a site in euros', async (heading, reason) => {
  const text = `id,title,link,${heading}\n1,Pot,https://shop.example/1,19.90\n`;
  expect(await read(text)).toMatchObject([
    { ok: false, reason: expect.stringContaining(reason) as string },
  ]);
});

test('ignores words in brackets that are not a currency', async () => {
  const text = 'id,title,link,price (all)\n1,Pot,https://shop.example/1,19.90\n';
  await expect(read(text)).rejects.toThrow('no column was found for sale_price');
});

async function read(text: string) {
  async function* chunks() {
    yield Buffer.from(text);
  }
  const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
  const { rows } = await readFeed(chunks(), { sizeLimits });
  const rules = { currency: 'EUR', now: new Date('2026-06-01'), groupsVariants: true };
  return (await Array.fromAsync(rows)).map((row) => checkFeedRow(row, rules));
}

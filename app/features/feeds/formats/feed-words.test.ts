import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { fittingIcon, isRoot, readCategoryPath } from './feed-category.ts';
import { isWithinDates, parseFeedDate } from './feed-dates.ts';
import { fieldSources } from './feed-fields.ts';
import { cutAtWord, toPlainLine, toPlainText } from './feed-text.ts';
import { matchColumns, readCells } from './find-columns.ts';

describe('a date in a feed', () => {
  test.each([
    ['2026-12-24', '2026-12-24T00:00:00.000Z'],
    ['2026-12-24T18:30', '2026-12-24T18:30:00.000Z'],
    ['2026-12-24 18:30:15', '2026-12-24T18:30:15.000Z'],
    ['2026-12-24T18:30:15.25Z', '2026-12-24T18:30:15.250Z'],
    ['2026-12-24T18:30+0100', '2026-12-24T17:30:00.000Z'],
    ['2026-12-24T18:30 -05:00', '2026-12-24T23:30:00.000Z'],
    ['2026-12-24t18:30+01', '2026-12-24T17:30:00.000Z'],
    [' 2026-12-24T18:30z ', '2026-12-24T18:30:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-12-24 8:30:15', '2026-12-24T08:30:15.000Z'],
  ])('reads the date %s', (text, moment) => {
    expect(parseFeedDate(text)?.toISOString()).toBe(moment);
  });

  test('ends a date without a time at its last second', () => {
    expect(parseFeedDate('2026-12-24', 'end')?.toISOString()).toBe('2026-12-24T23:59:59.000Z');
    expect(parseFeedDate('2026-12-24T08:00', 'end')?.toISOString()).toBe(
      '2026-12-24T08:00:00.000Z',
    );
  });

  test.each([
    ['', 'nothing'],
    ['soon', 'a word'],
    ['24.12.2026', 'another order'],
    ['2026-13-01', 'a month that is none'],
    ['2026-02-31', 'a day its month does not have'],
    ['2027-02-29', 'a leap day in a common year'],
    ['2026-12-24T25:00', 'an hour that is none'],
    ['2026-12-24T10:61', 'a minute that is none'],
    ['2026-12-24T10:00+99:00', 'a zone that is none'],
    ['12026-12-24', 'a year of five figures'],
  ])('rejects the date %s: %s', (text) => {
    expect(parseFeedDate(text)).toBeNull();
  });

  test('parses a date back from every notation', () => {
    const moment = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, (date) => {
        expect(parseFeedDate(date.toISOString())).toEqual(date);
        expect(parseFeedDate(date.toISOString().replace('Z', '+0000'))).toEqual(date);
      }),
    );
  });

  test.each([
    ['2026-05-01 0:00:00|2026-06-30 23:59:59', true],
    ['|2026-05-31', false],
    ['2026-07-01|', false],
    ['|', true],
    ['4/1/26|', true],
    ['12/24/2025|1/6/26', false],
    ['01.07.26|', false],
    ['24-12-2025|', true],
    // Ambiguous: the third of July, or the seventh of March.
    ['7/3/26|', null],
    ['13/13/26|', null],
    ['soon|', null],
  ])('tells whether the interval %s includes the beginning of June 2026: %s', (interval, isOn) => {
    expect(isWithinDates(interval, new Date('2026-06-01T00:00:00Z'))).toBe(isOn);
  });

  test('includes both ends of an interval, and returns null for an unreadable interval', () => {
    const days = '2026-06-01/2026-06-02';
    expect(isWithinDates(days, new Date('2026-06-01T00:00:00Z'))).toBe(true);
    expect(isWithinDates(days, new Date('2026-06-02T23:59:59Z'))).toBe(true);
    expect(isWithinDates(days, new Date('2026-05-31T23:59:59Z'))).toBe(false);
    expect(isWithinDates(days, new Date('2026-06-03T00:00:00Z'))).toBe(false);
    for (const text of ['2026-06-01', '/2026-06-02', 'summer', '']) {
      expect(isWithinDates(text, new Date('2026-06-01'))).toBeNull();
    }
  });
});

describe('texts of a feed', () => {
  test.each([
    ['Fish &amp; chips', 'Fish & chips'],
    ['<b>Bold</b>   lamp\n\ntwo', 'Bold lamp two'],
    ['1 < 2', '1 < 2'],
    ['a\u0000b\u202Ec\u200Bd', 'abcd'],
    ['<script>alert(1)</script>Cup', 'Cup'],
    ['<style>b{}</style><title>x</title>Cup', 'Cup'],
    ['Cafe\u0301', 'Café'],
  ])('converts the text %j to one plain line', (text, line) => {
    expect(toPlainLine(text)).toBe(line);
  });

  test('keeps a description’s blocks as line breaks, with at most one empty line', () => {
    expect(toPlainText('<p>One</p><p>Two</p><ul><li>a<li>b</ul>')).toBe('One\n\nTwo\n\na\n\nb');
    expect(toPlainText('One<br>Two<br/>Three')).toBe('One\nTwo\nThree');
    expect(toPlainText('<div>\n\n\n\n</div>')).toBe('');
  });

  test('leaves a converted text unchanged when it is converted again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = toPlainLine(text);
        expect(line).toBe(line.trim());
        expect(line).not.toMatch(/\p{Cc}|\s{2}/u);
        const isMarkup = /[<&]/.test(line);
        expect(isMarkup ? line : toPlainLine(line)).toBe(line);
      }),
    );
  });

  test('cuts a text at a word within the limit, with an ellipsis', () => {
    expect(cutAtWord('short', 10)).toBe('short');
    expect(cutAtWord('a rather long sentence', 16)).toBe('a rather long…');
    expect(cutAtWord('one, two, three', 10)).toBe('one, two…');
    expect(cutAtWord('unbreakablelongword', 10)).toBe('unbreakab…');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 60 }), (text, most) => {
        const kept = cutAtWord(text, most);
        expect(kept.length).toBeLessThanOrEqual(most);
        const isWhole = text.length <= most;
        expect(isWhole ? kept : text).toBe(text);
        expect(isWhole || kept.endsWith('…')).toBe(true);
        expect(isWhole || kept.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('categories of a feed', () => {
  test.each([
    ['Home > Kitchen', ['Home', 'Kitchen']],
    ['Home~~Kitchen', ['Home', 'Kitchen']],
    ['Home | Kitchen » Pots', ['Home', 'Kitchen', 'Pots']],
    ['Home > Home > Pots', ['Home', 'Pots']],
    ['["Home","Kitchen"]', ['Home', 'Kitchen']],
    ['[{"id":1,"name":"Home"},{"name":"Pots"}]', ['Home', 'Pots']],
    ['[{"id":1},null,7,"Pots"]', ['Pots']],
    ['[broken', ['[broken']],
    ['{"name":"Home"}', ['{"name":"Home"}']],
    ['Phones/By system/Kind 0', ['Phones', 'By system', 'Kind 0']],
    ['/Phones/Android', ['Phones', 'Android']],
    ['Phones / Android', ['Phones', 'Android']],
    ['Home -> Pots => Lids', ['Home', 'Pots', 'Lids']],
    ['Electronics > Audio/Video', ['Electronics', 'Audio/Video']],
    ['Screws 1/2 inch', ['Screws 1/2 inch']],
    ['Shoes w/o laces', ['Shoes w/o laces']],
    ['S/M', ['S/M']],
    ['MLA1055', []],
    ['MLA1055 > Phones', ['Phones']],
    ['el-7-9', []],
    ['gid://shopify/TaxonomyCategory/el-7', []],
    ['PS5', ['PS5']],
    ['XBOX360', ['XBOX360']],
    ['166', []],
    ['166 > Tools', ['Tools']],
    [' > ', []],
    ['', []],
  ])('reads the category %s as the path %j', (text, names) => {
    expect(readCategoryPath(text)).toEqual(names);
  });

  test.each(['Home', 'Startseite', 'ACCUEIL', 'Inicio', 'Strona główna', 'Главная', 'Heureka.cz'])(
    'ignores the root %s of a category path',
    (name) => {
      expect(isRoot(name)).toBe(true);
    },
  );

  test.each(['Home & Kitchen', 'Kitchen', 'Shoes', 'Dr. Best', 'Vol.2'])(
    'reads %s as one category name',
    (name) => {
      expect(isRoot(name)).toBe(false);
    },
  );

  test('limits category names to 100 characters', () => {
    expect(readCategoryPath('x'.repeat(300))[0]).toHaveLength(100);
    expect(readCategoryPath(`${'x'.repeat(99)}😀`)).toEqual(['x'.repeat(99)]);
  });

  test.each([
    ['Tools & Home Improvement', 'wrench'],
    ['Toys & Games', 'gamepad2'],
    ['Cell Phones', 'smartphone'],
    ['Automotive', 'car'],
    ['Sports & Outdoors', 'dumbbell'],
    ['Office Supplies', 'book'],
    ['Accessories', 'shopping-bag'],
    ['Apparel & Accessories', 'shirt'],
    ['Pet Care', 'heart'],
    ['Kitchen', 'home'],
    ['Miscellany', 'tag'],
    ['Carpets', 'tag'],
  ])('assigns a new category called %s the icon %s', (name, icon) => {
    expect(fittingIcon(name)).toBe(icon);
  });
});

describe('columns of a table', () => {
  const fieldsOf = (header: string[]) =>
    matchColumns(header, fieldSources()).map(({ index, field }) => [header[index], field]);

  test('finds columns by name in any notation', () => {
    expect(fieldsOf(['ID', 'Product Name', 'IMAGE_LINK'])).toEqual(
      expect.arrayContaining([
        ['ID', 'external_id'],
        ['Product Name', 'title'],
        ['IMAGE_LINK', 'image_url'],
      ]),
    );
  });

  test('reads a price column as the regular price, or as the current one next to a list price', () => {
    expect(fieldsOf(['price'])).toEqual([['price', 'original_price']]);
    expect(fieldsOf(['price', 'list_price'])).toEqual(
      expect.arrayContaining([
        ['price', 'sale_price'],
        ['list_price', 'original_price'],
      ]),
    );
    expect(fieldsOf(['price', 'list_price', 'sale_price'])).toEqual(
      expect.arrayContaining([
        ['price', 'original_price'],
        ['sale_price', 'sale_price'],
      ]),
    );
  });

  test.each(
    `old_price oldPrice price_old oldprice fromPrice previousPrice formerPrice WasPrice RRP UVP compare_at_price price_norebate PriceNoRebate
     Crossed-price Prix-barré Ancien_prix Streichpreis Alter-Preis Precio_anterior Precio-antes Prezzo-pieno Prezzo_barrato Oude-prijs Adviesprijs
     Stara-cena Cena-przed-promocją Původní-cena Bežná-cena Ordinarie-pris Førpris Preço-antigo Старая-цена price_before_discount full-price`.split(
      /\s+/,
    ),
  )('reads a price column beside %s as the current price', (old) => {
    for (const name of ['price', 'Preis', 'Prix', 'Precio', 'cena']) {
      expect(fieldsOf([name, old.replaceAll('-', ' ')])).toEqual(
        expect.arrayContaining([
          [name, 'sale_price'],
          [old.replaceAll('-', ' '), 'original_price'],
        ]),
      );
    }
  });

  test('does not mistake prices with and without tax for a sale price and a regular one', () => {
    expect(fieldsOf(['price', 'price_vat']).map(([, field]) => field)).toEqual([
      'original_price',
      'original_price',
    ]);
  });

  test('prefers a category name to a number, and a usable picture to a word', () => {
    const header = ['category', 'breadcrumb', 'image_link', 'image_url', 'ean', 'upc'];
    const columns = matchColumns(header, fieldSources());
    const row = ['166', 'Home > Pots', 'yes', 'https://img.example/1.jpg', 'none', '042100005264'];
    expect(readCells(row, columns)).toMatchObject({
      category: 'Home > Pots',
      image_url: 'https://img.example/1.jpg',
      gtin: '042100005264',
    });
  });

  test('uses the best column that has a value in this row, ignoring "null" and spaces', () => {
    const header = ['sku', 'id', 'title'];
    const columns = matchColumns(header, fieldSources());
    expect(readCells(['S-1', '7', 'Cup'], columns)).toMatchObject({ external_id: '7' });
    expect(readCells(['S-1', ' ', 'Cup'], columns)).toMatchObject({ external_id: 'S-1' });
    expect(readCells(['S-1', 'NULL', 'null'], columns)).toEqual({ external_id: 'S-1' });
    expect(readCells([], columns)).toEqual({});
  });
});

import { cleanCell } from '#app/platform/clean-cell.ts';
import { type ListedProduct, readProduct } from './listed-product.ts';

/**
 * Column names in lists, best first, without spaces and punctuation.
 *
 * - IsThereAnyDeal's JSON has `title` and `price_limit`:
 *   https://github.com/IsThereAnyDeal/API/blob/master/blueprint.md
 * - Keepa's tracking objects have `asin`; the unit of their thresholds is not documented:
 *   https://github.com/keepacom/api_backend/blob/master/src/main/java/com/keepa/api/backend/structs/Tracking.java
 *   Its table exports have `ASIN`, `Title`, `Locale`, `URL: Amazon` and `Product Codes: EAN`.
 * - CamelCamelCamel does not document its exports, so these names apply to them, too.
 */
const names: Record<keyof ListedProduct, string> = {
  link: 'link url producturl productlink amazonurl urlamazon amazonlink permalink deeplink address href page',
  asin: 'asin amazonasin',
  gtin: 'gtin ean upc barcode isbn gtin13 ean13 productcodesean productcodesupc productcodesgtin isbn13',
  title: 'title name producttitle productname product game item gametitle',
  price:
    'desiredprice targetprice wantedprice alertprice pricelimit pricealert wishprice mydesiredprice desired target threshold limit price',
  currency: 'currency currencycode',
  locale: 'locale amazonlocale marketplace domain country',
};
type Role = keyof ListedProduct;

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The positions of each field's columns, best first. */
export type ListColumns = Record<keyof ListedProduct, number[]>;

/** Returns the columns of a header, or `null` if none names a product. */
export function findListColumns(header: readonly string[]): ListColumns | null {
  const plainHeader = header.map(plain);
  const find = (role: Role): number[] =>
    names[role]
      .split(' ')
      .map((name) => plainHeader.indexOf(name))
      .filter((at) => at !== -1);
  const columns: ListColumns = {
    link: find('link'),
    asin: find('asin'),
    gtin: find('gtin'),
    title: find('title'),
    price: find('price'),
    currency: find('currency'),
    locale: find('locale'),
  };
  const isNamed = (['link', 'asin', 'gtin', 'title'] as const).some(
    (role) => columns[role].length > 0,
  );
  return isNamed ? columns : null;
}

/** Returns the product of a row, or `null` if it names none. */
export function readListRow(cells: readonly string[], columns: ListColumns): ListedProduct | null {
  const cell = (role: Role): string =>
    columns[role].map((at) => cleanCell(cells[at] ?? '')).find((text) => text !== '') ?? '';
  return readProduct({
    link: cell('link'),
    asin: cell('asin'),
    gtin: cell('gtin'),
    title: cell('title'),
    price: cell('price'),
    currency: cell('currency'),
    locale: cell('locale'),
  });
}

import { storedGtin } from '#app/features/deals/gtin.ts';
import { fromNumber, mostUnits, parseMoney } from '#app/platform/money.ts';
import { type DescribedProduct, findLinkedProduct } from './find-linked-product.ts';
import type { PageFacts } from './read-page.ts';

/** A product as described by its page. */
export interface Product {
  title: string;
  gtin: string | null;
  price: { amount: number; currency: string } | null;
}

const longestTitle = 300; // characters

/**
 * Returns the product on a page, or null. JSON-LD takes precedence over microdata, and microdata
 * over `<meta>` elements; each only fills in missing values.
 */
export function findProduct(facts: PageFacts): Product | null {
  const ways = [
    findLinkedProduct(facts.scripts),
    findMarkedProduct(facts.properties),
    findNamedProduct(facts.metas),
  ].filter((way) => way !== null);
  if (ways.length === 0) return null;
  const gtins = ways.flatMap((way) => way.gtins).map(readGtin);
  const product = {
    title: ways.map(({ title }) => readTitle(title)).find((title) => title !== '') ?? '',
    gtin: gtins.find((gtin) => gtin !== null) ?? null,
    price: ways.map(readPrice).find((price) => price !== null) ?? null,
  };
  return product.title === '' && product.gtin === null ? null : product;
}

function findMarkedProduct(properties: PageFacts['properties']): DescribedProduct | null {
  if (properties.length === 0) return null;
  const read = (wanted: RegExp, ofOffer?: boolean) =>
    properties
      .filter(([isOffer, name]) => wanted.test(name) && isOffer === (ofOffer ?? isOffer))
      .map(([, , value]) => value);
  return {
    title: read(/^name$/, false)[0],
    gtins: read(/^(?:gtin\d*|isbn|productID)$/),
    price: read(/^price$/)[0] ?? read(/^lowPrice$/)[0],
    currency: read(/^priceCurrency$/)[0],
  };
}

function findNamedProduct(metas: PageFacts['metas']): DescribedProduct | null {
  const read = (...names: string[]) =>
    metas.flatMap(([name, content]) => (names.includes(name) && content ? [content] : []));
  const [price] = read('product:price:amount', 'og:price:amount');
  const isProduct = /^(?:og:)?product\b/i.test(read('og:type')[0] ?? '');
  if (!isProduct && price === undefined) return null;
  return {
    title: read('og:title')[0],
    gtins: read('product:gtin', 'product:ean', 'product:upc', 'product:isbn'),
    price,
    currency: read('product:price:currency', 'og:price:currency')[0],
  };
}

function readTitle(title: unknown): string {
  if (typeof title !== 'string') return '';
  const cut = title.slice(0, longestTitle * 2).toWellFormed();
  // Direction marks could display text in another order.
  const plain = cut.replaceAll(/\p{Bidi_Control}/gu, '');
  return plain
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestTitle)
    .toWellFormed();
}

function readGtin(gtin: unknown): string | null {
  const text = typeof gtin === 'number' ? String(gtin) : gtin;
  if (typeof text !== 'string' || text.length > 40) return null;
  return storedGtin(
    text.replace(/^(?:ean|gtin|upc|isbn)[\d-]{0,3}:/i, '').replaceAll(/[\s-]/g, ''),
  );
}

/** Reads a price only together with its currency, because `45` may be dollars or yen. */
function readPrice({ price, currency }: DescribedProduct): Product['price'] {
  const code = typeof currency === 'string' ? currency.trim().toUpperCase() : '';
  if (!/^[A-Z]{3}$/.test(code)) return null;
  const amount = readAmount(price, code);
  return amount !== null && amount > 0 && amount <= mostUnits ? { amount, currency: code } : null;
}

function readAmount(price: unknown, currency: string): number | null {
  if (typeof price === 'number') return fromNumber(price, currency);
  if (typeof price !== 'string') return null;
  const text = price.trim();
  // Some shops use more decimals than the currency has, such as 19.990000.
  const isPlain = /^\d{1,9}(?:\.\d{4,12})?$/.test(text);
  return isPlain ? fromNumber(Number(text), currency) : parseMoney(text, currency);
}

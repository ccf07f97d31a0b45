/** The texts from one description of a product. Unknown values come from untrusted JSON. */
export interface DescribedProduct {
  title: unknown;
  gtins: unknown[];
  price: unknown;
  currency: unknown;
}

/** objects to inspect at most, in all scripts of a page */
const mostObjects = 20_000;
const productType = /(?:^|[/:#])(?:Product|IndividualProduct|ProductModel|ProductGroup)$/;
/** Keys that contain products other than the page's own. */
const ofOthers = new Set([
  'itemListElement',
  'isRelatedTo',
  'isSimilarTo',
  'isAccessoryOrSparePartFor',
  'isConsumableFor',
  'review',
  'reviews',
]);

type Fields = Record<string, unknown>;

/**
 * Finds the first product in JSON-LD, including `@graph` and arrays. The outermost product wins.
 */
export function findLinkedProduct(scripts: readonly string[]): DescribedProduct | null {
  // Uses a queue instead of recursion, so that deeply nested JSON does not exhaust the stack.
  const queue: object[] = scripts.map(parse).filter(isObject);
  for (let at = 0; at < queue.length && at < mostObjects; at++) {
    const one = queue[at]!;
    if (isProduct(one)) return describe(one);
    for (const [key, value] of Object.entries(one)) {
      if (isObject(value) && !ofOthers.has(key) && queue.length < mostObjects) queue.push(value);
    }
  }
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isProduct(one: object): one is Fields {
  const types = firstOf((one as Fields)['@type'], 10);
  return types.some((type) => typeof type === 'string' && productType.test(type));
}

function describe(product: Fields): DescribedProduct {
  const offer = firstObject(product['offers']);
  const price = firstObject(offer['priceSpecification']);
  const keys = ['gtin', 'gtin14', 'gtin13', 'gtin12', 'gtin8', 'ean', 'isbn', 'productID'];
  return {
    title: firstOf(product['name'], 1)[0],
    gtins: [product, offer].flatMap((one) => keys.map((key) => one[key])),
    price: offer['price'] ?? offer['lowPrice'] ?? price['price'],
    currency: offer['priceCurrency'] ?? price['priceCurrency'],
  };
}

function firstObject(value: unknown): Fields {
  const found = firstOf(value, 1)[0];
  return isObject(found) ? (found as Fields) : {};
}

function firstOf(value: unknown, most: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [value];
}

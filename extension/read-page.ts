/** The parts of a page that may describe its product, as unverified texts. */
export interface PageFacts {
  /** The page's URL, which may have changed since the icon was clicked. */
  address: string;
  canonical: string;
  /** The page's JSON-LD scripts. */
  scripts: string[];
  /** Names and contents of `<meta>` elements. */
  metas: [name: string, content: string][];
  /**
   * Microdata of the first product, each with its name, value and whether it belongs to the offer.
   */
  properties: [isOffer: boolean, name: string, value: string][];
}

/**
 * Reads a page without changing it. The browser runs this function within the page, so it cannot
 * refer to anything outside. Methods come from prototypes, because a form field named
 * `querySelectorAll` would hide the method.
 */
export function readPage(page: Document = document): PageFacts {
  const mostElements = 5_000;
  const mostScripts = 50;
  const mostScriptText = 2_000_000; // characters in total
  const mostText = 2_000; // characters
  const mostProperties = 50;
  const { getAttribute, closest, querySelectorAll } = Element.prototype;
  const all = (selector: string) =>
    [...Document.prototype.querySelectorAll.call(page, selector)].slice(0, mostElements);
  const read = (element: Element | null | undefined, name: string) =>
    (element ? (getAttribute.call(element, name) ?? '') : '').slice(0, mostText);

  let left = mostScriptText;
  const scripts = all('script[type="application/ld+json" i]')
    .slice(0, mostScripts)
    .map((script) => script.textContent)
    .filter(({ length }) => {
      left -= Math.min(length, left + 1);
      return left >= 0;
    });
  const metas = all('meta[property], meta[name]').map((meta): [string, string] => [
    (read(meta, 'property') || read(meta, 'name')).toLowerCase(),
    read(meta, 'content'),
  ]);

  const isOf = (element: Element | null, type: RegExp) => type.test(read(element, 'itemtype'));
  const product = all('[itemscope][itemtype]').find((element) =>
    isOf(element, /schema\.org\/Product\b/i),
  );
  const names = /^(?:name|price|lowPrice|priceCurrency|productID|isbn|gtin(?:8|12|13|14)?)$/;
  const properties: PageFacts['properties'] = [];
  const inside = product ? [...querySelectorAll.call(product, '[itemprop]')] : [];
  for (const element of inside.slice(0, mostElements)) {
    const name = read(element, 'itemprop');
    const owner = names.test(name) ? closest.call(element, '[itemscope]') : null;
    const isOffer = isOf(owner, /schema\.org\/(?:Aggregate)?Offer\b/i);
    if (properties.length < mostProperties && (owner === product || isOffer)) {
      properties.push([
        isOffer,
        name,
        read(element, 'content') || element.textContent.slice(0, mostText),
      ]);
    }
  }
  return {
    address: location.href,
    canonical: read(all('link[rel~="canonical" i][href]')[0], 'href'),
    scripts,
    metas: metas.filter(([name]) => /^(?:og|product):/.test(name)),
    properties,
  };
}

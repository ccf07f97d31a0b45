import { Parser } from 'htmlparser2';

/** A page's product data, unparsed. */
export type RawOffer = Partial<
  Record<'title' | 'image' | 'price' | 'currency' | 'availability' | 'gtin' | 'brand', string>
>;

/** The relevant properties by type, since reviews and authors have names, too. */
const wanted: Record<string, Record<string, keyof RawOffer>> = {
  Product: { name: 'title', image: 'image', brand: 'brand', gtin: 'gtin' },
  Offer: { price: 'price', priceCurrency: 'currency', availability: 'availability' },
  AggregateOffer: { lowPrice: 'price', priceCurrency: 'currency' },
  Brand: { name: 'brand' },
};

interface Scope {
  type: string;
  depth: number;
}

const longest = 2_048;

/** Reads the first product of a page marked up by `itemprop`. */
export function readMicrodata(html: string): RawOffer {
  const found: RawOffer = {};
  const scopes: Scope[] = [];
  let depth = 0;
  let reading: { name: keyof RawOffer; depth: number; text: string } | null = null;
  const put = (name: keyof RawOffer, value: string) => {
    if (value.trim() !== '') found[name] ??= value.trim().slice(0, longest);
  };
  // Void elements such as `meta` close immediately.
  const parser = new Parser({
    onopentag(_tag, attributes) {
      depth += 1;
      const isScope = attributes.itemscope !== undefined;
      const name = nameOf(attributes.itemprop, scopes);
      if (name && !isScope) {
        const value = attributes.content ?? attributes.src ?? attributes.href;
        if (value !== undefined) put(name, value);
        else reading ??= { name, depth, text: '' };
      }
      if (isScope) scopes.push({ type: (attributes.itemtype ?? '').replace(/^.*\//, ''), depth });
    },
    ontext(text) {
      if (reading) reading.text += text;
    },
    onclosetag() {
      if (reading?.depth === depth) {
        put(reading.name, reading.text);
        reading = null;
      }
      if (scopes.at(-1)?.depth === depth) scopes.pop();
      depth -= 1;
    },
  });
  parser.end(html);
  return found;
}

function nameOf(
  itemprop: string | undefined,
  scopes: readonly Scope[],
): keyof RawOffer | undefined {
  if (itemprop === undefined || !scopes.some((scope) => scope.type === 'Product')) return undefined;
  const inside = wanted[scopes.at(-1)?.type ?? ''];
  return itemprop
    .split(/\s+/)
    .map((name) => inside?.[name.replace(/^gtin(8|12|13|14)$/, 'gtin')])
    .find((name) => name !== undefined);
}

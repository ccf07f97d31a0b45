import { Parser } from 'htmlparser2';
import { z } from 'zod';
import type { Availability } from '#database/schema/catalog-tables.ts';
import { checkPictureUrl } from '#app/platform/safe-url.ts';
import { parseFeedPrice } from '../formats/feed-price.ts';
import { cutAtWord, toPlainLine } from '../formats/feed-text.ts';
import type { RawOffer } from './raw-offer.ts';
import { readMicrodata } from './read-microdata.ts';

/** What a shop's page says of its product; null is silence. Price in cents. */
export interface PageOffer {
  title: string | null;
  image_url: string | null;
  sale_price: number | null;
  /** ISO 4217; null when the page names none. */
  currency: string | null;
  availability: Availability | null;
  gtin: string | null;
  brand: string | null;
}

const longestTitle = 200;
const longestBrand = 100;

/**
 * Reads a product page: schema.org as JSON-LD, then as microdata, then Open Graph, then the page's title. Each fact is
 * taken from the first that has it, but a price only together with its own currency.
 */
export function readPageOffer(html: string, address: string): PageOffer {
  const page = readHead(html);
  const sources = [...page.jsonLd.map(readJsonLd), readMicrodata(html), page.openGraph];
  const first = (name: keyof RawOffer): string => sources.find((one) => one[name])?.[name] ?? '';
  const priced = sources.map(readPrice).find((price) => price !== null);
  const base = URL.parse(page.base, address)?.href ?? address;
  return {
    title: cutAtWord(toPlainLine(first('title') || page.title), longestTitle) || null,
    image_url: resolve(first('image'), base),
    sale_price: priced?.cents ?? null,
    currency: priced?.currency ?? null,
    availability: readAvailability(first('availability')),
    gtin: /^(\d{8}|\d{12,14})$/.exec(first('gtin').replace(/[\s-]/g, ''))?.[0] ?? null,
    brand: cutAtWord(toPlainLine(first('brand')), longestBrand) || null,
  };
}

const graphNames: Record<string, keyof RawOffer> = {
  'og:title': 'title',
  'og:image': 'image',
  'og:image:secure_url': 'image',
  'product:price:amount': 'price',
  'og:price:amount': 'price',
  'product:price:currency': 'currency',
  'og:price:currency': 'currency',
  'product:availability': 'availability',
  'og:availability': 'availability',
  'product:brand': 'brand',
  'og:brand': 'brand',
};

function readHead(html: string) {
  const page: { title: string; base: string; jsonLd: string[]; openGraph: RawOffer } = {
    title: '',
    base: '',
    jsonLd: [],
    openGraph: {},
  };
  let open: 'title' | 'jsonLd' | null = null;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'base' && page.base === '') page.base = attributes.href ?? '';
      if (tag === 'title' && page.title === '') open = 'title';
      if (tag === 'script' && /^application\/ld\+json\b/i.test(attributes.type?.trim() ?? '')) {
        open = 'jsonLd';
        page.jsonLd.push('');
      }
      if (tag !== 'meta') return;
      const name = graphNames[(attributes.property ?? attributes.name ?? '').toLowerCase()];
      if (name && attributes.content) page.openGraph[name] ??= attributes.content;
    },
    ontext(part) {
      if (open === 'title') page.title += part;
      if (open === 'jsonLd') page.jsonLd.push((page.jsonLd.pop() ?? '') + part);
    },
    onclosetag(tag) {
      if (tag === 'title' || tag === 'script') open = null;
    },
  });
  parser.end(html);
  return page;
}

const mostNodes = 5_000;
const deepest = 12;
const node = z.record(z.string(), z.unknown());
type Node = z.infer<typeof node>;

/** The product of a block, with the cheapest or first of its offers. */
function readJsonLd(json: string): RawOffer {
  const nodes = flatten(parseJson(json));
  const product =
    nodes.find((one) => isOf(one, 'Product') && one.offers !== undefined) ??
    nodes.find((one) => isOf(one, 'Product') || isOf(one, 'ProductGroup'));
  if (!product) return {};
  const offers = flatten(product.offers ?? product.hasVariant);
  const specified = offers.find((one) => priceOf(one) !== '');
  const available = offers.find((one) => text(one.availability) !== '');
  const currency = offers.find((one) => text(one.priceCurrency) !== '');
  return {
    title: text(product.name),
    image: text(product.image),
    brand: text(product.brand),
    gtin:
      ['gtin13', 'gtin12', 'gtin14', 'gtin8', 'gtin']
        .map((name) => text(product[name]))
        .find((value) => value !== '') ?? '',
    price: specified ? priceOf(specified) : '',
    currency: text(specified?.priceCurrency) || text(currency?.priceCurrency),
    availability: text(available?.availability),
  };
}

/** A price that is no list price, which the thing cost before. */
function priceOf(offer: Node): string {
  if (/ListPrice|SRP|MSRP|Strikethrough/i.test(text(offer.priceType))) return '';
  return text(offer.price) || text(offer.lowPrice);
}

/** Everything inside, whatever way it hangs together. */
function flatten(root: unknown): Node[] {
  const found: Node[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (depth > deepest || found.length >= mostNodes) return;
    if (Array.isArray(value)) {
      for (const one of value) walk(one, depth + 1);
      return;
    }
    const read = typeof value === 'object' && value !== null ? node.safeParse(value) : null;
    if (!read?.success) return;
    found.push(read.data);
    for (const one of Object.values(read.data)) walk(one, depth + 1);
  };
  walk(root, 0);
  return found;
}

function isOf(one: Node, type: string): boolean {
  return [one['@type']].flat().some((name) => String(name).replace(/^.*[/:]/, '') === type);
}

/** The words of a value, however it is wrapped: `"x"`, `["x"]`, `{name: "x"}`, `{url: "x"}`. */
function text(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(text).find((one) => one !== '') ?? '';
  const read = typeof value === 'object' && value !== null ? node.safeParse(value) : null;
  if (!read?.success) return '';
  const { name, url, contentUrl, '@id': id } = read.data;
  return [name, url, contentUrl, id].find((one): one is string => typeof one === 'string') ?? '';
}

function readPrice(raw: RawOffer): { cents: number; currency: string | null } | null {
  const price = parseFeedPrice(raw.price ?? '');
  if (!price.ok) return null;
  const named = /^[A-Z]{3}$/.exec((raw.currency ?? '').trim().toUpperCase())?.[0];
  return { cents: price.cents, currency: named ?? price.currency };
}

function readAvailability(value: string): Availability | null {
  const word = value
    .replace(/^.*\//, '')
    .replace(/[\s_-]/g, '')
    .toLowerCase();
  if (['instock', 'limitedavailability', 'onlineonly', 'available'].includes(word))
    return 'in_stock';
  if (['outofstock', 'soldout', 'discontinued', 'oos'].includes(word)) return 'out_of_stock';
  return null;
}

function resolve(image: string, base: string): string | null {
  const checked = checkPictureUrl(URL.parse(image, base)?.href ?? '');
  return image !== '' && checked.ok ? checked.url : null;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

import { storedGtin } from '#app/features/deals/gtin.ts';
import { Parser } from 'htmlparser2';
import { z } from 'zod';
import { checkPictureUrl } from '#app/platform/safe-url.ts';
import { readAvailability } from '../formats/read-availability.ts';
import { parseFeedPrice } from '../formats/feed-price.ts';
import { cutAtWord, toPlainLine } from '../formats/feed-text.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import { type RawOffer, readMicrodata } from './read-microdata.ts';

/**
 * The product data of a shop's page; `null` if unknown. The price is in minor units, the currency
 * an ISO 4217 code.
 */
export type PageOffer = ReturnType<typeof readPageOffer>;

const longestTitle = 200;
const longestBrand = 100;

/**
 * Reads a product page: schema.org as JSON-LD, then as microdata, then Open Graph, then the page's
 * title. Each value comes from the first source that has it. A price and its currency come from the
 * same source.
 */
export function readPageOffer(html: string, address: string, siteCurrency: string) {
  const page = readHead(html);
  const sources = [...page.jsonLd.map(readJsonLd), readMicrodata(html), page.openGraph];
  const first = (name: keyof RawOffer): string => sources.find((one) => one[name])?.[name] ?? '';
  const priced = sources.map((raw) => readPrice(raw, siteCurrency)).find((price) => price !== null);
  const availability = readAvailability(first('availability').replace(/^.*\//, ''));
  const base = URL.parse(page.base, address)?.href ?? address;
  return {
    title: cutAtWord(toPlainLine(first('title') || page.title), longestTitle) || null,
    image_url: resolve(first('image'), base),
    sale_price: priced?.amount ?? null,
    currency: priced?.currency ?? null,
    availability: availability === 'unknown' ? null : availability,
    gtin: storedGtin(first('gtin').replace(/[\s-]/g, '')),
    brand: cutAtWord(toPlainLine(first('brand')), longestBrand) || null,
  };
}

/** Names after `og:` or `product:`. */
const graphNames: Record<string, keyof RawOffer> = {
  title: 'title',
  image: 'image',
  'image:secure_url': 'image',
  'price:amount': 'price',
  'price:currency': 'currency',
  availability: 'availability',
  brand: 'brand',
};

function readHead(html: string) {
  const jsonLd: string[] = [];
  const openGraph: RawOffer = {};
  const page = { title: '', base: '', jsonLd, openGraph };
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
      const property = (attributes.property ?? attributes.name ?? '').toLowerCase();
      const name = graphNames[/^(?:og|product):(.+)$/.exec(property)?.[1] ?? ''];
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

/** Returns the product in a JSON-LD block, with its cheapest or first offer. */
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
    gtin: text(['gtin13', 'gtin12', 'gtin14', 'gtin8', 'gtin'].map((name) => product[name])),
    price: specified ? priceOf(specified) : '',
    currency: text(specified?.priceCurrency) || text(currency?.priceCurrency),
    availability: text(available?.availability),
  };
}

/**
 * Returns the price of an offer, unless it is a list price, which is the price before the discount.
 */
function priceOf(offer: Node): string {
  if (/ListPrice|SRP|MSRP|Strikethrough/i.test(text(offer.priceType))) return '';
  return text(offer.price) || text(offer.lowPrice);
}

/** Returns all nested objects. */
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

/** Unwraps the text of a value: `"x"`, `["x"]`, `{name: "x"}`, `{url: "x"}`. */
function text(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(text).find((one) => one !== '') ?? '';
  const read = typeof value === 'object' && value !== null ? node.safeParse(value) : null;
  if (!read?.success) return '';
  const { name, url, contentUrl, '@id': id } = read.data;
  return [name, url, contentUrl, id].find((one): one is string => typeof one === 'string') ?? '';
}

function readPrice(
  raw: RawOffer,
  siteCurrency: string,
): { amount: number; currency: string | null } | null {
  const named = /^[A-Z]{3}$/.exec((raw.currency ?? '').trim().toUpperCase())?.[0];
  const price = parseFeedPrice(raw.price ?? '', named ?? siteCurrency);
  return price.ok ? { amount: price.amount, currency: named ?? price.currency } : null;
}

function resolve(image: string, base: string): string | null {
  const checked = checkPictureUrl(URL.parse(image, base)?.href ?? '');
  return image !== '' && checked.ok ? checked.url : null;
}

import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { isTrackingParameter } from '#app/platform/tracking-parameters.ts';

/** characters; the index of URLs covers only this many */
const longest = 80;

/** A shop's URL as people paste it: `https://shop.example/p/5?ref=x`, or without `https`. */
const address = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?)(\/\S*|\?\S+)?$/i;

/** The target of a typed URL: a deal, its store, or a search for the URL's words. */
export type TypedAddress = { path: string } | { words: string };

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Returns the host and the rest of a typed URL, or `null` for other text, such as `node.js`. */
function readTypedAddress(typed: string): { host: string; rest: string } | null {
  const [, host = '', rest = ''] = address.exec(typed) ?? [];
  const ending = /\.([a-z]+)$/i.exec(host)?.[1]?.toUpperCase() ?? '';
  const isWritten =
    /^https?:|^www\./i.test(typed) ||
    rest !== '' ||
    /^(?:COM|NET|ORG|SHOP|STORE)$/.test(ending) ||
    (ending.length === 2 && regions.of(ending) !== undefined);
  return isWritten && /\.[a-z]{2,}/i.test(host) ? { host, rest } : null;
}

/** Returns the complete link of a typed URL, or `null` for other text. */
export function linkOfTyped(typed: string): string | null {
  if (/^https?:\/\/\S/i.test(typed)) return typed;
  return readTypedAddress(typed) ? `https://${typed}` : null;
}

/** Finds the target of a typed URL. Returns `null` if the text is not a URL. */
export async function findTypedAddress(db: Db, typed: string): Promise<TypedAddress | null> {
  const read = readTypedAddress(typed);
  if (!read) return null;
  const { host, rest } = read;
  const [place = ''] = rest.split(/[?#]/);
  const deal = await findDealByLink(db, read);
  if (deal) return { path: `/deals/${deal.slug}` };
  const store = await ask(db).row<{ slug: string }>`
    select slug from merchants
     where lower(website_url) ~ ('^https?://(www[.])?' || ${escapeHost(host.toLowerCase())} || '(/|$)')
     order by deal_count desc, id limit 1`;
  const words = wordsOfPath(place);
  if (store && words === '') return { path: `/merchants/${store.slug}` };
  return words === '' ? null : { words };
}

/** Returns the words of the longest part of a path: `/products/usb-c-cable.html` → `usb c cable`. */
export function wordsOfPath(path: string): string {
  const parts = path.split('/').map((part) =>
    part
      .replace(/\.[a-z]\w{1,4}$/i, '')
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  );
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

interface Candidate {
  id: number;
  slug: string;
  deal_url: string;
}

/** The maximum number of links to compare that have the same path and product parameters. */
const mostCandidates = 1_000;

/**
 * Returns the active deal with this URL, live ones first. `rest` is the path and query. Parameters
 * that only one of the two URLs has are ignored, unless they identify the product.
 */
export async function findDealByLink(
  db: Db,
  { host, rest }: { host: string; rest: string },
): Promise<Candidate | null> {
  const key = keyOf(`${host}${rest}`);
  const [place = ''] = rest.split(/[?#]/, 1);
  // These expressions must be equal to those of the index.
  const found = await ask(db).rows<Candidate>`
    select id, slug, deal_url from (
      select id, slug, deal_url, is_expired, created_at from deals
       where is_active and ${place.length > 1}
         and left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\\.)?|/+$', '', 'g'), 80)
             = any(${[key, key.replace(host, host.toLowerCase())].map((one) => one.slice(0, longest))}::text[])
         and lower(right(coalesce(
           substring(split_part(deal_url, '#', 1) from '(?i)[?&]([^?&=]*=https?(?::|%3a)[^&]*)'),
           substring(split_part(deal_url, '#', 1) from '(?i)[?&]((?:(?:(?:product|item|article|variant|style)[-_]?)?(?:id|no|nr|number|sku|asin|code|ean|gtin)|p|pid|product|item|article|variant)=[^&]*)'),
           ''), 80))
             = any(${productsOf(rest)}::text[])
       limit ${mostCandidates}) one
     order by right(deal_url, length(${rest})) = ${rest} desc, is_expired, created_at desc`;
  const same = found.find(({ deal_url: url }) => {
    // The index contains only the first characters.
    const isSamePath = keyOf(url).toLowerCase() === key.toLowerCase();
    return isSamePath && isSameProduct(parametersOf(rest), parametersOf(url));
  });
  return same ?? null;
}

function keyOf(link: string): string {
  const key = (link.split(/[?#]/, 1)[0] ?? '').replace(/^https?:\/\/(?:www\.)?/i, '');
  let end = key.length;
  while (key.charAt(end - 1) === '/') end--;
  return key.slice(0, end);
}

function queryOf(link: string): string {
  return link.split('#', 1)[0]?.split('?').slice(1).join('?') ?? '';
}

function parametersOf(link: string): URLSearchParams {
  return new URLSearchParams(queryOf(link));
}

/** The names of parameters that identify a product, as in `/product.php?id=5`. */
const productNames =
  /^(?:(?:product|item|article|variant|style)[-_]?)?(?:id|no|nr|number|sku|asin|code|ean|gtin)$|^(?:p|pid|product|item|article|variant)$/i;

/**
 * Whether a parameter identifies a product. In a network's link, a parameter contains the store's
 * link.
 */
function namesProduct(name: string, value: string): boolean {
  return productNames.test(name) || /^https?(?::|%3a)/i.test(value);
}

/**
 * Returns the parameters that identify a product in the form used by the index, or `['']` if there
 * are none. As in the index, an unencoded link in a parameter may have its own parameters.
 */
function productsOf(rest: string): string[] {
  const naming = [
    ...(rest.split('#', 1)[0] ?? '').matchAll(/(?<=[?&])([^?&=]*)=(?=([^&]*))/g),
  ].filter(([, name = '', value = '']) => namesProduct(name, value));
  const products = naming.map(([start, , value = '']) =>
    (start + value).slice(-longest).toLowerCase(),
  );
  return naming.every(([, name = '']) => isTrackingParameter(name)) ? [...products, ''] : products;
}

/**
 * Whether two links are for the same product. Parameters that identify a product must be equal. If
 * there are none, all parameters that both links have must be equal, except for campaign and
 * session parameters.
 */
function isSameProduct(one: URLSearchParams, other: URLSearchParams): boolean {
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => one.get(name) !== other.get(name),
  );
  const names = (name: string) =>
    namesProduct(name, one.get(name) ?? other.get(name) ?? '') && !isTrackingParameter(name);
  if (differing.some(names)) return false;
  if ([...one.keys()].some(names)) return true;
  return differing.every((name) => !one.has(name) || !other.has(name) || isTrackingParameter(name));
}

function escapeHost(host: string): string {
  return host.replaceAll('.', '[.]');
}

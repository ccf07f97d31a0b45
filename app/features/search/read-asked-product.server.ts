import { checkGtin } from '#app/features/deals/gtin.ts';
import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import { examplePrice, parseMoney, twoWaysToRead } from '#app/platform/money.ts';
import { wordsOfPath } from './find-typed-address.server.ts';

/**
 * A product as named by a URL, shared text or an API client. None of it is stored or fetched.
 */
export interface AskedProduct {
  host: string;
  /** The path and query of the URL. */
  rest: string;
  /** Valid article numbers in the URL or the texts, in their stored form. */
  gtins: string[];
  /** The words of the title, or of the URL if there is no title. */
  words: string;
}

export type ReadAsked =
  | { state: 'empty' }
  | { state: 'wrong'; typed: string; error: string }
  | {
      state: 'asked';
      typed: string;
      /** The product's name as shared with the link. */
      title: string;
      /** The complete URL. */
      link: string;
      product: AskedProduct;
    };

/** characters */
const longestAddress = 2_000;
const longestText = 4_000;
const mostGtins = 5;

export const askedMessages = {
  missing: 'Paste the address of a product page, such as https://shop.example/product.',
  notWeb: 'Only addresses that begin with http:// or https:// can be checked.',
  credentials: 'This address contains a user name or password. Remove it and try again.',
  tooLong: 'This address is too long. Use at most 2,000 characters.',
  own: 'This is an address of this site. Paste the address of a store’s page.',
};

/**
 * Reads the price that a visitor typed, in minor units, or returns the reason why it is invalid.
 */
export function readAskedPrice(
  typed: string,
  currency: string,
): { amount: number | null; error: string | null } {
  if (typed.trim() === '') return { amount: null, error: null };
  const amount = parseMoney(typed, currency);
  if (amount !== null && amount > 0) return { amount, error: null };
  const error =
    twoWaysToRead(typed, currency) ?? `Please enter a price, such as ${examplePrice(currency)}`;
  return { amount: null, error };
}

/**
 * Reads what a visitor pasted or shared. The URL is in `url`, or for many phones in `text` or
 * `title`.
 */
export function readAskedProduct(parameters: URLSearchParams, origin: string): ReadAsked {
  const read = (name: string) => (parameters.get(name) ?? '').toWellFormed().trim();
  const [url, text] = [read('url'), read('text')];
  // The form still contains the shared title after the visitor pastes another link. Such a title
  // is ignored.
  const title = parameters.has('of') && read('of') !== endOf(url) ? '' : read('title');
  if (url === '' && text === '' && title === '') return { state: 'empty' };
  const given = url || linkIn(text) || linkIn(title);
  const typed = (given || text || title).slice(0, longestAddress);
  const wrong = (error: string): ReadAsked => ({ state: 'wrong', typed, error });
  if (given.length > longestAddress || text.length > longestText || title.length > longestText) {
    return wrong(askedMessages.tooLong);
  }
  const address = readAddress(given);
  if (typeof address === 'string') return wrong(address);
  if (address.host === new URL(origin).host) return wrong(askedMessages.own);
  const rest = `${address.pathname}${address.search}`;
  const isTitled = withoutLinks(title) !== '';
  const shared = isTitled ? title : text;
  const words =
    cleanSearchText(withoutLinks(shared)) ||
    cleanSearchText(wordsOfPath(decoded(address.pathname)));
  return {
    state: 'asked',
    typed: address.href.length > longestAddress ? typed : given,
    title: withoutLinks(shared),
    link: address.href,
    product: {
      host: address.host.replace(/^www\./, ''),
      rest,
      gtins: gtinsIn(`${decoded(rest)} ${withoutLinks(title)} ${withoutLinks(text)}`),
      words,
    },
  };
}

/**
 * Returns the last 50 characters of a link, which are enough to identify it in a short parameter.
 */
export function endOf(link: string): string {
  return Array.from(link).slice(-50).join('').trim();
}

/** Reads a product that an API client names. No link is required. */
export function readNamedProduct(
  { url = '', text = '', title = '' }: { [name in 'url' | 'text' | 'title']?: string | undefined },
  origin: string,
): { ok: true; product: AskedProduct } | { ok: false; error: string } {
  if (url.trim() === '' && linkIn(text) === '' && linkIn(title) === '') {
    const words = cleanSearchText(title) || cleanSearchText(text);
    return { ok: true, product: { host: '', rest: '', gtins: gtinsIn(`${title} ${text}`), words } };
  }
  const asked = readAskedProduct(new URLSearchParams({ url, text, title }), origin);
  return asked.state === 'asked'
    ? { ok: true, product: asked.product }
    : { ok: false, error: asked.state === 'wrong' ? asked.error : askedMessages.missing };
}

/** Returns the URL, or the reason why the text is not one. */
function readAddress(given: string): URL | string {
  const link = /\s/.test(given) ? linkIn(given) : given;
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(given);
  if (hasScheme && !/^https?:/i.test(given)) return askedMessages.notWeb;
  const isBare = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:[/?#]\S*)?$/i.test(link);
  const url = URL.parse(isBare ? `https://${link}` : link);
  if (!url || !/^https?:$/.test(url.protocol)) return askedMessages.missing;
  if (url.username !== '' || url.password !== '') return askedMessages.credentials;
  return /\.[a-z][a-z0-9-]*\.?$/i.test(url.hostname) ? url : askedMessages.missing;
}

/** Returns the first link of a text without the punctuation after it, or ''. */
function linkIn(text: string): string {
  return (/https?:\/\/\S+/i.exec(text)?.[0] ?? '').replace(/[)\].,;!?"'>]{1,5}$/, '');
}

function withoutLinks(text: string): string {
  return text.replace(/https?:\/\/\S+/gi, ' ').trim();
}

/** Eight digits are often a store's own number, so they are accepted only with a product name. */
function gtinsIn(text: string): string[] {
  const long = text.match(/(?<!\d)\d{12,14}(?!\d)/g) ?? [];
  const short = [...text.matchAll(/\b(?:gtin|ean)(?:-?8)?[\s:=/-]{1,3}(\d{8})(?!\d)/gi)];
  const valid = [...long, ...short.map(([, digits = '']) => digits)].flatMap((digits) => {
    const checked = checkGtin(digits);
    return checked.ok ? [checked.gtin] : [];
  });
  return [...new Set(valid)].slice(0, mostGtins);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

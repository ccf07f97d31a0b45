import { readGtin } from '#app/features/feeds/formats/read-gtin.ts';

/** A product as given in a list. Missing values are ''. */
export interface ListedProduct {
  link: string;
  asin: string;
  gtin: string;
  title: string;
  /** The desired price as written in the list. */
  price: string;
  currency: string;
  /** The top-level domain of Amazon's host, such as `co.uk`. */
  locale: string;
}

/** characters; longer links are not accepted */
const longestLine = 4_000;
const longestPrice = 40;

/** An optional currency, a number in any notation, and an optional currency, at the end. */
const amount = String.raw`[^\d\s,;|]{0,4}\s?\d[\d.,'’\s]{0,20}[^\d\s,;|]{0,4}`;
const priceAfterMark = new RegExp(String.raw`(?:[\t;|]|,?\s)["']?(${amount})["']?$`);
/** A comma without a space may be part of the link, so the price needs decimals. */
const priceAfterComma = /,["']?([^\d\s,;|]{0,4}\s?\d[\d'’]*[.,]\d{2}\s?[^\d\s,;|]{0,4})["']?$/;

/** Reads a line of a plain list: a link, ASIN or GTIN, and optionally a price. */
export function readPlainLine(line: string): ListedProduct | null {
  const text = line.trim();
  if (text.length > longestLine) return null;
  const tail = text.slice(-longestPrice);
  const found = priceAfterMark.exec(tail) ?? priceAfterComma.exec(tail);
  const rest = found ? text.slice(0, text.length - tail.length + found.index) : text;
  const named = rest.split(/[\s"']+/).find((word) => /^https?:\/\/./i.test(word));
  const word = (named ?? rest).replace(/^["'\s]+|[\s"',;|]{1,9}$/g, '');
  const price = found?.[1]?.trim() ?? '';
  const product = readProduct({ link: word, asin: word, gtin: word, price });
  return product && (product.link || product.asin || product.gtin) ? product : null;
}

/** Returns the product of these values, or `null` if none of them names one. */
export function readProduct({
  link = '',
  asin = '',
  gtin = '',
  title = '',
  price = '',
  currency = '',
  locale = '',
}: Partial<ListedProduct>): ListedProduct | null {
  const found = isLink(link) ? link : '';
  const tracked = asinOfLink(found);
  const product = {
    link: found,
    asin: tracked?.asin ?? asinIn(asin),
    gtin: readGtin(gtin, []) ?? '',
    title,
    price: /[1-9]/.test(price) ? price : '',
    currency,
    locale: tracked?.locale ?? localeOf(locale),
  };
  const isNamed = [product.link, product.asin, product.gtin, title].some((text) => text !== '');
  return isNamed ? product : null;
}

/** Returns whether a text is a single URL, with or without `https`. */
function isLink(text: string): boolean {
  if (/\s/.test(text)) return false;
  return /^https?:\/\/./i.test(text) || /^(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S/i.test(text);
}

/** The ASIN of a book is its ISBN, so books are found by GTIN. */
function asinIn(text: string): string {
  return /^\s*(B0[A-Z0-9]{8})\s*$/i.exec(text)?.[1]?.toUpperCase() ?? '';
}

const onAmazon = /^(?:[a-z]+\.)?amazon\.([a-z.]{2,6})$/;

/**
 * Returns the ASIN in a link to Amazon, CamelCamelCamel or Keepa, with Amazon's ending if the link
 * has it.
 */
function asinOfLink(link: string): { asin: string; locale: string } | null {
  const url = URL.parse(/^https?:/i.test(link) ? link : `https://${link}`);
  const locale = onAmazon.exec(url?.hostname ?? '')?.[1];
  const isTracker = /(?:^|\.)(?:camelcamelcamel|keepa)\.com$/.test(url?.hostname ?? '');
  if (!url || (locale === undefined && !isTracker)) return null;
  const path = url.pathname + url.hash;
  const asin = /[/!](?:dp|product)\/(?:\d{1,2}-)?([A-Z0-9]{10})(?![A-Z0-9])/i.exec(path)?.[1];
  return asin === undefined ? null : { asin: asin.toUpperCase(), locale: locale ?? '' };
}

function localeOf(text: string): string {
  const bare = text.trim().toLowerCase();
  return onAmazon.exec(bare)?.[1] ?? (/^(?:com?\.)?[a-z]{2,3}$/.test(bare) ? bare : '');
}

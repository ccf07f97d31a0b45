import { type DateOrder, readCouponDate } from '#app/features/coupons/coupon-dates.ts';
import { mayBeWritten } from '#app/features/feeds/formats/currency-words.ts';
import { parseFeedPrice, takeApart } from '#app/features/feeds/formats/feed-price.ts';
import { toPlainLine, toPlainText } from '#app/features/feeds/formats/feed-text.ts';
import { pictureAddress, safeUrl } from '#app/platform/safe-url.ts';
import { shortenText } from '#app/platform/cut-text.ts';
import { publicationOf, publicationTime } from './old-item.ts';
import { offerPluginOf, type OfferFields } from './offer-fields.ts';
import type { WxrItem } from './wxr-item.ts';
import { withoutShortcodes } from './wordpress-text.ts';

/** A deal or coupon from an export, before its store and category are chosen. */
export interface OldOffer {
  plugin: string;
  description: string;
  /** minor units of the site's currency */
  price: number | null;
  /** The price that the old site struck through, which is only a claim. */
  oldPrice: number | null;
  code: string | null;
  link: string | null;
  store: string | null;
  categories: string[];
  picture: string | null;
  thumbnail: string;
  isOutOfStock: boolean;
  startsAt: string | null;
  endsAt: string | null;
  isPublished: boolean;
}

export type ReadOffer =
  | { kind: 'deal' | 'coupon'; title: string; offer: OldOffer; notes: string[] }
  /** The reason why the item is imported neither as a deal nor as a coupon. */
  | { problem: string };

const longest = { title: 200, description: 5_000, terms: 2_000, code: 64 };

/**
 * Reads the deal or coupon of an item. An item with a price and a link is a deal, and one with only
 * a code is a coupon. Returns null for an item without an offer.
 */
export function readOffer(
  item: WxrItem,
  { currency, timeZone, now }: { currency: string; timeZone: string; now: Date },
): ReadOffer | null {
  const plugin = offerPluginOf(item);
  if (!plugin) return null;
  const publication = publicationOf(item);
  if ('skip' in publication) return { problem: publication.skip };
  const field = (name: string | undefined) => (name ? (item.fields.get(name) ?? '') : '').trim();
  const notes = publication.note ? [publication.note] : [];
  const code = toPlainLine(field(plugin.code));
  if (code.length > longest.code) return { problem: 'Its code is longer than 64 characters' };
  const typed = plugin.price?.map(field).find((text) => text !== '') ?? '';
  const price = typed === '' ? null : readPrice(typed, field(plugin.currency), plugin, currency);
  if (typeof price === 'string' && code === '') return { problem: price };
  if (typeof price === 'string') notes.push(`${price}, so it becomes a coupon`);
  const linked = plugin.link.map(field).find((text) => text !== '') ?? '';
  const link = safeUrl(linked);
  if (linked !== '' && link === null)
    return { problem: `Its link is not a web address: ${shortenText(linked, 60)}` };
  const kind = typeof price === 'number' && link ? 'deal' : 'coupon';
  if (kind === 'coupon' && code === '')
    return { problem: link ? 'Has no price and no code' : 'Has no link to a store' };
  const ends = readEnd(plugin, field, { timeZone, now });
  if (ends === 'unreadable')
    return { problem: `Its end date cannot be read: ${shortenText(field(plugin.ends), 40)}` };
  const text = textOf(item, plugin, kind === 'deal' ? longest.description : longest.terms);
  if (text.isCut && item.type === 'post')
    return { problem: 'Its text is longer than the description of a deal' };
  if (text.isCut) notes.push('Its text was shortened');
  const old = oldPriceOf(plugin, field, price, currency);
  if (old.note && kind === 'deal') notes.push(old.note);
  if (plugin.name === 'Couponis' && !ends) notes.push('Exports of Couponis have no end dates');
  const starts = publicationTime(item, timeZone);
  const isLater = item.status === 'future' && starts !== null && starts > now;
  if (kind === 'coupon' && !publication.isPublished)
    return { problem: 'Not published, and coupons have no drafts' };
  if (kind === 'deal' && isLater) notes.push('Was scheduled, so it is inactive');
  return {
    kind,
    title:
      shortenText(toPlainLine(field(plugin.title)), longest.title) ||
      shortenText(toPlainLine(item.title), longest.title) ||
      'Untitled',
    notes,
    offer: {
      plugin: plugin.name,
      description: text.text,
      price: typeof price === 'number' ? price : null,
      oldPrice: old.amount,
      code: code || null,
      link,
      store: termsOf(item, plugin.stores)[0] ?? null,
      categories: termsOf(item, plugin.categories),
      picture: pictureAddress(field(plugin.picture)),
      thumbnail: item.thumbnailId,
      isOutOfStock: field(plugin.stock) === 'outofstock',
      startsAt: isLater && starts ? starts.toISOString() : null,
      endsAt: ends?.toISOString() ?? null,
      isPublished: publication.isPublished && !(kind === 'deal' && isLater),
    },
  };
}

type Field = (name: string | undefined) => string;

/** Returns a price in minor units, or the reason why it is not one in this currency. */
function readPrice(
  typed: string,
  named: string,
  { decimalMark }: OfferFields,
  currency: string,
): number | string {
  const shown = shortenText(typed, 40);
  const { word } = takeApart(typed);
  const read = parseFeedPrice(typed, currency, decimalMark ?? 'auto');
  if (!read.ok) return `Its price cannot be read: ${shown}`;
  const isOther =
    read.currency === null
      ? !mayBeWritten(currency, word) ||
        (/^[A-Z]{3}$/.test(named) && word !== '' && named !== currency)
      : read.currency !== currency;
  const isNamedOther = word === '' && /^[A-Z]{3}$/.test(named) && named !== currency;
  if (isOther || isNamedOther)
    return `Its price is in another currency: ${shown}${isNamedOther ? ` ${named}` : ''}`;
  return read.amount;
}

/**
 * Returns the struck-through price, if it is valid. This site did not see the price, so it is only
 * a claim.
 */
function oldPriceOf(
  plugin: OfferFields,
  field: Field,
  price: number | string | null,
  currency: string,
): { amount: number | null; note: string | null } {
  const typed = plugin.oldPrice?.map(field).find((text) => text !== '') ?? '';
  if (typed === '' || typeof price !== 'number') return { amount: null, note: null };
  const old = readPrice(typed, field(plugin.currency), plugin, currency);
  if (typeof old === 'string')
    return { amount: null, note: `Left out its old price ${shortenText(typed, 40)}` };
  return { amount: old > price ? old : null, note: null };
}

/** Couponis writes a row of nines for offers without an end date. */
const noEnd: ReadonlySet<string> = new Set(['', '0', '99999999999']);

/** Returns the end of an offer, or null if there is none. */
function readEnd(
  plugin: OfferFields,
  field: Field,
  { timeZone, now }: { timeZone: string; now: Date },
): Date | null | 'unreadable' {
  const typed = field(plugin.ends);
  const [name, value] = plugin.neverEnds ?? [];
  const isNone = noEnd.has(typed) || (name !== undefined && field(name) === value);
  const isOver = field(plugin.isExpired) === '1';
  const read = isNone ? null : readDate(typed, field(plugin.endTime), plugin, timeZone);
  if (isOver) return read && read < now ? read : now;
  return isNone ? null : (read ?? 'unreadable');
}

function readDate(typed: string, time: string, plugin: OfferFields, timeZone: string): Date | null {
  if (/^\d{9,10}$/.test(typed)) {
    const day = new Date(Number(typed) * 1_000);
    // A date in seconds is the beginning of the last day.
    const isDay = Number(typed) % 86_400 === 0;
    return isDay ? new Date(day.getTime() + 86_399_000) : day;
  }
  const [, first, second, year] = /^(\d{1,2})-(\d{1,2})-(\d{4})$/.exec(typed) ?? [];
  const isDayFirst = plugin.dashed !== 'month' || Number(first) > 12;
  const day = !year
    ? typed
    : isDayFirst
      ? `${year}-${second}-${first}`
      : `${year}-${first}-${second}`;
  // These plugins compare dates in PHP, which reads the first number of a date with slashes as the
  // month.
  const order: DateOrder = Number(/^(\d{1,2})\//.exec(day)?.[1] ?? 0) > 12 ? 'day' : 'month';
  return readCouponDate([day, time].filter(Boolean).join(' '), 'end', { order, timeZone });
}

function textOf(
  item: WxrItem,
  plugin: OfferFields,
  most: number,
): { text: string; isCut: boolean } {
  const own = (item.fields.get(plugin.text ?? '') ?? '').trim();
  const plain = (html: string) => toPlainText(withoutShortcodes(html).html);
  const body = plain(item.content);
  const isPost = item.type === 'post';
  const text = (isPost ? body : '') || plain(own) || body || plain(item.excerpt);
  return { text: shortenText(text, most), isCut: text.length > most || item.isTooLong };
}

function termsOf({ terms, categories }: WxrItem, taxonomies: readonly string[]): string[] {
  const names = [
    ...terms.filter(({ taxonomy }) => taxonomies.includes(taxonomy)).map(({ name }) => name),
    ...(taxonomies.includes('category') ? categories : []),
  ];
  return [...new Set(names.map((name) => shortenText(toPlainLine(name), 100)))].filter(
    (name) => name !== '' && name.toLowerCase() !== 'uncategorized',
  );
}

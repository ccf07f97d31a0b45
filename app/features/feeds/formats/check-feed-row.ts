import type { ColumnFor, DealColumns } from '#app/features/deals/deal-columns.ts';
import { type Availability, dealConditions } from '#database/schema/catalog-tables.ts';
import { type DecimalMark } from '#database/schema/feed-tables.ts';
import { slugify } from '#database/slug.ts';
import { readCategoryPath } from './feed-category.ts';
import { isWithinDates, parseFeedDate } from './feed-dates.ts';
import type { FeedRow } from './feed-fields.ts';
import { currencyCode, type FeedPrice, parseFeedPrice } from './feed-price.ts';
import { readProductId } from './product-key.ts';
import { readGtin } from './read-gtin.ts';
import { linkFault, readLink, readPicture } from './read-links.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { cutAtWord, toPlainLine, toPlainText } from './feed-text.ts';

type Told = DealColumns<ColumnFor<'feed'>>;
type Needed = 'title' | 'deal_url' | 'sale_price';

/**
 * A product that may become a deal. `null` means that the feed has no value, and an existing deal
 * keeps its own; only in `original_price` it means that there is none.
 */
export type ImportRow = Pick<Told, Needed> & {
  [Name in Exclude<keyof Told, Needed>]: Told[Name] | null;
} & {
  line: number;
  external_id: string;
  /** Whether `external_id` belongs to a group of variants. */
  is_variant: boolean;
  slug_base: string;
  category_path: string[];
};

export type CheckedRow =
  | { ok: true; row: ImportRow; notes: string[] }
  | { ok: false; external_id: string | null; reason: string };

export interface FeedRowRules {
  /** The site's currency; a price in another one is rejected. */
  currency: string;
  now: Date;
  /** The currency of prices without one; by default the site's. */
  feedCurrency?: string | null;
  decimalMark?: DecimalMark;
  /** Whether variants of one product become one deal, identified by the group's id. */
  groupsVariants?: boolean;
  /** The shop's address, for links and pictures that are only a path. */
  shop?: string | null;
}

const longestTitle = 200;
const longestDescription = 5_000;

/**
 * Validates one row of a feed. Errors in required values reject the row, and all are named; invalid
 * optional values are left out with a note.
 */
export function checkFeedRow({ line, values, problem }: FeedRow, rules: FeedRowRules): CheckedRow {
  const groupId = rules.groupsVariants ? toPlainLine(values.group_id ?? '') : '';
  const link = readLink(values.deal_url, rules.shop);
  const externalId = groupId || readProductId(values, link.ok ? link.url : null);
  if (problem !== undefined) return { ok: false, external_id: externalId || null, reason: problem };
  const faults: string[] = [];
  const notes: string[] = [];
  const title = cutAtWord(toPlainLine(values.title ?? ''), longestTitle);
  const prices = readPrices(values, rules, notes);
  const categoryPath = readCategoryPath(values.category ?? '');

  if (externalId === '') faults.push('no id');
  else if (externalId.length > 255) faults.push('id is longer than 255 characters');
  if (title === '') faults.push('no title');
  if (!link.ok) faults.push(linkFault(values.deal_url, link.reason));
  if (!prices.ok) faults.push(prices.reason);
  if (faults.length > 0 || !link.ok || !prices.ok) {
    return { ok: false, external_id: externalId.slice(0, 255) || null, reason: faults.join('; ') };
  }
  const row: ImportRow = {
    line,
    external_id: externalId,
    is_variant: groupId !== '',
    slug_base: slugify(title),
    title,
    description: cutAtWord(toPlainText(values.description ?? ''), longestDescription) || null,
    deal_url: link.url,
    image_url: readPicture(values.image_url, rules.shop, notes),
    sale_price: prices.sale_price,
    original_price: prices.original_price,
    availability: readAvailability(values.availability),
    ...readCondition(values.condition),
    category_path: categoryPath,
    brand: cutText(toPlainLine(values.brand ?? ''), 100) || null,
    gtin: readGtin(values.gtin, notes),
    coupon_code: readCoupon(values.coupon_code, notes),
    expires_at: readExpiry(values.expires_at, notes),
  };
  if (row.expires_at && row.expires_at <= rules.now) {
    notes.push(`over: its end was ${row.expires_at.toISOString().slice(0, 10)}`);
  }
  return { ok: true, row, notes };
}

type Values = FeedRow['values'];

type Prices =
  | { ok: true; sale_price: number; original_price: number | null }
  | { ok: false; reason: string };

/**
 * Returns the sale price during a sale, else the regular one; an "original" price that is not
 * higher is ignored.
 */
function readPrices(values: Values, rules: FeedRowRules, notes: string[]): Prices {
  const regular = values.original_price ? readPrice(values.original_price, values, rules) : null;
  const isAlone = !values.sale_price || !isSaleOn(values, rules.now, notes);
  const sale = isAlone ? null : readPrice(values.sale_price ?? '', values, rules);
  // Many feeds write 0 for no value.
  if (sale === null || (regular?.ok && isZero(sale))) {
    if (!regular) return { ok: false, reason: 'no price' };
    return regular.ok ? { ok: true, sale_price: regular.amount, original_price: null } : regular;
  }
  if (!sale.ok) return { ok: false, reason: sale.reason.replace(/^price/, 'sale price') };
  if (regular && isZero(regular)) {
    return { ok: true, sale_price: sale.amount, original_price: null };
  }
  if (regular && !regular.ok) return regular;
  const original = regular && regular.amount > sale.amount ? regular.amount : null;
  return { ok: true, sale_price: sale.amount, original_price: original };
}

const isZero = (price: FeedPrice) => !price.ok && price.reason === 'price is 0';

function isSaleOn(values: Values, now: Date, notes: string[]): boolean {
  if (!values.sale_dates) return true;
  const isOn = isWithinDates(values.sale_dates, now);
  const dates = values.sale_dates.slice(0, 80);
  if (isOn === null) {
    notes.push(`the dates of the sale cannot be read, so the regular price stands: ${dates}`);
  }
  return isOn ?? false;
}

function readPrice(text: string, values: Values, rules: FeedRowRules): FeedPrice {
  const beside = values.currency && currencyCode(values.currency);
  const unnamed = beside || (rules.feedCurrency ?? rules.currency);
  const price = parseFeedPrice(text, unnamed, rules.decimalMark);
  if (!price.ok) return price;
  const currency = price.currency ?? unnamed;
  if (currency === rules.currency) return price;
  const theirs = currency.slice(0, 10);
  return {
    ok: false,
    reason: `price is in ${theirs}, but this site's currency is ${rules.currency}`,
  };
}

const inStock = new Set(
  `in in_stock instock available true yes y limited_availability limitedavailability online_only onlineonly in_store_only low_stock on_stock
     en_stock disponible auf_lager lagernd verfügbar lieferbar sofort_lieferbar ja op_voorraad en_existencia disponibile skladem dostępny i_lager på_lager в_наличии oui si sí tak ano`.split(
    /\s+/,
  ),
);
const outOfStock = new Set(
  `out_of_stock outofstock oos sold_out soldout unavailable false no n discontinued not_available
     rupture rupture_de_stock épuisé indisponible ausverkauft nicht_auf_lager nicht_verfügbar nicht_lieferbar nein uitverkocht niet_op_voorraad agotado sin_existencias esaurito non_disponibile
     vyprodáno niedostępny brak slutsåld udsolgt нет_в_наличии non nie ne`.split(/\s+/),
);

/** Normalizes a word of schema.org's or of a feed. */
function plainWord(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/schema\.org\//, '')
    .replace(/[\s-]+/g, '_');
}

/** A preorder or backorder is unknown, neither in stock nor out of stock. */
export function readAvailability(text: string | undefined): Availability | null {
  if (!text) return null;
  const word = plainWord(text);
  const amount = /^[<>~+]?\s*(-?\d+(?:[.,]\d+)?)\s*\+?$/.exec(text.trim())?.[1];
  if (amount) return Number(amount.replace(',', '.')) > 0 ? 'in_stock' : 'out_of_stock';
  return inStock.has(word) ? 'in_stock' : outOfStock.has(word) ? 'out_of_stock' : 'unknown';
}

function readCondition(text = ''): Pick<ImportRow, 'status' | 'condition'> {
  const word = plainWord(text).replace(/_?condition$/, '');
  if (word === 'new' || word === 'used') return { status: word, condition: null };
  const condition = dealConditions.find((known) => known === word) ?? null;
  return { status: condition && 'used', condition };
}

function readCoupon(text: string | undefined, notes: string[]): string | null {
  const code = toPlainLine(text ?? '');
  if (code.length <= 64) return code || null;
  notes.push('imported without its coupon: the code is longer than 64 characters');
  return null;
}

function readExpiry(text: string | undefined, notes: string[]): Date | null {
  if (!text) return null;
  const date = parseFeedDate(text, 'end');
  if (!date)
    notes.push(`imported without its end date: not a date: ${toPlainLine(text).slice(0, 80)}`);
  return date;
}

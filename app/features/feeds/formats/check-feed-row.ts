import type { ColumnFor, DealColumns } from '#app/features/deals/deal-columns.ts';
import { dealConditions } from '#database/schema/catalog-tables.ts';
import { dealSlug } from '#database/slug.ts';
import { withoutPlaceholders } from './blank-cells.ts';
import { readCategoryPath } from './feed-category.ts';
import { parseFeedDate } from './feed-dates.ts';
import type { FeedRow } from './feed-fields.ts';
import { readProductId } from './product-key.ts';
import { readAvailability } from './read-availability.ts';
import { readGtin } from './read-gtin.ts';
import { readNetContents } from './read-net-contents.ts';
import { readShipping } from './read-shipping.ts';
import { linkFault, readLink, readPicture } from './read-links.ts';
import { type PriceRules, readPrices } from './read-row-prices.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { cutAtWord, toPlainLine, toPlainText } from './feed-text.ts';

type ParsedJson = DealColumns<ColumnFor<'feed'>>;
type Needed = 'title' | 'deal_url' | 'sale_price';

/**
 * A product that may become a deal. `null` means that the feed has no value, so that an existing
 * deal keeps its value. In `original_price`, `null` means that there is no original price.
 */
export type ImportRow = Pick<ParsedJson, Needed> & {
  [Name in Exclude<keyof ParsedJson, Needed>]: ParsedJson[Name] | null;
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
  | {
      ok: false;
      external_id: string | null;
      reason: string;
      /** Whether the rest of the feed may still reveal how to read its prices. */
      waits?: boolean;
    };

export interface FeedRowRules extends PriceRules {
  /** Whether variants of one product become one deal, identified by the group's id. */
  groupsVariants?: boolean;
  /** The shop's URL, which completes links and pictures given only as paths. */
  shop?: string | null;
}

const longestTitle = 200;
const longestDescription = 5_000;
const longestMpn = 70;

/**
 * Validates one row of a feed. Errors in required values reject the row, and all of them are
 * listed. Invalid optional values are omitted with a note.
 */
export function checkFeedRow(feedRow: FeedRow, rules: FeedRowRules): CheckedRow {
  const { line, problem, notes: read = [] } = feedRow;
  const values = withoutPlaceholders(feedRow.values);
  const groupId = rules.groupsVariants ? toPlainLine(values.group_id ?? '') : '';
  const link = readLink(values.deal_url, rules.shop);
  const externalId = groupId || readProductId(values, link.ok ? link.url : null);
  if (problem !== undefined) return { ok: false, external_id: externalId || null, reason: problem };
  const faults: string[] = [];
  const notes = [...read];
  const title = cutAtWord(toPlainLine(values.title ?? ''), longestTitle);
  const prices = readPrices({ ...feedRow, values }, rules, notes);
  const categoryPath = readCategoryPath(values.category ?? '');

  if (externalId === '') faults.push('no id');
  else if (externalId.length > 255) faults.push('id is longer than 255 characters');
  if (title === '') faults.push('no title');
  if (!link.ok) faults.push(linkFault(values.deal_url, link.reason));
  if (!prices.ok) faults.push(prices.reason);
  if (faults.length > 0 || !link.ok || !prices.ok) {
    const waits = !prices.ok && prices.waits === true;
    const reason = faults.join('; ');
    const id = externalId.slice(0, 255) || null;
    return { ok: false, external_id: id, reason, ...(waits && { waits }) };
  }
  const row: ImportRow = {
    line,
    external_id: externalId,
    is_variant: groupId !== '',
    slug_base: dealSlug(title),
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
    mpn: readCode(values.mpn, longestMpn),
    item_group_id: readCode(values.group_id, 255),
    net_contents: readNetContents(values, notes),
    shipping_cost: readShipping(values, rules, notes),
    coupon_code: readCoupon(values.coupon_code, notes),
    expires_at: readExpiry(values.expires_at, notes),
  };
  if (row.expires_at && row.expires_at <= rules.now) {
    notes.push(`expired: its end was ${row.expires_at.toISOString().slice(0, 10)}`);
  }
  return { ok: true, row, notes };
}

/** Normalizes a keyword of schema.org or of a feed. */
function plainWord(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/schema\.org\//, '')
    .replace(/[\s-]+/g, '_');
}

function readCondition(text = ''): Pick<ImportRow, 'status' | 'condition'> {
  const word = plainWord(text).replace(/_?condition$/, '');
  if (word === 'new' || word === 'used') return { status: word, condition: null };
  const condition = dealConditions.find((known) => known === word) ?? null;
  return { status: condition && 'used', condition };
}

/** Returns a code, or `null` if it is too long to be one. */
function readCode(text: string | undefined, longest: number): string | null {
  const code = toPlainLine(text ?? '');
  return code.length <= longest ? code || null : null;
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

import type { FeedEncoding } from '#app/features/feeds/formats/feed-encodings.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { formatOf } from '#app/features/feeds/formats/feed-formats.server.ts';
import type { FeedField } from '#app/features/feeds/formats/feed-fields.ts';
import { cutAtWord, toPlainLine, toPlainText } from '#app/features/feeds/formats/feed-text.ts';
import { readFeed } from '#app/features/feeds/formats/read-feed.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import type { FeedSizeLimits } from '#app/features/feeds/formats/decode-feed.server.ts';
import { dateOrder, readCouponDate } from './coupon-dates.ts';

/** A coupon as a list describes it. */
export interface CouponFields {
  code: string;
  title: string;
  terms: string;
  url: string | null;
  starts_at: Date | null;
  ends_at: Date | null;
}

/** A row with a code. A row with a `problem` is still treated as listed. */
export type CouponLine = { line: number; store: string } & (
  | { coupon: CouponFields }
  | { code: string; problem: string }
);

export interface CouponList {
  lines: CouponLine[];
  /** Rows without a code, which are not coupons. */
  withoutCode: number;
}

const mostRows = 50_000;

/**
 * The columns of lists by LinkMyDeals, Awin, CJ, Rakuten, FlexOffers, ShareASale, Impact and
 * Commission Factory, best first; `click_url` is also `clickUrl`. Each value is stored in a field
 * of a product feed that is long enough for it.
 */
const columns = {
  code: [
    'coupon_code',
    'code coupon_code promo_code promotion_code voucher_code voucher discount_code offer_code coupon',
  ],
  store: [
    'brand',
    'store store_name merchant_name merchant advertiser advertiser_name program_name program retailer shop shop_name brand',
  ],
  title: [
    'title',
    'title offer_title deal_title coupon_title link_name offer_name promotion_name headline name offer_text',
  ],
  details: [
    'description',
    'description offer_description link_description deal_description long_offer summary',
  ],
  terms: [
    'group_id',
    'terms terms_and_conditions terms_conditions conditions restrictions coupon_restriction',
  ],
  url: [
    'deal_url',
    'smartlink deeplink_tracking url_tracking click_url tracking_url tracking_link affiliate_link link_url url link deeplink landing_page landing_page_url destination_url destination target_url',
  ],
  starts: [
    'sale_dates',
    'starts_at starts start_date start offer_start_date promotion_start_date valid_from begin_date',
  ],
  ends: [
    'expires_at',
    'ends_at ends end_date end offer_end_date promotion_end_date valid_to valid_until expires expiry expiry_date expiration_date',
  ],
  status: ['availability', 'status'],
} as const satisfies Record<string, readonly [FeedField, string]>;

type Cells = Record<keyof typeof columns, string>;

const joined = (name: string) => name.replaceAll('_', '');
const mapping = Object.fromEntries(
  Object.values(columns).map(([field, names]) => [
    field,
    [...new Set(names.split(' ').flatMap((name) => [name, joined(name)]))].join('\n'),
  ]),
);
const codeColumns = new Set(columns.code[1].split(' ').map(joined));
const noCode =
  /^(?:[-–—]+|n\/?a|none|null|no (?:\w+ )*code(?: (?:needed|required))?|(?:code )?not (?:required|needed))$/i;
/** LinkMyDeals also lists withdrawn coupons. */
const withdrawn = /^(?:suspended|expired|deleted|inactive)$/i;

/**
 * Reads a list of coupons: a table, JSON or XML. Throws a FeedError if it names no codes. Dates
 * without a zone are in the site's time zone.
 */
export async function readCouponList(
  source: AsyncIterable<Uint8Array>,
  {
    timeZone,
    sizeLimits,
    encoding,
  }: { timeZone: string; sizeLimits: FeedSizeLimits; encoding?: FeedEncoding | undefined },
): Promise<CouponList> {
  // Networks' product formats do not apply here, and with `keepRaw` no column is required.
  const feed = await readFeed(source, {
    file: formatOf('csv'),
    mapping,
    sizeLimits,
    encoding,
    keepRaw: true,
  });
  const rows: { line: number; cells: Cells; problem: string | undefined }[] = [];
  let hasCodes = false;
  for await (const { line, values, raw, problem } of feed.rows) {
    hasCodes ||= Object.keys(raw ?? {}).some(isCodeColumn);
    if (rows.length === mostRows) throw new FeedError(`the list has more than ${mostRows} rows`);
    const cells = Object.entries(columns).map(([name, [field]]) => [name, values[field] ?? '']);
    rows.push({ line, cells: Object.fromEntries(cells) as Cells, problem });
  }
  if (!hasCodes) throw new FeedError(`no column of coupon codes was found; name it “code”`);
  const order = dateOrder(rows.flatMap(({ cells }) => [cells.starts, cells.ends]));
  const lines: CouponLine[] = [];
  let withoutCode = 0;
  for (const { line, cells, problem } of rows) {
    const code = toPlainLine(cells.code);
    if (code === '' || noCode.test(code)) withoutCode += 1;
    else if (!withdrawn.test(cells.status)) {
      const read =
        problem ??
        readRow(code, cells, (text, edge) => readCouponDate(text, edge, { order, timeZone }));
      const row = { line, store: toPlainLine(cells.store) };
      lines.push(
        typeof read === 'string' ? { ...row, code, problem: read } : { ...row, coupon: read },
      );
    }
  }
  return { lines, withoutCode };
}

/** Returns whether a column of this name contains coupon codes. */
export function isCodeColumn(name: string): boolean {
  return codeColumns.has(name.toLowerCase().replace(/[^a-z]+/g, ''));
}

type ReadDate = (text: string, edge: 'start' | 'end') => Date | null;

/** Returns the coupon of a row, or the error in the row. */
function readRow(code: string, cells: Cells, readDate: ReadDate): CouponFields | string {
  if (code.length > 64) return 'the code is longer than 64 characters';
  const details = toPlainText(cells.details);
  const title = toPlainLine(cells.title) || toPlainLine(details);
  if (title === '') return 'the title is missing';
  const starts_at = cells.starts ? readDate(cells.starts, 'start') : null;
  const ends_at = cells.ends ? readDate(cells.ends, 'end') : null;
  for (const [text, read] of [
    [cells.starts, starts_at],
    [cells.ends, ends_at],
  ] as const) {
    if (text && !read) return `“${text}” is not a date; write it like 2026-12-31`;
  }
  if (starts_at && ends_at && ends_at <= starts_at) return 'it ends before it starts';
  const url = cells.url ? safeUrl(cells.url) : null;
  if (cells.url && url === null) return 'the link is not a valid URL';
  const texts = [toPlainLine(details) === title ? '' : details, toPlainText(cells.terms)];
  const terms = cutAtWord([...new Set(texts)].filter(Boolean).join('\n'), 2_000);
  return { code, title: cutAtWord(title, 200), terms, url, starts_at, ends_at };
}

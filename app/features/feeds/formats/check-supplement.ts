import { isBlankPrice, withoutPlaceholders } from './blank-cells.ts';
import {
  type CheckedRow,
  checkFeedRow,
  type FeedRowRules,
  type ImportRow,
} from './check-feed-row.ts';
import { isWithinDates } from './feed-dates.ts';
import type { FeedRow } from './feed-fields.ts';

/** The prices that a row of a supplemental feed has. */
export type GivenPrices = 'none' | 'sale' | 'regular' | 'both';

type Added = 'title' | 'deal_url' | 'sale_price';

/** A row that only updates a deal; `null` keeps the deal's value. */
export type SupplementRow = Omit<ImportRow, Added> & {
  [Name in Added]: ImportRow[Name] | null;
} & { given_prices: GivenPrices };

export type CheckedSupplement =
  | { ok: true; row: SupplementRow; notes: string[] }
  | Extract<CheckedRow, { ok: false }>;

/** Placeholders that complete a row for its validation and are removed afterward. */
const placeholders = { title: 'supplement', deal_url: 'https://supplement.invalid/', price: '1' };

/** Validates a row that may lack everything except its id. */
export function checkSupplement(found: FeedRow, rules: FeedRowRules): CheckedSupplement {
  const { title, deal_url, ...values } = withoutPlaceholders(found.values);
  const original_price = givenPrice(values.original_price);
  const isOver = hasSaleEnded(found, rules.now);
  const sale = isOver ? undefined : givenPrice(values.sale_price);
  delete values.original_price;
  delete values.sale_price;
  const checked = checkFeedRow(
    {
      ...found,
      values: {
        ...values,
        title: title ?? placeholders.title,
        deal_url: deal_url ?? placeholders.deal_url,
        ...(sale !== undefined && { sale_price: sale }),
        ...(original_price !== undefined && { original_price }),
        ...(sale === undefined &&
          original_price === undefined && { sale_price: placeholders.price }),
      },
    },
    rules,
  );
  if (!checked.ok) return checked;
  const { row, notes } = checked;
  const given_prices = givenPrices(sale, original_price);
  return {
    ok: true,
    notes,
    row: {
      ...row,
      title: title === undefined ? null : row.title,
      deal_url: deal_url === undefined ? null : row.deal_url,
      sale_price: given_prices === 'none' ? null : row.sale_price,
      original_price: given_prices === 'none' ? null : row.original_price,
      given_prices,
    },
  };
}

const givenPrice = (text?: string) => (text && isBlankPrice(text) ? undefined : text);

function givenPrices(sale: string | undefined, regular: string | undefined): GivenPrices {
  if (sale === undefined) return regular === undefined ? 'none' : 'regular';
  return regular === undefined ? 'sale' : 'both';
}

function hasSaleEnded({ values }: FeedRow, now: Date): boolean {
  return values.sale_dates !== undefined && isWithinDates(values.sale_dates, now) === false;
}

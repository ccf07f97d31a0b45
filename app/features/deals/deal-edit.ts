import { parseMoney, examplePrice, smallestPrice } from '#app/platform/money.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';

/** A bulk edit: a price, a percentage of the current price, or an expiry. */
export type DealEdit =
  | { field: 'sale_price'; amount: number }
  | { field: 'sale_price'; percent: number }
  | { field: 'expires_at'; at: string | null };

export const editKinds = ['price', 'percent', 'end'] as const;
export type EditKind = (typeof editKinds)[number];

export type TypedEdit = { edit: DealEdit } | { error: string } | null;

/** The site settings that are needed to parse typed values. */
interface Unit {
  currency: string;
  timeZone: string;
}

/** Parses an edit of this kind. Returns `null` if none has been requested yet. */
export function readDealEdit(
  kind: string | null,
  typed: string,
  { currency, timeZone }: Unit,
): TypedEdit {
  if (kind === 'price') return readPrice(typed, currency);
  if (kind === 'percent') return readPercent(typed);
  if (kind === 'end') return readEnd(typed, timeZone);
  return null;
}

function readPrice(typed: string, currency: string): TypedEdit {
  const amount = parseMoney(typed, currency);
  return amount === null || amount === 0
    ? {
        error: `Must be a price of at least ${smallestPrice(currency)}, such as ${examplePrice(currency)}`,
      }
    : { edit: { field: 'sale_price', amount } };
}

const mostPercent = 1_000;

function readPercent(typed: string): TypedEdit {
  const plain = typed.replace('−', '-').replace(/[\s%]/g, '').replace(',', '.');
  const percent = Number(plain);
  const isOne = /^[+-]?\d{1,4}(\.\d{1,2})?$/.test(plain);
  return isOne && percent !== 0 && percent > -100 && percent <= mostPercent
    ? { edit: { field: 'sale_price', percent } }
    : { error: 'Must be a number such as -10 or 7.5: more than -100, at most 1000, and not 0' };
}

function readEnd(typed: string, timeZone: string): TypedEdit {
  if (typed === '') return { edit: { field: 'expires_at', at: null } };
  const at = fromWallClock(typed, timeZone);
  return at
    ? { edit: { field: 'expires_at', at: at.toISOString() } }
    : { error: 'Must be a date and time' };
}

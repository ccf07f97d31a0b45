import { exponentOf, unitsIn } from '#app/platform/money.ts';
import {
  type Amount,
  type ContentsKind,
  parseContents,
  showAmount,
  showUnit,
  type UnitName,
  units,
} from '#app/features/deals/net-contents.ts';

/** The price per base amount of the contents of a package. */
export interface UnitPrice {
  /** Minor units, with a fraction if the price is below ten. */
  price: number;
  per: Amount;
  /** The price with its base: `$12.84 / kg`. */
  text: string;
  /** The amount in the package. */
  amount: Amount;
}

/** The bases of the European directive on unit prices (98/6/EC). */
const usualBases: Record<ContentsKind, UnitName> = {
  weight: 'kg',
  volume: 'l',
  length: 'm',
  area: 'sqm',
  pieces: 'ct',
};
/** The bases on American price tags, for contents in American units. */
const customaryBases: Partial<Record<UnitName, UnitName>> = {
  oz: 'oz',
  lb: 'lb',
  floz: 'floz',
  pt: 'floz',
  qt: 'floz',
  gal: 'floz',
  in: 'ft',
  ft: 'ft',
  yd: 'ft',
  sqft: 'sqft',
};

/**
 * Returns the price per unit, or `null` if the contents are unknown or are the base itself, whose
 * price is already shown.
 */
export function unitPriceOf(
  salePrice: number,
  netContents: string | null,
  currency: string,
): UnitPrice | null {
  const known = parseContents(netContents);
  if (!known) return null;
  const { amount } = known;
  const per = known.base ?? { quantity: 1, unit: baseUnit(amount.unit, currency) };
  const share = (per.quantity * units[per.unit].size) / (amount.quantity * units[amount.unit].size);
  if (Math.abs(share - 1) < 1e-9) return null;
  const price = roundPrice(salePrice * share);
  const base = per.quantity === 1 ? showUnit(1, per.unit) : showAmount(per);
  return {
    price,
    per,
    text: `${formatFraction(price, currency)} / ${base}`,
    amount,
  };
}

function baseUnit(name: UnitName, currency: string): UnitName {
  const customary = currency === 'USD' ? customaryBases[name] : undefined;
  return customary ?? usualBases[units[name].kind];
}

/**
 * Rounds to minor units, or to two digits if there are fewer than ten, for which a whole unit would
 * be too coarse.
 */
function roundPrice(exact: number): number {
  return exact < 9.95 ? Number(exact.toPrecision(2)) : Math.round(Number(exact.toFixed(6)));
}

/** Returns the number of decimals of the currency, or of a price below ten minor units. */
function decimalsOf(price: number, currency: string): number {
  const fraction = Number.isInteger(price) ? 0 : Math.max(0, 1 - Math.floor(Math.log10(price)));
  return Math.min(12, exponentOf(currency) + fraction);
}

function formatFraction(price: number, currency: string): string {
  const digits = decimalsOf(price, currency);
  return (price / unitsIn(currency)).toLocaleString('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: exponentOf(currency),
    maximumFractionDigits: digits,
  });
}

import {
  layOutOfferCharts,
  lowestOfAll,
  type OfferChart,
  type OfferLine,
} from '#app/features/products/lay-out-offer-chart.ts';
import type { ProductPrices } from '#app/features/products/product-prices.server.ts';

/** lines that a reader can tell apart, in addition to that of the lowest prices */
const mostLines = 5;
/** rows of the table beside the chart */
const mostRows = 200;

/** A price of a store, and the lowest price of all stores from that time. */
export interface PriceRow {
  store: string;
  at: Date;
  price: number;
  isOffer: boolean;
  /** The lowest price, or `null` while no store had the product in stock. */
  lowest: number | null;
}

export interface ShownPrices {
  condition: ProductPrices['condition'];
  drawings: OfferChart[];
  /** Newest first. */
  rows: PriceRow[];
  /** The number of older rows that are left out. */
  olderRows: number;
  hasLowest: boolean;
  /**
   * `untracked` are stores whose past prices must not be shown. `undrawn` are those beyond the
   * number of lines.
   */
  untracked: string[];
  undrawn: string[];
}

/** The prices of an offer with its store. */
type StoreLine = OfferLine & { deal: { merchant: { id: number } } };

/**
 * Returns the prices as chart and table. With only one line, no line of the lowest prices is added.
 */
export function showPrices(
  {
    condition,
    from,
    lines,
    lowest,
    untracked,
  }: Omit<ProductPrices, 'lines' | 'low'> & { lines: readonly StoreLine[] },
  to: Date,
  currency: string,
): ShownPrices {
  const stores = joinStores(lines, from);
  const drawn = stores.slice(0, mostLines);
  const hasLowest = stores.length > 1;
  const ofAll = hasLowest ? [{ store: 'Lowest of all', steps: lowest, isLowest: true }] : [];
  const all = stores
    .flatMap(({ store, steps }) => steps.map((step) => ({ store, ...step })))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const rows = all.slice(0, mostRows).map((row) => {
    const since = row.at < from ? from : row.at;
    const least = lowest.findLast(({ at }) => at <= since);
    return { ...row, lowest: least?.isOffer ? least.price : null };
  });
  const undrawn = stores.slice(mostLines).map(({ store }) => store);
  return {
    condition,
    drawings: layOutOfferCharts([...drawn, ...ofAll], { from, to }, currency),
    rows,
    olderRows: all.length - rows.length,
    hasLowest,
    untracked,
    undrawn,
  };
}

/** Joins the offers of one store into one line of its lowest prices. */
function joinStores(lines: readonly StoreLine[], from: Date): OfferLine[] {
  const stores = Map.groupBy(lines, ({ deal }) => deal.merchant.id);
  return [...stores.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    return { store: first.store, steps: lowestOfAll([first, ...others], from) };
  });
}

import {
  type ChartSize,
  clipSteps,
  dateTicks,
  type PriceStep,
  roundTicks,
} from '#app/features/prices/lay-out-price-chart.ts';
import { formatMoney, isRound } from '#app/platform/money.ts';

/** The prices of one store, oldest first. */
export interface OfferLine {
  store: string;
  steps: readonly PriceStep[];
  /** Whether these are the lowest prices of all stores. */
  isLowest?: boolean;
}

export interface OfferChart {
  size: ChartSize;
  /** The end of the lines. The names are to the right of it. */
  end: number;
  yTicks: { y: number; label: string }[];
  xTicks: { x: number; label: string }[];
  /** The step line of each store, broken while out of stock, and the position of its name. */
  lines: { store: string; path: string; labelY: number; isLowest: boolean }[];
}

/**
 * The chart is drawn three times, so that its text keeps its size on phones. The space on the right
 * is for the stores' names.
 */
const sizes: readonly (ChartSize & { right: number })[] = [
  { width: 720, height: 300, left: 56, right: 120, bottom: 28, mostDates: 6 },
  { width: 500, height: 280, left: 52, right: 110, bottom: 28, mostDates: 4 },
  { width: 330, height: 260, left: 48, right: 84, bottom: 26, mostDates: 3 },
];
const top = 14;
/** pixels between two names */
const lineHeight = 16;

/**
 * Returns the lowest price at each time since `from` among the stores that had the product in
 * stock. If there was no such store, the step is marked as out of stock.
 */
export function lowestOfAll(lines: readonly OfferLine[], from: Date): PriceStep[] {
  const moments = lines
    .flatMap(({ steps }, line) => clipSteps([...steps], from).map((step) => ({ line, step })))
    .toSorted((a, b) => a.step.at.getTime() - b.step.at.getTime());
  const present = new Map<number, PriceStep>();
  const lowest: PriceStep[] = [];
  for (const [n, { line, step }] of moments.entries()) {
    present.set(line, step);
    // Prices with the same time are combined.
    if (moments[n + 1]?.step.at.getTime() === step.at.getTime()) continue;
    const before = lowest.at(-1);
    const offers = [...present.values()].filter(({ isOffer }) => isOffer);
    const isOffer = offers.length > 0;
    const price = Math.min(...(isOffer ? offers : [before ?? step]).map((one) => one.price));
    if (before?.price !== price || before.isOffer !== isOffer) {
      lowest.push({ at: step.at, price, isOffer });
    }
  }
  return lowest;
}

/** Draws a step line for each store on one scale. Returns no charts if there are no prices. */
export function layOutOfferCharts(
  given: readonly OfferLine[],
  { from, to }: { from: Date; to: Date },
  currency: string,
): OfferChart[] {
  const lines = given
    .map((line) => ({ ...line, steps: clipSteps([...line.steps], from) }))
    .filter(({ steps }) => steps.length > 0);
  const all = lines.flatMap(({ steps }) => steps);
  if (all.length === 0) return [];
  const prices = all.map(({ price }) => price);
  const ticks = roundTicks(Math.min(...prices), Math.max(...prices));
  const [floor, ceiling] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const start = Math.min(...all.map(({ at }) => at.getTime()));
  const span = Math.max(1, to.getTime() - start);
  const wholeIfRound = ticks.every((tick) => isRound(tick, currency));
  return sizes.map(({ right, ...size }) => {
    const bottom = size.height - size.bottom;
    const end = size.width - right;
    const x = (at: number) => round(size.left + ((at - start) / span) * (end - size.left));
    const y = (price: number) =>
      round(top + ((ceiling - price) / (ceiling - floor)) * (bottom - top));
    return {
      size,
      end,
      yTicks: ticks.map((tick) => ({
        y: y(tick),
        label: formatMoney(tick, currency, { wholeIfRound }),
      })),
      xTicks: dateTicks(start, to.getTime(), size.mostDates).map(({ at, label }) => ({
        x: x(at),
        label,
      })),
      lines: placeNames(
        lines.map(({ store, steps, isLowest = false }) => ({
          store,
          isLowest,
          path: stepPath(steps, x, y, end),
          labelY: y(steps.at(-1)?.price ?? 0),
        })),
        bottom,
      ),
    };
  });
}

function stepPath(
  steps: readonly PriceStep[],
  x: (at: number) => number,
  y: (price: number) => number,
  end: number,
): string {
  let path = '';
  let isDrawn = false;
  for (const [n, { at, price, isOffer }] of steps.entries()) {
    const next = steps[n + 1];
    if (isOffer) {
      path += isDrawn ? `V${y(price)}` : `M${x(at.getTime())} ${y(price)}`;
      path += `H${next ? x(next.at.getTime()) : end}`;
    }
    isDrawn = isOffer;
  }
  return path;
}

/** Moves overlapping names apart, first downward and then up from the bottom. */
function placeNames<Line extends { labelY: number }>(lines: Line[], bottom: number): Line[] {
  const sorted = lines.toSorted((a, b) => a.labelY - b.labelY);
  let least = top;
  for (const line of sorted) {
    line.labelY = Math.max(line.labelY, least);
    least = line.labelY + lineHeight;
  }
  let most = bottom;
  for (const line of sorted.toReversed()) {
    line.labelY = round(Math.min(line.labelY, most));
    most = line.labelY - lineHeight;
  }
  return lines;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

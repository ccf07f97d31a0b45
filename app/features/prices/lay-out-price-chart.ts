import { formatMoney, isRound } from '#app/platform/money.ts';

/** A logged price, in force until the next step. */
export interface PriceStep {
  at: Date;
  price: number;
  /** `false` while the deal was out of stock. Such a price is drawn, but is never a low. */
  isOffer: boolean;
}

export interface ChartSize {
  width: number;
  height: number;
  /** Pixels for the price labels (`left`) and the date labels (`bottom`). */
  left: number;
  bottom: number;
  /** The maximum number of dates. */
  mostDates: number;
}

export interface ChartPoint {
  x: number;
  y: number;
}

export interface PriceChart {
  /**
   * The SVG paths of the steps and of the steps while out of stock (may be empty). The area below
   * is not filled: the axis does not start at zero, so filling would exaggerate small changes.
   */
  line: string;
  gaps: string;
  /** The path of imported prices (may be empty). */
  moved: string;
  yTicks: { y: number; label: string }[];
  xTicks: { x: number; label: string }[];
  low: ChartPoint;
  high: ChartPoint;
  present: ChartPoint;
}

const day = 86_400_000;
const top = 22;
const right = 12;

/**
 * Computes the chart's layout in units of its box. Steps are sorted oldest first, and the first may
 * be older than `from`. `moved` are imported earlier prices, which are never the low or the high.
 * Returns `null` if there are no steps.
 */
export function layOutPriceChart(
  given: PriceStep[],
  from: Date,
  to: Date,
  size: ChartSize,
  currency: string,
  moved: PriceStep[] = [],
): PriceChart | null {
  const steps = clipSteps(given, from);
  const [first] = steps;
  const last = steps.at(-1);
  const extremes = findExtremes(steps);
  if (!first || !last || !extremes) return null;

  const past = clipMoved(moved, from, first.at);
  const start = Math.max(from.getTime(), (past.steps[0] ?? first).at.getTime());
  const span = Math.max(1, to.getTime() - start);
  const prices = [...past.steps, ...steps].map((step) => step.price);
  const ticks = roundTicks(Math.min(...prices), Math.max(...prices));
  const [floor, ceiling] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const bottom = size.height - size.bottom;
  const x = (at: number) =>
    round(size.left + ((at - start) / span) * (size.width - right - size.left));
  const y = (price: number) =>
    round(top + ((ceiling - price) / (ceiling - floor)) * (bottom - top));
  const end = x(to.getTime());

  let line = `M${x(first.at.getTime())} ${y(first.price)}`;
  let gaps = '';
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const until = next ? x(next.at.getTime()) : end;
    if (!step.isOffer) gaps += `M${x(step.at.getTime())} ${y(step.price)}H${until}`;
    line += next ? `H${until}V${y(next.price)}` : `H${until}`;
  }
  const movedLine = past.steps.map(({ at, price }, index) => {
    const until = (past.steps[index + 1]?.at ?? past.end).getTime();
    return `${index === 0 ? `M${x(at.getTime())} ` : 'V'}${y(price)}H${x(until)}`;
  });
  const middle = (step: PriceStep): ChartPoint => {
    const next = steps[steps.indexOf(step) + 1];
    const until = next ? x(next.at.getTime()) : end;
    return { x: round((x(step.at.getTime()) + until) / 2), y: y(step.price) };
  };
  const wholeIfRound = ticks.every((tick) => isRound(tick, currency));
  return {
    line,
    gaps,
    moved: movedLine.join(''),
    yTicks: ticks.map((tick) => ({
      y: y(tick),
      label: formatMoney(tick, currency, { wholeIfRound }),
    })),
    xTicks: dateTicks(start, to.getTime(), size.mostDates).map(({ at, label }) => ({
      x: x(at),
      label,
    })),
    low: middle(extremes.low),
    high: middle(extremes.high),
    present: { x: end, y: y(last.price) },
  };
}

/** days for which the last imported price is drawn */
const mostDaysMoved = 30;

/**
 * Returns the imported steps in a window and their end, at the latest when the site saw its first
 * price.
 */
export function clipMoved(
  moved: PriceStep[],
  from: Date,
  first: Date,
): { steps: PriceStep[]; end: Date } {
  const last = moved.at(-1)?.at.getTime() ?? 0;
  const end = new Date(Math.min(first.getTime(), last + mostDaysMoved * day));
  return { steps: end > from ? clipSteps(moved, from) : [], end };
}

/** Returns the steps in a window, starting with the one in force at its beginning. */
export function clipSteps(steps: PriceStep[], from: Date): PriceStep[] {
  const inside = steps.filter((step) => step.at >= from);
  const opening = steps.findLast((step) => step.at < from);
  return opening ? [{ ...opening, at: from }, ...inside] : inside;
}

/**
 * Returns the lowest and highest steps with their times. Steps out of stock are used only if there
 * are no others.
 */
export function findExtremes(steps: PriceStep[]): { low: PriceStep; high: PriceStep } | null {
  const offers = steps.filter((step) => step.isOffer);
  // Starting with the newest step, only a better one replaces it.
  const [first, ...rest] = (offers.length > 0 ? offers : steps).toReversed();
  if (!first) return null;
  return {
    low: rest.reduce((best, step) => (step.price < best.price ? step : best), first),
    high: rest.reduce((best, step) => (step.price > best.price ? step : best), first),
  };
}

/** Returns two to eight evenly spaced round amounts around these prices, in minor units. */
export function roundTicks(low: number, high: number): number[] {
  const spread = Math.max(high - low, Math.round(high * 0.1), 4);
  const raw = spread / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, Math.round(([1, 2, 5, 10].find((n) => n * power >= raw) ?? 10) * power));
  const floor = Math.max(0, Math.floor((low - spread * 0.12) / step) * step);
  const ticks: number[] = [];
  // A constant price is drawn in the middle.
  const ceiling = low === high ? high + step / 2 : high;
  for (let tick = floor; ticks.length < 2 || (ticks.at(-1) ?? 0) < ceiling; tick += step) {
    ticks.push(tick);
  }
  return ticks;
}

/**
 * Returns round dates between two times: weekly for a short window, and first days of months for a
 * longer one.
 */
export function dateTicks(start: number, end: number, most: number) {
  const days = (end - start) / day;
  const isLong = days > 365;
  const all = days <= 45 ? weekTicks(start, end, days) : monthTicks(start, end, isLong);
  // Labels that include the year are wider.
  const every = Math.max(1, Math.ceil(all.length / (isLong ? most - 1 : most)));
  // Dates are counted from the newest one, so that the current end of the axis has a label.
  return all
    .toReversed()
    .filter((_, index) => index % every === 0)
    .toReversed();
}

function weekTicks(start: number, end: number, days: number) {
  const step = days > 10 ? 7 * day : day;
  const ticks = [];
  const midnight = Math.floor(end / day) * day;
  for (let at = midnight; at >= start; at -= step) ticks.push({ at, label: labels.day.format(at) });
  return ticks.toReversed();
}

function monthTicks(start: number, end: number, isLong: boolean) {
  const ticks = [];
  const first = new Date(start);
  for (let month = 1; ; month++) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1);
    if (at > end) return ticks;
    ticks.push({ at, label: labels[isLong ? 'year' : 'day'].format(at) });
  }
}

const labels = {
  day: new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
  year: new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
};

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

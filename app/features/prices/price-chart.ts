import { formatMoney } from '#app/platform/money.ts';

/** One price of the log. It holds until the next step. */
export interface PriceStep {
  at: Date;
  price: number;
  /** False while the deal was out of stock: such a price is drawn, but is no low (P7b). */
  isOffer: boolean;
}

export interface ChartSize {
  width: number;
  height: number;
  /** Room for the labels of the prices, and of the dates. */
  left: number;
  bottom: number;
  /** How many dates fit. */
  mostDates: number;
}

export interface ChartPoint {
  x: number;
  y: number;
}

export interface PriceChart {
  /** SVG paths: the steps, the same closed to the floor, and the steps while out of stock (may be empty). */
  line: string;
  area: string;
  gaps: string;
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
 * Where everything of the chart lies, in units of its box. Steps oldest first; the first may be older than `from`,
 * its price was in force when the window opened. Null without a step.
 */
export function layOutPriceChart(
  given: PriceStep[],
  from: Date,
  to: Date,
  size: ChartSize,
  currency: string,
): PriceChart | null {
  const steps = clipSteps(given, from);
  const first = steps[0];
  const last = steps.at(-1);
  if (!first || !last) return null;

  const start = Math.max(from.getTime(), first.at.getTime());
  const span = Math.max(1, to.getTime() - start);
  const prices = steps.map((step) => step.price);
  const ticks = roundTicks(Math.min(...prices), Math.max(...prices));
  const [floor, ceiling] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const bottom = size.height - size.bottom;
  const x = (at: number) =>
    round(size.left + ((at - start) / span) * (size.width - right - size.left));
  const y = (price: number) =>
    round(top + ((ceiling - price) / (ceiling - floor)) * (bottom - top));
  const end = x(to.getTime());

  let line = `M${x(start)} ${y(first.price)}`;
  let gaps = '';
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const until = next ? x(next.at.getTime()) : end;
    if (!step.isOffer) gaps += `M${x(step.at.getTime())} ${y(step.price)}H${until}`;
    line += next ? `H${until}V${y(next.price)}` : `H${until}`;
  }
  const lowest = findExtreme(steps, (a, b) => a < b);
  const highest = findExtreme(steps, (a, b) => a > b);
  const middle = (step: PriceStep): ChartPoint => {
    const next = steps[steps.indexOf(step) + 1];
    return {
      x: round((x(step.at.getTime()) + (next ? x(next.at.getTime()) : end)) / 2),
      y: y(step.price),
    };
  };
  const decimals = ticks.some((tick) => tick % 100 !== 0);
  return {
    line,
    area: `${line}V${bottom}H${x(start)}Z`,
    gaps,
    yTicks: ticks.map((tick) => ({
      y: y(tick),
      label: formatMoney(tick, currency, { wholeIfRound: !decimals }),
    })),
    xTicks: dateTicks(start, to.getTime(), size.mostDates).map(({ at, label }) => ({
      x: x(at),
      label,
    })),
    low: middle(lowest),
    high: middle(highest),
    present: { x: end, y: y(last.price) },
  };
}

/** The steps of a window: those inside it, after the one in force when it opened, which then begins with it. */
export function clipSteps(steps: PriceStep[], from: Date): PriceStep[] {
  const inside = steps.filter((step) => step.at >= from);
  const opening = steps.findLast((step) => step.at < from);
  return opening ? [{ ...opening, at: from }, ...inside] : inside;
}

/** Lowest and highest of the steps, and since when; an offer out of stock counts only where nothing else was seen. */
export function findExtremes(steps: PriceStep[]): { low: PriceStep; high: PriceStep } | null {
  if (steps.length === 0) return null;
  return { low: findExtreme(steps, (a, b) => a < b), high: findExtreme(steps, (a, b) => a > b) };
}

/** The newest step no other beats. */
function findExtreme(steps: PriceStep[], beats: (a: number, b: number) => boolean): PriceStep {
  const offers = steps.filter((step) => step.isOffer);
  const [first, ...rest] = (offers.length > 0 ? offers : steps).toReversed();
  return rest.reduce((best, step) => (beats(step.price, best.price) ? step : best), first!);
}

/** Three to six round sums of money, in cents, around these prices. */
export function roundTicks(low: number, high: number): number[] {
  const spread = Math.max(high - low, Math.round(high * 0.1), 4);
  const raw = spread / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, Math.round(([1, 2, 5, 10].find((n) => n * power >= raw) ?? 10) * power));
  const floor = Math.max(0, Math.floor((low - spread * 0.12) / step) * step);
  const ticks: number[] = [];
  // A price that never moved runs through the middle.
  const ceiling = low === high ? high + step / 2 : high;
  for (let tick = floor; ticks.length < 2 || (ticks.at(-1) ?? 0) < ceiling; tick += step) {
    ticks.push(tick);
  }
  return ticks;
}

interface DateTick {
  at: number;
  label: string;
}

/** Round dates between two moments: weeks of a short window, firsts of months of a longer one. */
export function dateTicks(start: number, end: number, most: number): DateTick[] {
  const days = (end - start) / day;
  const all = days <= 45 ? weekTicks(start, end, days) : monthTicks(start, end, days > 365);
  const every = Math.max(1, Math.ceil(all.length / most));
  // Counted from the newest, since that is where visitors look.
  return all
    .toReversed()
    .filter((_, index) => index % every === 0)
    .toReversed();
}

function weekTicks(start: number, end: number, days: number): DateTick[] {
  const step = days > 10 ? 7 * day : day;
  const ticks: DateTick[] = [];
  const midnight = Math.floor(end / day) * day;
  for (let at = midnight; at >= start; at -= step) ticks.push({ at, label: dateLabel(at, 'day') });
  return ticks.toReversed();
}

function monthTicks(start: number, end: number, isLong: boolean): DateTick[] {
  const ticks: DateTick[] = [];
  const first = new Date(start);
  for (let month = 1; ; month++) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1);
    if (at > end) return ticks;
    ticks.push({ at, label: dateLabel(at, isLong ? 'year' : 'day') });
  }
}

const labels = {
  day: new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
  year: new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
};

function dateLabel(at: number, kind: keyof typeof labels): string {
  return labels[kind].format(at);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

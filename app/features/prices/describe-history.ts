import type { PriceSource } from '#database/schema/catalog-tables.ts';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import {
  type ChartSize,
  clipMoved,
  clipSteps,
  findExtremes,
  layOutPriceChart,
  type PriceChart,
  type PriceStep,
} from './lay-out-price-chart.ts';
import type { HistoryDays } from './price-history-days.ts';
import type { PriceHistoryEntry } from './price-history-queries.server.ts';

const day = 86_400_000;
/** ms; a single price that is newer than this gets no line */
const leastDrawn = 2 * day;

/**
 * The chart is drawn twice, so that its text keeps its size on phones. The style sheet shows one of
 * the two.
 */
const wide: ChartSize = { width: 720, height: 300, left: 56, bottom: 28, mostDates: 7 };
const narrow: ChartSize = { width: 330, height: 240, left: 48, bottom: 26, mostDates: 4 };

const sourceLabels: Record<PriceSource, string> = {
  admin: 'Entered by our staff',
  import: 'Store’s product list',
  feed: 'Store’s product feed',
  demo: 'Demo data',
};

export interface ChartDrawing {
  size: ChartSize;
  chart: PriceChart;
}

/** A price history ready to be shown, with its sentence, charts and table. */
export interface ShownHistory {
  summary: string;
  /** The wide and the narrow chart. Empty as long as there is no line yet. */
  drawings: ChartDrawing[];
  lowLabel: string;
  highLabel: string;
  hasGaps: boolean;
  /** A sentence about prices in the charts that the site itself did not see. */
  movedNote: string | null;
  rows: { key: string; at: string; title: string; since: string; price: string; source: string }[];
}

/**
 * Draws a price history on the server, so that the browser needs neither the geometry nor the log.
 * Returns `null` if there is no log. Lows, highs and their days come only from the log.
 */
export function describeHistory(
  entries: PriceHistoryEntry[],
  { days, now, endedAt }: { days: HistoryDays; now: Date; endedAt: Date | null },
  { currency, timeZone }: { currency: string; timeZone: string },
): ShownHistory | null {
  const history = entries.filter(({ source }) => source !== 'moved');
  const all = history.map(asStep);
  const from = days === null ? new Date(0) : new Date(now.getTime() - days * day);
  const steps = clipSteps(all, from);
  const first = steps[0];
  const extremes = findExtremes(steps);
  if (!first || !extremes) return null;
  const { low, high } = extremes;
  const lowest = formatMoney(low.price, currency);
  const highest = formatMoney(high.price, currency);
  const since = shortDate(first.at, timeZone);
  const brought = entries.filter(({ source }) => source === 'moved');
  const isDrawn = clipMoved(brought.map(asStep), from, first.at).steps.length > 0;
  const moved = isDrawn ? brought : [];
  const rows = [...moved, ...history]
    .toReversed()
    .map((entry) => describeRow(entry, currency, timeZone));
  const labels = { lowLabel: `Low ${lowest}`, highLabel: `High ${highest}`, rows };
  const begins = history[0]?.at ?? first.at;
  const movedNote = moved.length > 0 ? noteMoved(moved, shortDate(begins, timeZone)) : null;
  if (history.length === 1 && !movedNote && now.getTime() - first.at.getTime() < leastDrawn) {
    const summary = `We have watched this price since ${since}: ${lowest}, unchanged. The chart appears after the first change.`;
    return { ...labels, summary, drawings: [], hasGaps: false, movedNote };
  }
  // The newest of equal lows is used. A price that is now out of stock was on offer until then.
  const isLowNow = endedAt === null && low.isOffer && low === steps.at(-1);
  const range = days === null || first.at > from ? `watched since ${since}` : `${days} days`;
  const to = endedAt !== null && endedAt > first.at ? endedAt : now;
  return {
    ...labels,
    summary: `Lowest ${lowest} (${isLowNow ? 'today' : shortDate(low.at, timeZone)}) · Highest ${highest} · ${range}`,
    drawings: [wide, narrow].flatMap((size) => {
      const chart = layOutPriceChart(all, from, to, size, currency, moved.map(asStep));
      return chart ? [{ size, chart }] : [];
    }),
    hasGaps: steps.some((step) => !step.isOffer),
    movedNote,
  };
}

function describeRow(entry: PriceHistoryEntry, currency: string, timeZone: string) {
  const { at, sale_price: price, availability, source, moved_from: tracker } = entry;
  const shown = {
    price: formatMoney(price, currency),
    key: `${at.getTime()} ${price} ${availability}`,
  };
  if (source === 'moved') {
    const [date = ''] = at.toISOString().split('T');
    const since = shortDate(at, 'UTC');
    return { ...shown, at: date, title: since, since, source: `${tracker}, not seen by us` };
  }
  return {
    ...shown,
    at: at.toISOString(),
    title: fullTime(at, timeZone),
    since: shortDate(at, timeZone),
    source: `${sourceLabels[source]}${availability === 'out_of_stock' ? ', out of stock' : ''}`,
  };
}

function noteMoved(moved: PriceHistoryEntry[], begins: string): string {
  const trackers = [...new Set(moved.map(({ moved_from: tracker }) => tracker ?? ''))];
  const named = trackers.length > 3 ? [...trackers.slice(0, 2), 'others'] : trackers;
  return `Before ${begins}: prices from ${new Intl.ListFormat('en-US').format(named)}, not seen by us.`;
}

function asStep(entry: PriceHistoryEntry): PriceStep {
  return { at: entry.at, price: entry.sale_price, isOffer: entry.availability !== 'out_of_stock' };
}

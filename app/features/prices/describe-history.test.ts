import { describe, expect, test } from 'vitest';
import type { Availability, PriceSource } from '#database/schema/catalog-tables.ts';
import { describeHistory, type ShownHistory } from './describe-history.ts';
import type { HistoryDays } from './price-history-days.ts';
import { parseHistoryDays } from './price-history-days.ts';
import type { PriceHistoryEntry } from './price-history-queries.server.ts';

const now = new Date('2026-11-21T12:00:00Z');
const day = 86_400_000;
const daysAgo = (days: number) => new Date(now.getTime() - days * day);

const entry = (
  days: number,
  sale_price: number,
  availability: Availability = 'in_stock',
  source: PriceSource = 'import',
): PriceHistoryEntry => ({ at: daysAgo(days), sale_price, availability, source });

function shown(
  history: PriceHistoryEntry[],
  { days = 90, endedAt = null }: { days?: HistoryDays; endedAt?: Date | null } = {},
  site = { currency: 'USD', timeZone: 'UTC' },
): ShownHistory {
  const described = describeHistory(history, { days, now, endedAt }, site);
  if (!described) throw new Error('There is no history.');
  return described;
}

describe('the sentence above the chart', () => {
  test('states the low, the high and the range in the sentence above the chart', () => {
    expect(shown([entry(200, 15_000), entry(40, 9000), entry(10, 12_000)]).summary).toBe(
      'Lowest $90.00 (Oct 12, 2026) · Highest $150.00 · 90 days',
    );
  });

  test('shows “today” when the current price is the low', () => {
    expect(shown([entry(100, 15_000), entry(3, 9000)]).summary).toContain('Lowest $90.00 (today)');
  });

  test('shows “today” for a low that was reached a second time', () => {
    const history = [entry(100, 15_000), entry(60, 9000), entry(50, 12_000), entry(3, 9000)];
    expect(shown(history).summary).toContain('Lowest $90.00 (today)');
  });

  test('P7b: does not call a low today’s if it is now out of stock', () => {
    const history = [entry(100, 15_000), entry(20, 9000), entry(5, 9000, 'out_of_stock')];
    expect(shown(history).summary).toContain('Lowest $90.00 (Nov 1, 2026)');
  });

  test('P7b: does not call a price today’s low if it was never in stock', () => {
    expect(shown([entry(20, 9000, 'out_of_stock')]).summary).toContain(
      'Lowest $90.00 (Nov 1, 2026)',
    );
  });

  test('shows the date of the low for a deal that ended', () => {
    const history = [entry(100, 15_000), entry(20, 9000)];
    expect(shown(history, { endedAt: daysAgo(2) }).summary).toContain(
      'Lowest $90.00 (Nov 1, 2026)',
    );
  });

  test('never claims more days than were watched in the sentence above the chart', () => {
    expect(shown([entry(40, 15_000), entry(20, 9000)]).summary).toMatch(
      / · watched since Oct 12, 2026$/,
    );
    expect(shown([entry(40, 15_000), entry(20, 9000)], { days: 30 }).summary).toMatch(
      / · 30 days$/,
    );
  });

  test('states the first day when the chart shows the whole log', () => {
    expect(shown([entry(500, 15_000), entry(20, 9000)], { days: null }).summary).toMatch(
      / · watched since Jul 9, 2025$/,
    );
  });

  test('omits prices from before the range of the chart', () => {
    const history = [entry(400, 100), entry(300, 15_000), entry(20, 9000)];
    expect(shown(history).summary).toContain('Lowest $90.00');
    expect(shown(history, { days: null }).summary).toContain('Lowest $1.00');
  });

  test('uses the site’s currency and time zone for a price history', () => {
    const { summary, lowLabel } = shown(
      [{ ...entry(40, 15_000), at: new Date('2026-10-12T23:30:00Z') }, entry(20, 9000)],
      {},
      { currency: 'EUR', timeZone: 'Europe/Berlin' },
    );
    expect(summary).toContain('€90.00');
    expect(summary).toContain('watched since Oct 13, 2026');
    expect(lowLabel).toBe('Low €90.00');
  });
});

describe('a log too short for a line', () => {
  test('shows a sentence and a table, without a chart, for a log too short for a line', () => {
    const young = shown([entry(1, 9000)]);
    expect(young.summary).toBe(
      'We have watched this price since Nov 20, 2026: $90.00, unchanged. The chart appears after the first change.',
    );
    expect(young.drawings).toEqual([]);
    expect(young.rows).toHaveLength(1);
  });

  test('draws a line from the second day onward, or as soon as the price changes', () => {
    expect(shown([entry(2, 9000)]).drawings).toHaveLength(2);
    expect(shown([entry(1, 9000), entry(0.5, 8000)]).drawings).toHaveLength(2);
  });

  test('returns no history for an empty log', () => {
    const facts = { days: 90, now, endedAt: null } as const;
    expect(describeHistory([], facts, { currency: 'USD', timeZone: 'UTC' })).toBeNull();
  });
});

describe('the charts', () => {
  const history = [entry(200, 15_000), entry(40, 9000), entry(10, 12_000)];

  test('draws one chart for wide and one for narrow screens', () => {
    expect(shown(history).drawings.map(({ size }) => size.width)).toEqual([720, 330]);
  });

  test('shows fewer dates below a chart on a narrow screen', () => {
    const [wide, narrow] = shown(history, { days: 365 }).drawings;
    expect(wide?.chart.xTicks.length).toBeGreaterThan(narrow?.chart.xTicks.length ?? 0);
    expect(narrow?.chart.xTicks.length).toBeLessThanOrEqual(4);
  });

  test('ends the chart when the deal ended', () => {
    const wide = (endedAt: Date | null) => shown(history, { endedAt }).drawings[0]?.chart;
    const firstDrop = (endedAt: Date | null) =>
      Number(/H([\d.]+)V/.exec(wide(endedAt)?.line ?? '')?.[1]);
    // The same drop is farther right if the time axis ends earlier.
    expect(firstDrop(daysAgo(5))).toBeGreaterThan(firstDrop(null));
    expect(wide(daysAgo(5))?.present.x).toBe(708);
  });

  test('marks time out of stock in a chart, and mentions it only if there was any', () => {
    expect(shown(history).hasGaps).toBe(false);
    const gap = shown([entry(200, 15_000), entry(40, 9000, 'out_of_stock'), entry(10, 12_000)]);
    expect(gap.hasGaps).toBe(true);
    expect(gap.drawings[0]?.chart.gaps).toMatch(/^M/);
  });

  test('never repeats a date below a chart, no matter how long the log is', () => {
    for (const days of [46, 90, 180, 364, 365, 366, 380, 399, 401, 800, 1500]) {
      const [wide] = shown([entry(days, 15_000), entry(10, 9000)], { days: null }).drawings;
      const labels = wide?.chart.xTicks.map(({ label }) => label) ?? [];
      expect([days, new Set(labels).size]).toEqual([days, labels.length]);
    }
  });
});

describe('moved prices', () => {
  const moved = (days: number, price: number, tracker = 'Keepa'): PriceHistoryEntry => ({
    at: new Date(`${daysAgo(days).toISOString().slice(0, 10)}T00:00:00Z`),
    sale_price: price,
    availability: 'unknown',
    source: 'moved',
    moved_from: tracker,
  });
  const own = [entry(40, 15_000), entry(10, 12_000)];

  test('never counts an imported price as a low, a high or a watched day', () => {
    const { summary, lowLabel, highLabel } = shown(own);
    const both = shown([moved(80, 1_000), moved(60, 99_000), ...own]);
    expect(both).toMatchObject({ summary, lowLabel, highLabel });
    expect(both.movedNote).toBe('Before Oct 12, 2026: prices from Keepa, not seen by us.');
    expect(shown(own).movedNote).toBeNull();
    expect(shown(own).drawings[0]?.chart.moved).toBe('');
  });

  test('draws imported prices as a separate line that ends where the log begins', () => {
    const [wide] = shown([moved(80, 14_000), moved(60, 16_000), ...own]).drawings;
    const start = /^M([\d.]+) /.exec(wide?.chart.line ?? '')?.[1];
    expect(wide?.chart.moved).toMatch(new RegExp(String.raw`^M56 [\d.]+H[\d.]+V[\d.]+H${start}$`));
    const labels = wide?.chart.yTicks.map(({ label }) => label) ?? [];
    expect(labels).toContain('$160');
  });

  test('draws the last imported price for at most 30 days', () => {
    const [wide] = shown([moved(80, 14_000), ...own]).drawings;
    const start = Number(/^M([\d.]+) /.exec(wide?.chart.line ?? '')?.[1]);
    const end = Number(/H([\d.]+)$/.exec(wide?.chart.moved ?? '')?.[1]);
    expect(end).toBeLessThan(start);
    const old = shown([moved(400, 14_000), ...own]);
    expect([old.movedNote, old.rows.length]).toEqual([null, 2]);
  });

  test('names the trackers of imported prices in the sentence and the table', () => {
    const trackers = ['A', 'B', 'C', 'D'].map((name, n) => moved(80 - n, 14_000, name));
    const { movedNote, rows } = shown([...trackers, ...own]);
    expect(movedNote).toContain('from A, B, and others, not seen by us');
    expect(rows.at(-1)).toMatchObject({
      at: '2026-09-02',
      since: 'Sep 2, 2026',
      source: 'A, not seen by us',
    });
  });

  test('draws imported prices before a log that is too short for a line', () => {
    expect(shown([moved(20, 14_000), entry(1, 9000)]).drawings).toHaveLength(2);
  });
});

describe('the table', () => {
  test('lists every price in the table, newest first, with its source', () => {
    const { rows } = shown([
      entry(50, 15_000, 'in_stock', 'feed'),
      entry(40, 14_000, 'in_stock', 'import'),
      entry(30, 13_000, 'out_of_stock', 'admin'),
      entry(20, 12_000, 'unknown', 'demo'),
    ]);
    expect(rows.map(({ since, price, source }) => [since, price, source])).toEqual([
      ['Nov 1, 2026', '$120.00', 'Demo data'],
      ['Oct 22, 2026', '$130.00', 'Entered by our staff, out of stock'],
      ['Oct 12, 2026', '$140.00', 'Store’s product list'],
      ['Oct 2, 2026', '$150.00', 'Store’s product feed'],
    ]);
  });

  test('shows each time in the table in full and in machine-readable form', () => {
    const [row] = shown([entry(50, 15_000)]).rows;
    expect(row?.at).toBe('2026-10-02T12:00:00.000Z');
    expect(row?.title).toMatch(/^October 2, 2026 at 12:00\sPM UTC$/);
  });

  test('keeps table rows of the same time separate', () => {
    const { rows } = shown([entry(50, 15_000), entry(40, 9000), entry(40, 9000, 'out_of_stock')]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });
});

test('reads one of four ranges from the URL, and uses the default for anything else', () => {
  expect(['30', '90', '365', 'all'].map(parseHistoryDays)).toEqual([30, 90, 365, null]);
  for (const odd of [null, '', '31', 'ALL', '-1', '90.0']) expect(parseHistoryDays(odd)).toBe(90);
});

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  countPlaces,
  daysAhead,
  forecastPrice,
  noRates,
  type PriceDays,
  readPriceDays,
} from '#app/features/prices/forecast-price.ts';
import {
  calibrationError,
  type ForecastGroup,
  groupBounds,
} from '#app/features/prices/score-forecasts.ts';
import { type Measured, table, verdictOn } from '#bench/measure.ts';

const day = 86_400_000;
const weeks = 52;
const targets = { brier: 0.09, calibration: 0.02, unlikely: 0.97 };

/** Carts of heissepreise (MIT): products with every price since a day, newest first, in euros. */
const cartFile = z.object({
  items: z.array(
    z.object({
      store: z.string(),
      id: z.string(),
      priceHistory: z.array(z.object({ date: z.iso.date(), price: z.number().positive() })).min(1),
    }),
  ),
});

interface Series {
  /** The first day, in days since 1970. */
  first: number;
  days: PriceDays;
}

interface Judged {
  share: number;
  fell: number;
}

/**
 * The forecasts of the last 52 weeks whose outcome is known, made of what was known before them, held against what happened. Once
 * for all products, as they were measured when the rule was chosen, and once for those of which the site speaks.
 */
export async function benchForecast(folder: string | undefined): Promise<Measured> {
  if (folder === undefined)
    throw new Error('Say where the price histories lie: --histories FOLDER');
  const { all, last } = await readSeries(folder);
  const start = last - daysAhead - 7 * (weeks - 1);
  const measured = { all: measure(all, start, 0), spoken: measure(all, start, undefined) };
  const isMet =
    measured.all.brier <= targets.brier &&
    Object.values(measured).every(
      ({ calibration, unlikely }) =>
        calibration <= targets.calibration && unlikely >= targets.unlikely,
    );
  const row = (name: string, figures: ReturnType<typeof measure>) => [
    name,
    String(figures.count),
    inPercent(figures.happened),
    figures.brier.toFixed(4),
    figures.baseBrier.toFixed(4),
    figures.calibration.toFixed(4),
    inPercent(figures.saidUnlikely),
    inPercent(figures.unlikely),
    inPercent(figures.likely),
  ];
  const text = table([
    [
      `${all.length} products`,
      'forecasts',
      'it fell',
      'Brier',
      'of a constant',
      'calibration',
      'said "unlikely"',
      'right',
      'fell where 1 in 2 or more',
    ],
    row('logged for 180 days', measured.all),
    row('and changed three times', measured.spoken),
    [`target, ${verdictOn(isMet)}`, '', '', '0.09', '', '0.02', '', '97.0%', ''],
  ]);
  return { results: measured, text, isMet };
}

async function readSeries(folder: string): Promise<{ all: Series[]; last: number }> {
  const found = new Map<string, [at: number, price: number][]>();
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.json'))) {
    const text = await readFile(path.join(folder, name), 'utf8');
    for (const { store, id, priceHistory } of cartFile.parse(JSON.parse(text)).items) {
      const steps = priceHistory.map(({ date, price }): [number, number] => [
        Date.parse(date),
        Math.round(price * 100),
      ]);
      const known = found.get(`${store} ${id}`)?.length ?? 0;
      if (steps.length > known) {
        found.set(
          `${store} ${id}`,
          steps.toSorted(([a], [b]) => a - b),
        );
      }
    }
  }
  const logs = [...found.values()];
  const last = Math.max(...logs.flatMap((steps) => steps.map(([at]) => at)));
  const all = logs.map((steps) => ({
    first: (steps[0]?.[0] ?? last) / day,
    days: readPriceDays(steps, last),
  }));
  return { all, last: last / day };
}

function measure(all: readonly Series[], start: number, changesNeeded: number | undefined) {
  const rates = noRates();
  for (const { first, days } of all) countPlaces(days, start - first, rates, changesNeeded);
  const judged = all.flatMap((series) => forecastsOf(series));
  const shareOf = (some: readonly Judged[]) =>
    some.reduce((sum, { fell }) => sum + fell, 0) / some.length;
  const brierOf = (share: (one: Judged) => number) =>
    judged.reduce((sum, one) => sum + (share(one) - one.fell) ** 2, 0) / judged.length;
  const happened = shareOf(judged);
  const unlikely = judged.filter(({ share }) => share <= 0.05);
  return {
    count: judged.length,
    happened,
    brier: brierOf(({ share }) => share),
    baseBrier: brierOf(() => happened),
    calibration: calibrationError(groupsOf(judged)),
    saidUnlikely: unlikely.length / judged.length,
    unlikely: 1 - shareOf(unlikely),
    likely: shareOf(judged.filter(({ share }) => share >= 0.5)),
  };

  function forecastsOf({ first, days }: Series): Judged[] {
    return Array.from({ length: weeks }, (_, week) => start + 7 * week - first).flatMap((today) => {
      const price = days.lows[today] ?? 0;
      const forecast = today < 0 ? null : forecastPrice(days, today, price, rates, changesNeeded);
      return forecast ? [{ share: forecast.share, fell: days.fell[today] ?? 0 }] : [];
    });
  }
}

function groupsOf(judged: readonly Judged[]): ForecastGroup[] {
  return [0, ...groupBounds].map((_, place) => {
    const some = judged.filter(
      ({ share }) => groupBounds.filter((bound) => share >= bound).length === place,
    );
    return {
      place,
      count: some.length,
      promised: some.reduce((sum, { share }) => sum + share, 0),
      fell: some.reduce((sum, { fell }) => sum + fell, 0),
    };
  });
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

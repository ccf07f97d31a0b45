import { betaQuantile } from './beta-quantile.ts';

const millisecondsOfDay = 86_400_000;
/** days; a price has fallen if it is 5% lower within this time */
export const daysAhead = 30;
const hasFallen = (low: number, from: number) => low * 20 <= from * 19;
/** share; prices within two percent are considered equal */
const near = 0.02;
/** days that are used for a deal's own history, and for ranking */
const ownDays = 730;
const rankedDays = 365;
/** days of the log to read: a price from thirteen months ago is ranked within the year before it */
export const daysRead = 2 * rankedDays + daysAhead;
/** days; neighboring days belong to one event, so this many are counted as one case */
const daysOfCase = 15;
/** cases; the weight of the rate across all deals */
const priorCases = 4;
export const leastDays = 180;
const leastChanges = 3;

/** the maximum share of cheaper days in a year for each rank; the first rank is the low itself */
const placeEnds = [0, 0.1, 0.25, 0.5];
const places = placeEnds.length + 1;

/** The lowest price on offer for each day since the first logged one, or 0. In minor units. */
export interface PriceDays {
  lows: Int32Array;
  /** 1 if the price fell by 5% or more within 30 days; undefined for the last 30 days. */
  fell: Uint8Array;
}

/** Counts of days by rank. Prices of rank `place` fell on `fell[place]` of `days[place]` days. */
export interface PlaceRates {
  days: number[];
  fell: number[];
}

/** The frequency of a 5% fall within 30 days. Shares are from 0 to 1. */
export interface Forecast {
  share: number;
  /** The lower bound. The true share is between both bounds in four of five cases. */
  low: number;
  high: number;
  /** The number of logged days, and of days near this price whose next 30 days are known. */
  loggedDays: number;
  nearDays: number;
}

/**
 * Converts a price log to days (UTC), up to the day of `until`. Steps are sorted oldest first, with
 * `at` in milliseconds since 1970. A price of 0 or less means out of stock and is never a low.
 */
export function readPriceDays(
  steps: readonly (readonly [at: number, price: number])[],
  until: number,
): PriceDays {
  const first = Math.floor((steps[0]?.[0] ?? until) / millisecondsOfDay);
  const lows = new Int32Array(Math.floor(until / millisecondsOfDay) - first + 1);
  for (const [n, [at, price]] of steps.entries()) {
    if (price <= 0) continue;
    // A price that ends at midnight is not part of the next day.
    const ends = Math.ceil((steps[n + 1]?.[0] ?? until + 1) / millisecondsOfDay) - first;
    const began = Math.floor(at / millisecondsOfDay) - first;
    for (let day = began; day < Math.max(ends, began + 1); day++) {
      const low = lows[day] ?? 0;
      if (low === 0 || price < low) lows[day] = price;
    }
  }
  return { lows, fell: findFalls(lows) };
}

function findFalls(lows: Int32Array): Uint8Array {
  const fell = new Uint8Array(lows.length);
  for (let day = 0; day < lows.length; day++) {
    const price = lows[day] ?? 0;
    if (price === 0) continue;
    const end = Math.min(day + daysAhead, lows.length - 1);
    for (let next = day + 1; next <= end; next++) {
      const low = lows[next] ?? 0;
      if (low > 0 && hasFallen(low, price)) {
        fell[day] = 1;
        break;
      }
    }
  }
  return fell;
}

/**
 * Returns the rank of a day's price within the year before it, where 0 is the lowest. Returns
 * `null` if the deal was not on offer.
 */
function placeOf({ lows }: PriceDays, day: number, price: number): number | null {
  let known = 0;
  let cheaper = 0;
  for (let one = Math.max(0, day - rankedDays); one < day; one++) {
    const low = lows[one] ?? 0;
    if (low === 0) continue;
    known++;
    if (low < price) cheaper++;
  }
  if (known === 0 || price === 0) return null;
  const share = cheaper / known;
  if (share === 0) return 0;
  return 1 + placeEnds.slice(1).filter((end) => share >= end).length;
}

/**
 * Returns whether enough is known about a deal on a day for a forecast: 180 logged days and three
 * price changes.
 */
function isKnownWell({ lows }: PriceDays, day: number, changesNeeded: number): boolean {
  if (day + 1 < leastDays) return false;
  let changes = 0;
  let last = 0;
  for (let one = Math.max(0, day - ownDays); one <= day && changes < changesNeeded; one++) {
    const low = lows[one] ?? 0;
    if (low === 0) continue;
    if (last !== 0 && low !== last) changes++;
    last = low;
  }
  return changes >= changesNeeded;
}

/**
 * Counts how often the price fell after every seventh day of a year. The next 30 days of each
 * counted day are known before `until`.
 */
export function countPlaces(
  days: PriceDays,
  until: number,
  rates: PlaceRates,
  changesNeeded = leastChanges,
): void {
  const last = until - 1 - daysAhead;
  for (let day = last; day >= Math.max(0, last - rankedDays + 1); day -= 7) {
    if (!isKnownWell(days, day, changesNeeded)) continue;
    const place = placeOf(days, day, days.lows[day] ?? 0);
    if (place === null) continue;
    rates.days[place] = (rates.days[place] ?? 0) + 1;
    rates.fell[place] = (rates.fell[place] ?? 0) + (days.fell[day] ?? 0);
  }
}

export function noRates(): PlaceRates {
  return { days: Array(places).fill(0), fell: Array(places).fill(0) };
}

/**
 * Returns how often the price fell by 5% or more within 30 days when it was near this day's price.
 * Later days are not read. The deal's own rate is shrunk toward the rate of all deals at the same
 * rank in their year. That rate has the weight of four cases. The range is that of the beta
 * distribution. Returns `null` if too little is known, or if the deal is not on offer.
 */
export function forecastPrice(
  days: PriceDays,
  today: number,
  price: number,
  rates: PlaceRates,
  changesNeeded = leastChanges,
): Forecast | null {
  if (!isKnownWell(days, today, changesNeeded)) return null;
  const place = placeOf(days, today, price);
  const all = sumOf(rates.days);
  if (place === null || all === 0) return null;
  const ofPlace = rates.days[place] ?? 0;
  const rate = ofPlace > 0 ? (rates.fell[place] ?? 0) / ofPlace : sumOf(rates.fell) / all;
  let nearDays = 0;
  let nearFell = 0;
  for (let day = Math.max(0, today - ownDays + 1); day <= today - daysAhead; day++) {
    const low = days.lows[day] ?? 0;
    if (low === 0 || Math.abs(low - price) > near * price) continue;
    nearDays++;
    nearFell += days.fell[day] ?? 0;
  }
  const fell = nearFell / daysOfCase + priorCases * rate;
  const stayed = (nearDays - nearFell) / daysOfCase + priorCases * (1 - rate);
  return {
    share: fell / (fell + stayed),
    low: betaQuantile(0.1, fell, stayed),
    high: betaQuantile(0.9, fell, stayed),
    loggedDays: Math.min(today + 1, ownDays),
    nearDays,
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

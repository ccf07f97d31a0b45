import { betaQuantile } from './beta-quantile.ts';

const millisecondsOfDay = 86_400_000;
/** days; a price counts as fallen if it is 5% lower within this time */
export const daysAhead = 30;
const hasFallen = (low: number, from: number) => low * 20 <= from * 19;
/** share; prices within two percent count as equal */
const near = 0.02;
/** days before that count for a deal's own history and for ranking */
const ownDays = 730;
const rankedDays = 365;
/** days of a log that are read: a price thirteen months ago is ranked within its own year */
export const daysRead = 2 * rankedDays + daysAhead;
/** days; neighbouring ones are one event, so this many count as one case */
const daysOfCase = 15;
/** cases; the weight of the rate of all deals */
const priorCases = 4;
export const leastDays = 180;
const leastChanges = 3;

/**
 * shares; the maximum of cheaper days in a year for each rank, where the first is the low itself
 */
const placeEnds = [0, 0.1, 0.25, 0.5];
const places = placeEnds.length + 1;

/** Days from the first logged one, each with the lowest price on offer, or 0. Minor units. */
export interface PriceDays {
  lows: Int32Array;
  /** 1 if the price fell by 5% or more within 30 days; undefined for the last 30 days. */
  fell: Uint8Array;
}

/** Counts of days by rank: prices of a rank fell on `fell[place]` of `days[place]` days. */
export interface PlaceRates {
  days: number[];
  fell: number[];
}

/** The frequency of a 5% fall within 30 days. Shares are from 0 to 1. */
export interface Forecast {
  share: number;
  /** The lower bound. The true share is between both bounds four times in five. */
  low: number;
  high: number;
  /** The number of logged days, and of days at about this price whose next 30 are known. */
  loggedDays: number;
  nearDays: number;
}

/**
 * Returns a price log by days (UTC), up to the day of `until`. Steps are sorted oldest first, with
 * `at` in milliseconds since 1970. A price of 0 or less means out of stock, and never counts as a
 * low.
 */
export function readPriceDays(
  steps: readonly (readonly [at: number, price: number])[],
  until: number,
): PriceDays {
  const first = Math.floor((steps[0]?.[0] ?? until) / millisecondsOfDay);
  const lows = new Int32Array(Math.floor(until / millisecondsOfDay) - first + 1);
  for (const [n, [at, price]] of steps.entries()) {
    if (price <= 0) continue;
    // A price that ends at midnight does not count for the next day.
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
 * Returns the rank of a day's price within the year before, where 0 is the lowest. Returns `null`
 * if the deal was not on offer.
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
 * Returns whether enough is known of a deal on a day for a forecast: 180 logged days and three
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
 * Counts what followed each seventh day of a year. The last counted day is one whose next 30 days
 * are known before `until`.
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
 * Returns how often the price fell by 5% or more within 30 days when it was about this day's price.
 * Later days are not read. A deal's own days are shrunk towards the rate of all deals at the same
 * rank of their year, weighted as four cases. The range is that of the beta distribution. Returns
 * `null` if too little is known, or the deal is not on offer.
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

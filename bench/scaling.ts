import { bytes, clocked, costs, perProcess, type UnitCost } from '#bench/scaling-costs.ts';
import { habits } from '#bench/scaling-habits.ts';

/** A site as its owner describes it. */
export interface SiteSize {
  /** Pages that visitors open in a month. */
  views: number;
  deals: number;
  /** Lines of the price log. */
  prices: number;
}

/** What happens in a second of the busiest hour, by the names of the costs. */
export type Rates = Record<Exclude<keyof typeof costs, 'price' | 'alert' | 'mail'>, number>;

const secondsADay = 86_400;
const daysAMonth = 30;

/** Page views a second in the busiest hour of a busy day. */
export function peakViews(views: number): number {
  return (views / daysAMonth / secondsADay) * habits.busyDay * habits.busyHour;
}

/** With a cache in front, only what it misses reaches the site. */
export function ratesOf(views: number, hasCacheInFront = false): Rates {
  const peak = peakViews(views);
  const { shares, perView } = habits;
  const reach = hasCacheInFront ? 1 - habits.cacheInFront : 1;
  return {
    kept: peak * shares.kept * reach,
    list: peak * ((shares.madeAnew * reach + shares.signedIn) / 2),
    deal: peak * ((shares.madeAnew * reach + shares.signedIn) / 2),
    search: peak * shares.search,
    suggestions: peak * perView.suggestions,
    api: peak * perView.api,
    picture: peak * perView.pictures * reach,
    click: peak * perView.clicks,
  };
}

/** Processors that are busy all the time, of the site and of the database. */
export function busyCores(rates: Rates): { site: number; database: number } {
  const names = Object.keys(rates) as (keyof Rates)[];
  const sum = (part: 'site' | 'database') =>
    names.reduce((total, name) => total + (rates[name] * costs[name][part]) / 1_000, 0);
  return { site: sum('site'), database: sum('database') };
}

export interface Plan {
  peak: number;
  rates: Rates;
  busy: { site: number; database: number };
  /** Processes of ROLE=web, one processor each, and at least two of each so that one may fail. */
  web: number;
  workers: number;
  databaseCores: number;
  connections: number;
  megabitsASecond: number;
  changesADay: number;
  mailsADay: number;
  nightMinutes: { forecasts: number; check: number };
  diskGb: { deals: number; clicksOfAYear: number; prices: number; pictures: number };
  /** What each new price writes into at a random place, and must be in memory, in GB. */
  hotIndexGb: { oneTable: number; partitions: number };
}

export function planOf({ views, deals, prices }: SiteSize, hasCacheInFront = false): Plan {
  const rates = ratesOf(views, hasCacheInFront);
  const busy = busyCores(rates);
  const changesADay = (deals * habits.changesAMonth) / daysAMonth;
  const mailsADay = changesADay * habits.firedPerChange;
  const jobCores = workerCores(deals, changesADay, mailsADay);
  const atMost = (cores: number) => Math.ceil(cores / habits.mostBusy);
  const web = Math.max(1, atMost(busy.site));
  const workers = Math.max(1, atMost(jobCores.site));
  return {
    peak: peakViews(views),
    rates,
    busy,
    web,
    workers,
    databaseCores: Math.max(1, atMost(busy.database + jobCores.database)),
    connections: web * perProcess.webConnections + workers * perProcess.workerConnections,
    megabitsASecond:
      ((rates.kept + rates.list + rates.deal + rates.search) * bytes.page +
        rates.picture * bytes.shownPicture) *
      8e-6,
    changesADay,
    mailsADay,
    nightMinutes: {
      forecasts: (deals * clocked.forecast) / 60_000,
      check: (deals * clocked.check) / 60_000,
    },
    diskGb: {
      deals: (deals * bytes.deal) / 1e9,
      clicksOfAYear: (deals * habits.followedADay * 365 * bytes.clickDay) / 1e9,
      prices: (prices * (bytes.line + bytes.lineIndexes)) / 1e9,
      pictures: (deals * bytes.copiedPicture) / 1e9,
    },
    hotIndexGb: {
      oneTable: (prices * bytes.indexByDeal) / 1e9,
      partitions: (deals * habits.changesAMonth * 12 * bytes.indexByDeal) / 1e9,
    },
  };
}

/** Jobs spread over the day; feeds take one processor of each side while they are read. */
function workerCores(deals: number, changesADay: number, mailsADay: number) {
  const feeds = (deals * habits.readADay * clocked.feedRow) / 1_000 / secondsADay;
  const spread = (cost: UnitCost, aDay: number, part: 'site' | 'database') =>
    (cost[part] * aDay) / 1_000 / secondsADay;
  return {
    site: feeds + spread(costs.mail, mailsADay, 'site'),
    database:
      feeds +
      spread(costs.price, changesADay, 'database') +
      spread(costs.alert, mailsADay, 'database') +
      spread(costs.mail, mailsADay, 'database'),
  };
}

import type { AlertKind } from '#app/features/price-alerts/alert-kind.ts';
import type { Availability } from '#database/schema/catalog-tables.ts';

// When alerts fire and what becomes of the mail, as plainly as it can be written: what the database does is compared with it.

export interface Deal {
  sale_price: number;
  availability: Availability;
  is_active: boolean;
  isOver: boolean;
}

export interface Alert {
  kind: AlertKind;
  isArmed: boolean;
  /** Fires each time. */
  stays: boolean;
  /** Since it was armed. */
  hasFired: boolean;
  target: number | null;
  /** The price when it was armed. */
  base: number;
  /** The last price that was mailed, until the price rises above it. */
  mailed: number | null;
  /** What it fired at, and what became of the mail. */
  fired: [price: number, mail: 'queued' | 'same_drop'][];
}

export interface World {
  day: number;
  deal: Deal;
  log: { day: number; price: number; isOut: boolean }[];
  alerts: Map<AlertKind, Alert>;
  /** One for all rules that fire in one moment. */
  mails: number;
}

export type Step =
  /** `isUndo`: by the rollback of an import. */
  | { change: Partial<Deal>; isUndo?: boolean }
  /** Also one that is armed, as one of the other sort. */
  | { arm: AlertKind; stays?: boolean }
  | { disarm: AlertKind }
  | { target: number }
  | { days: number };

export function newWorld(): World {
  const deal: Deal = {
    sale_price: 10_000,
    availability: 'in_stock',
    is_active: true,
    isOver: false,
  };
  return {
    day: 0,
    deal,
    log: [{ day: 0, price: 10_000, isOut: false }],
    alerts: new Map(),
    mails: 0,
  };
}

export function play(world: World, step: Step): void {
  const before = countMailed(world);
  take(world, step);
  if (countMailed(world) > before) world.mails += 1;
}

function countMailed({ alerts }: World): number {
  return [...alerts.values()].flatMap(({ fired }) => fired).filter(([, mail]) => mail === 'queued')
    .length;
}

function take(world: World, step: Step): void {
  if ('change' in step) change(world, step.change, step.isUndo ?? false);
  else if ('days' in step) world.day += step.days;
  else if ('arm' in step) {
    const alert = world.alerts.get(step.arm) ?? newAlert(step.arm);
    world.alerts.set(step.arm, alert);
    const { isArmed, stays } = alert;
    alert.stays = step.stays ?? false;
    if (!isArmed) arm(world, alert);
    else if (stays !== alert.stays) beginWaiting(world, alert);
  } else if ('disarm' in step) {
    const alert = world.alerts.get(step.disarm);
    if (alert) alert.isArmed = false;
  } else {
    const alert = world.alerts.get('target');
    if (!alert || alert.target === step.target) return;
    alert.target = step.target;
    if (alert.isArmed) arm(world, alert);
  }
}

const firstTarget = (kind: AlertKind) => (kind === 'target' ? 9_000 : null);

function newAlert(kind: AlertKind): Alert {
  const target = firstTarget(kind);
  return {
    kind,
    isArmed: false,
    stays: false,
    hasFired: false,
    target,
    base: 0,
    mailed: null,
    fired: [],
  };
}

/** A target that is met already fires at once. */
function arm(world: World, alert: Alert): void {
  beginWaiting(world, alert);
  const { deal } = world;
  if (isForSale(deal) && alert.kind === 'target' && deal.sale_price <= (alert.target ?? 0)) {
    fire(alert, deal.sale_price);
  }
}

function beginWaiting({ deal }: World, alert: Alert): void {
  alert.isArmed = true;
  alert.hasFired = false;
  alert.base = deal.sale_price;
}

function change(world: World, changed: Partial<Deal>, isUndo: boolean): void {
  const was = world.deal;
  const is = { ...was, ...changed };
  world.deal = is;
  const past = [...world.log];
  const isOut = is.availability === 'out_of_stock';
  if (is.sale_price !== was.sale_price || is.availability !== was.availability) {
    world.log.push({ day: world.day, price: is.sale_price, isOut });
  }
  for (const alert of world.alerts.values()) {
    if (alert.mailed !== null && is.sale_price > alert.mailed) alert.mailed = null;
  }
  const isSame = Object.entries(is).every(([name, value]) => was[name as keyof Deal] === value);
  if (isSame || !isForSale(is)) return;
  for (const alert of world.alerts.values()) {
    if (!alert.isArmed || (isUndo && alert.kind !== 'target')) continue;
    // Of one that stays, the next fall after a price above the one that it fired at.
    const isNews = alert.mailed === null && is.sale_price < was.sale_price;
    if (alert.hasFired && alert.kind !== 'back_in_stock' && !isNews) continue;
    const lowest = (days: number) => lowestOf(past, world.day - days);
    const isMet: Record<AlertKind, boolean> = {
      target: is.sale_price <= (alert.target ?? 0),
      any_drop: is.sale_price < Math.max(alert.base, was.sale_price),
      percent_drop: is.sale_price <= alert.base * 0.8,
      new_low_30: is.sale_price < lowest(30),
      new_low_90: is.sale_price < lowest(90),
      back_in_stock: was.availability === 'out_of_stock' && is.availability === 'in_stock',
    };
    if (isMet[alert.kind]) fire(alert, is.sale_price);
  }
}

function isForSale({ availability, is_active, isOver }: Deal): boolean {
  return is_active && !isOver && availability !== 'out_of_stock';
}

function fire(alert: Alert, price: number): void {
  const isTold = alert.kind !== 'back_in_stock' && alert.mailed !== null && price >= alert.mailed;
  alert.fired.push([price, isTold ? 'same_drop' : 'queued']);
  if (!isTold) alert.mailed = price;
  alert.hasFired = true;
  alert.isArmed = alert.stays;
}

/** The lowest price in stock since a day, the one in force on that day included; none is below nothing. */
function lowestOf(log: World['log'], since: number): number {
  const opening = log.filter(({ day }) => day < since).slice(-1);
  const seen = [...opening, ...log.filter(({ day }) => day >= since)];
  const prices = seen.filter(({ isOut }) => !isOut).map(({ price }) => price);
  return prices.length === 0 ? -Infinity : Math.min(...prices);
}

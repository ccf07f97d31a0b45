import type { AlertKind } from '#app/features/price-alerts/alert-kind.ts';
import type { Availability } from '#database/schema/catalog-tables.ts';

// A simple model of the rules for alerts and their emails, which tests compare with the database.

export interface Deal {
  sale_price: number;
  availability: Availability;
  is_active: boolean;
  isOver: boolean;
}

export interface Alert {
  kind: AlertKind;
  isArmed: boolean;
  /** Whether the alert repeats. */
  stays: boolean;
  /** Whether the alert has fired since it was armed. */
  hasFired: boolean;
  target: number | null;
  /** The price when the alert was armed. */
  base: number;
  /** The last price that was emailed, until the price rises above it. */
  mailed: number | null;
  /** The price at which the alert fired, and the state of the email. */
  fired: [price: number, mail: 'queued' | 'same_drop'][];
}

interface Line {
  day: number;
  price: number;
  isOut: boolean;
  /** Whether staff typed the price. */
  isTyped?: boolean;
  /** Alerts that fired at this price, with their entries in `fired`. */
  fired: Map<Alert, Alert['fired']>;
}

export interface World {
  day: number;
  deal: Deal;
  log: Line[];
  /** Prices that staff typed and may still undo. */
  edits: { was: number; is: number }[];
  alerts: Map<AlertKind, Alert>;
  /** The number of emails. Alerts that fire at the same moment share one. */
  mails: number;
}

export type Step =
  /** `isUndo`: a rollback of an import causes the change. */
  | { change: Partial<Deal>; isUndo?: boolean }
  /** Arms an alert, or re-arms an armed one with another value of `stays`. */
  | { arm: AlertKind; stays?: boolean }
  /** A price typed by staff. A second one within the hour corrects the first. */
  | { type: number }
  | { undo: true }
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
    log: [{ day: 0, price: 10_000, isOut: false, fired: new Map() }],
    edits: [],
    alerts: new Map(),
    mails: 0,
  };
}

export function play(world: World, step: Step): void {
  const before = new Set(listMailed(world));
  take(world, step);
  if (listMailed(world).some((firing) => !before.has(firing))) world.mails += 1;
}

function listMailed({ alerts }: World): Alert['fired'] {
  return [...alerts.values()].flatMap(({ fired }) => fired).filter(([, mail]) => mail === 'queued');
}

function take(world: World, step: Step): void {
  if ('change' in step) change(world, step.change, step);
  else if ('days' in step) world.day += step.days;
  else if ('type' in step) typePrice(world, step.type);
  else if ('undo' in step) undoPrice(world);
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

/** An alert whose target is already met fires immediately. */
function arm(world: World, alert: Alert): void {
  beginWaiting(world, alert);
  const { deal } = world;
  if (isForSale(deal) && alert.kind === 'target' && deal.sale_price <= (alert.target ?? 0)) {
    fire(world, alert, deal.sale_price);
  }
}

function beginWaiting({ deal }: World, alert: Alert): void {
  alert.isArmed = true;
  alert.hasFired = false;
  alert.base = deal.sale_price;
}

function typePrice(world: World, price: number): void {
  const was = world.deal.sale_price;
  if (price === was) return;
  world.edits.push({ was, is: price });
  const slip = findTyped(world);
  // Evaluates the new price as if the corrected one had never existed.
  if (slip) takeBack(world, slip, (world.log.at(-1) ?? slip).price);
  change(world, { sale_price: price }, { isTyped: true });
}

function undoPrice(world: World): void {
  const edit = world.edits.pop();
  if (!edit || edit.is !== world.deal.sale_price) return;
  takeBack(world, findTyped(world), edit.was);
}

/** Removes the current price's line from the log if staff typed the price within the hour. */
function findTyped({ day, log }: World): Line | undefined {
  const newest = log.at(-1);
  return newest?.isTyped && newest.day === day ? log.pop() : undefined;
}

/** Restores a deal's earlier price, and re-arms the alerts that fired at a voided line. */
function takeBack(world: World, slip: Line | undefined, price: number): void {
  change(world, { sale_price: price }, { isTyped: true, isUndo: true });
  for (const [alert, fired] of slip?.fired ?? []) {
    const isPresent = fired.includes(alert.fired.at(-1) ?? [0, 'queued']);
    alert.fired = alert.fired.filter((one) => !fired.includes(one));
    if (!isPresent || !alert.hasFired) continue;
    const { base } = alert;
    alert.mailed = null;
    alert.hasFired = false;
    if (!alert.stays) arm(world, alert);
    alert.base = base;
  }
}

function change(
  world: World,
  changed: Partial<Deal>,
  { isUndo = false, isTyped = false }: { isUndo?: boolean; isTyped?: boolean } = {},
): void {
  const was = world.deal;
  const is = { ...was, ...changed };
  world.deal = is;
  const past = [...world.log];
  const isOut = is.availability === 'out_of_stock';
  const isChange = is.sale_price !== was.sale_price || is.availability !== was.availability;
  const newest = past.at(-1);
  const isKnown = isUndo && newest?.price === is.sale_price && newest.isOut === isOut;
  if (isChange && !isKnown) {
    world.log.push({ day: world.day, price: is.sale_price, isOut, isTyped, fired: new Map() });
  }
  for (const alert of world.alerts.values()) {
    if (alert.mailed !== null && is.sale_price > alert.mailed) alert.mailed = null;
  }
  const isSame = Object.entries(is).every(([name, value]) => was[name as keyof Deal] === value);
  if (isSame || !isForSale(is)) return;
  for (const alert of world.alerts.values()) {
    if (!alert.isArmed || (isUndo && alert.kind !== 'target')) continue;
    // A repeating alert waits for the next drop after a price above the last emailed one.
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
    if (isMet[alert.kind]) fire(world, alert, is.sale_price);
  }
}

function isForSale({ availability, is_active, isOver }: Deal): boolean {
  return is_active && !isOver && availability !== 'out_of_stock';
}

function fire({ log }: World, alert: Alert, price: number): void {
  const isTold = alert.kind !== 'back_in_stock' && alert.mailed !== null && price >= alert.mailed;
  const firing: Alert['fired'][number] = [price, isTold ? 'same_drop' : 'queued'];
  alert.fired.push(firing);
  const line = log.at(-1);
  line?.fired.set(alert, [...(line.fired.get(alert) ?? []), firing]);
  if (!isTold) alert.mailed = price;
  alert.hasFired = true;
  alert.isArmed = alert.stays;
}

/**
 * Returns the lowest in-stock price since a day, including the price that applied on that day, or
 * 0.
 */
function lowestOf(log: World['log'], since: number): number {
  const opening = log.filter(({ day }) => day < since).slice(-1);
  const seen = [...opening, ...log.filter(({ day }) => day >= since)];
  const prices = seen.filter(({ isOut }) => !isOut).map(({ price }) => price);
  return prices.length === 0 ? -Infinity : Math.min(...prices);
}

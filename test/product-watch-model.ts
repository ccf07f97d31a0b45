// A simple model of the rules for watched products, which tests compare with the database.

export interface Offer {
  /** The product, or `null` for a deal without one. */
  product: number | null;
  price: number;
  /** The shipping cost, or `null` if the store does not state it. */
  shipping: number | null;
  isUsed: boolean;
  isLive: boolean;
  isInStock: boolean;
  isDeleted: boolean;
}

interface Watch {
  owner: number;
  product: number;
  max: number | null;
  isUsed: boolean;
  withShipping: boolean;
  isActive: boolean;
  /** The last low that was emailed. */
  told: Low | null;
  /** Whether the owner created or changed the watch after the last check. */
  isNew: boolean;
  mails: number;
}

export interface World {
  day: number;
  offers: Offer[];
  watches: Watch[];
  /** The product that each product was merged into. */
  mergedInto: (number | null)[];
  /** The lows at the last check. */
  lows: Map<string, Low>;
}

/** A product's lowest price, and when it last changed. */
interface Low {
  total: number;
  /** The offer class, and whether shipping is included. Only lows of the same kind are compared. */
  kind: string;
  /** The day of the change. */
  day: number;
}

const daysTold = 30;

function rootOf({ mergedInto }: World, product: number): number {
  const into = mergedInto[product] ?? null;
  return into ?? product;
}

/** Returns the lowest price in an offer class, or `Infinity`. */
function lowOf(world: World, root: number, { isUsed, withShipping }: Watch): number {
  const prices = world.offers
    .filter(
      (one) =>
        one.product === root &&
        one.isUsed === isUsed &&
        one.isLive &&
        one.isInStock &&
        !one.isDeleted,
    )
    .filter(({ shipping }) => !withShipping || shipping !== null)
    .map(({ price, shipping }) => price + (withShipping ? (shipping ?? 0) : 0));
  return Math.min(Infinity, ...prices);
}

/**
 * Compares the offers, and sends emails for the watches that are met. An owner gets one email per
 * low.
 */
export function check(world: World): void {
  const former = new Map(world.lows);
  for (const watch of world.watches.filter(({ isActive }) => isActive)) {
    const root = rootOf(world, watch.product);
    const kind = `${watch.isUsed} ${watch.withShipping}`;
    const key = `${root} ${kind}`;
    const total = lowOf(world, root, watch);
    const low =
      total === world.lows.get(key)?.total ? world.lows.get(key) : { total, kind, day: world.day };
    if (!low) continue;
    world.lows.set(key, low);
    const isNews = watch.isNew || total < (former.get(key)?.total ?? Infinity);
    watch.isNew = false;
    const { told } = watch;
    const isLower = told !== null && told.kind === kind && told.total <= total;
    const isRecent = isLower && world.day - told.day < daysTold;
    const isTold = told === low || isRecent;
    if (!isNews || total === Infinity || total > (watch.max ?? Infinity) || isTold) continue;
    const own = world.watches.filter((one) => one !== watch && one.owner === watch.owner);
    if (!own.some((one) => one.told === low)) watch.mails += 1;
    watch.told = low;
  }
}

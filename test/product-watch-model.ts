// The rules of watches of products as a simple model, with which tests compare the database.

export interface Offer {
  /** The product, or `null` for a deal of none. */
  product: number | null;
  price: number;
  /** `null` if the store does not state it. */
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
  /** The last low that was told. */
  told: Low | null;
  /** Whether the owner made or changed it since the last check. */
  isNew: boolean;
  mails: number;
}

export interface World {
  day: number;
  offers: Offer[];
  watches: Watch[];
  /** The product that each product was merged into. */
  mergedInto: (number | null)[];
  /** The lows of the last check. */
  lows: Map<string, Low>;
}

/** A lowest price since a change of it. */
interface Low {
  total: number;
  /** The class, and whether shipping counts. Lows of others do not compare. */
  kind: string;
  /** The day of the change. */
  day: number;
}

const daysTold = 30;

function rootOf({ mergedInto }: World, product: number): number {
  const into = mergedInto[product] ?? null;
  return into ?? product;
}

/** Returns the lowest price of a class, or `Infinity`. */
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
 * Compares the offers, and sends the emails of the watches that are met. An owner gets one email of
 * a low.
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

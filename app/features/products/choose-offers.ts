import { contradictionOf, type ReadText } from './find-contradiction.ts';

/** An offer of a product, or a deal with one of its GTINs. */
export interface Candidate extends ReadText {
  id: number;
  gtin: string | null;
  merchantId: number;
  price: number;
  currency: string;
  isNew: boolean;
  /** Whether the deal is already an offer of the product. */
  isLinked: boolean;
  /** Whether staff linked the deal, so that no difference can unlink it. */
  isConfirmed: boolean;
  /** Whether deals of its store need no review. */
  matchesFreely: boolean;
}

/** Returns a key for two deals, regardless of their order. */
export function pairKey(one: number, other: number): string {
  return `${Math.min(one, other)} ${Math.max(one, other)}`;
}

/** maximum number of offers of a product */
const mostOffers = 200;
/** A price beyond this multiple or fraction of the others belongs to another product. */
const mostTimes = 3;

/**
 * Returns the ids of the deals that are certainly the same product. `refused` are pairs that staff
 * declared different. Deals of new stores are linked only by a review, and then kept. A product
 * needs two stores, unless staff linked its deals.
 */
export function chooseOffers(all: readonly Candidate[], refused: ReadonlySet<string>): number[] {
  const known = all
    .filter(({ isLinked, matchesFreely }) => isLinked || matchesFreely)
    .toSorted((a, b) => Number(b.isLinked) - Number(a.isLinked))
    .slice(0, mostOffers);
  const confirmed = known.filter(({ isConfirmed }) => isConfirmed);
  const meaningless = numbersOfTwoThings(known.filter(({ isConfirmed }) => !isConfirmed));
  const candidates = known.filter(
    ({ isConfirmed, gtin }) => isConfirmed || !meaningless.has(gtin ?? ''),
  );
  const chosen = withoutStrangePrices(largestGroup(candidates, refused));
  const stores = new Set(chosen.map(({ merchantId }) => merchantId));
  return (stores.size > 1 ? chosen : confirmed).map(({ id }) => id);
}

/** Returns the GTINs that a store gives to two products, so that they identify neither. */
function numbersOfTwoThings(candidates: readonly Candidate[]): Set<string> {
  const shelves = Map.groupBy(candidates, ({ merchantId, gtin }) => `${merchantId} ${gtin}`);
  return new Set(
    [...shelves.values()].flatMap((own) =>
      own.some((one, n) => own.slice(n + 1).some((other) => contradictionOf(one, other) !== null))
        ? [own[0]?.gtin ?? '']
        : [],
    ),
  );
}

/**
 * Returns the largest group without a contradiction between any two deals. Every group starts with
 * linked deals, so that a new deal never displaces them. If two groups are equally large, neither
 * is certain.
 */
function largestGroup(
  candidates: readonly Candidate[],
  refused: ReadonlySet<string>,
): readonly Candidate[] {
  const mayJoin = (one: Candidate, other: Candidate) =>
    !refused.has(pairKey(one.id, other.id)) && contradictionOf(one, other) === null;
  const mayStay = (one: Candidate, other: Candidate) =>
    one.isConfirmed || other.isConfirmed || mayJoin(one, other);
  const addTo = (group: readonly Candidate[], all: readonly Candidate[], may: typeof mayJoin) =>
    all.reduce(
      (some, one) => (some.every((other) => may(one, other)) ? [...some, one] : some),
      group,
    );
  const linked = addTo(
    [],
    candidates.filter(({ isLinked }) => isLinked),
    mayStay,
  );
  const rest = candidates.filter(({ isLinked }) => !isLinked);
  if (linked.length > 0) return addTo(linked, rest, mayJoin);
  let best: readonly Candidate[] = [];
  let isTied = false;
  for (const seed of rest) {
    if (best.includes(seed)) continue;
    const group = addTo(
      [seed],
      rest.filter((one) => one !== seed),
      mayJoin,
    );
    isTied = group.length === best.length || (isTied && group.length < best.length);
    if (group.length > best.length) best = group;
  }
  return isTied ? [] : best;
}

/** Excludes new deals whose price contradicts the other offers in new condition. */
function withoutStrangePrices(group: readonly Candidate[]): Candidate[] {
  return group.filter((one) => {
    if (one.isLinked) return true;
    const prices = group
      .filter((other) => other !== one && other.isNew && other.currency === one.currency)
      .map(({ price }) => price);
    if (prices.length === 0) return true;
    const usual = median(prices);
    return one.price * mostTimes >= usual && one.price <= usual * mostTimes;
  });
}

function median(prices: readonly number[]): number {
  const sorted = prices.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

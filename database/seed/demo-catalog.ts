import type { Availability, DealCondition, SellerType } from '#database/schema/catalog-tables.ts';
import products from './demo-products.json' with { type: 'json' };
import { type DemoMerchant, demoMerchants } from './demo-shops.ts';
import { firstFreeSlug, slugify } from '#database/slug.ts';
import { type PriceStep, priceSteps, tidyPrice, withYearBefore } from './price-steps.ts';
import { hashText, type SeededRandom, seededRandom } from './seeded-random.ts';

export interface DemoDeal {
  title: string;
  slug: string;
  description: string;
  /** The GTIN of the product, if several stores sell it. */
  gtin: string | null;
  /** The kind of picture, unique to this product. */
  kind: string;
  /** The slug of the deal whose picture is shown, which determines the colors of the picture. */
  pictureSlug: string;
  hasPicture: boolean;
  category: string;
  merchant: DemoMerchant;
  dealUrl: string;
  salePriceInCents: number;
  /** The merchant's claimed original price, which the log may or may not confirm. */
  originalPriceInCents: number | null;
  /** The shipping cost of this deal, if it differs from the store's usual one. */
  shippingInCents: number | null;
  netContents: string | null;
  brand: string | null;
  couponCode: string | null;
  /** Hours from now, negative for an expired deal. */
  expiresInHours: number | null;
  condition: DealCondition | null;
  sellerType: SellerType;
  availability: Availability;
  isFeatured: boolean;
  steps: PriceStep[];
}

/** A product in the JSON file. */
interface DemoItem {
  title: string;
  picture: string;
  dollars: number;
  fact: string;
  contents?: string | undefined;
  brand?: string | undefined;
}

export const demoCounts = {
  deals: 240,
  coupons: 30,
  used: 25,
  featured: 20,
  expiringSoon: 15,
  expired: 12,
  outOfStock: 6,
  withoutPicture: 1,
  withoutOriginalPrice: 18,
  withoutHistory: 8,
  claimNeverSeen: 60,
  aboveTheirLow: 90,
  watchedForAYear: 40,
} as const;

/** The stores whose products all have prices for 400 days. */
const storesWatchedForAYear = new Set(['Voltkrone', 'Lumen & Lark', 'Fernway Fitness']);

/** Returns 240 deals, identical on every call. */
export function demoCatalog(): DemoDeal[] {
  const random = seededRandom(20_260_115);
  const shuffled = random.shuffled(listProducts());
  const traits = dealOutTraits(random, shuffled);
  const slugs = new Set<string>();
  const deals = shuffled.map((product, index) => {
    const slug = firstFreeSlug(slugify(product.title), slugs);
    slugs.add(slug);
    return composeDeal(random, product, slug, (trait) => traits[trait].has(index));
  });
  const past = seededRandom(20_261_128);
  return deals.map((deal) =>
    isWatchedForAYear(deal) ? { ...deal, steps: withYearBefore(past, deal.steps) } : deal,
  );
}

export function isWatchedForAYear(deal: DemoDeal): boolean {
  const isLive = deal.availability !== 'out_of_stock' && (deal.expiresInHours ?? 1) > 0;
  return isLive && deal.steps.length > 1 && storesWatchedForAYear.has(deal.merchant.name);
}

/**
 * Lists products. A line's `notes` apply to all its items, and `dollars` is an item's usual price.
 */
export function listProducts() {
  return products.flatMap((line) => {
    const sellers = demoMerchants.filter((merchant) => merchant.kinds.includes(line.kind));
    const items: readonly DemoItem[] = line.items;
    return items.map(({ title, picture, dollars, fact, contents = null, brand = null }, index) => {
      const merchant = sellers[index % sellers.length];
      if (!merchant) throw new Error(`No demo merchant sells ${line.kind}`);
      const given = givenCondition(title, merchant);
      const usualPriceInCents = Math.round(dollars * 100);
      return { line, title, picture, usualPriceInCents, fact, contents, brand, merchant, given };
    });
  });
}

export type Product = ReturnType<typeof listProducts>[number];

/**
 * Returns the condition. Some products are inherently second-hand; the other used ones are chosen
 * at random.
 */
function givenCondition(title: string, merchant: DemoMerchant): DealCondition | null {
  if (title.includes('refurbished')) return 'refurbished';
  if (title.includes('open box')) return 'like_new';
  return merchant.name === 'Twicetold Shelf' ? 'very_good' : null;
}

/** Whether the store charges its struck prices most of the time. */
export function isCandid(merchant: DemoMerchant): boolean {
  return demoMerchants.indexOf(merchant) % 5 < 3;
}

type Trait = keyof Omit<typeof demoCounts, 'deals' | 'watchedForAYear'>;
type Has = (trait: Trait) => boolean;

const neverUsed = new Set(['perfume', 'gift', 'bottle', 'tire', 'shirt']);

/** Assigns flags to deals by index, without contradictions. */
function dealOutTraits(random: SeededRandom, deals: Product[]): Record<Trait, Set<number>> {
  const all = deals.map((_, index) => index);
  const draw = (count: number, from: number[]) => new Set(random.shuffled(from).slice(0, count));
  const outside = (...sets: Set<number>[]) =>
    all.filter((index) => sets.every((set) => !set.has(index)));

  const expired = draw(demoCounts.expired, all);
  const expiringSoon = draw(demoCounts.expiringSoon, outside(expired));
  const outOfStock = draw(demoCounts.outOfStock, outside(expired, expiringSoon));
  const withoutPicture = draw(demoCounts.withoutPicture, outside(expired, outOfStock));
  const withoutHistory = draw(demoCounts.withoutHistory, outside(expired, outOfStock));
  const withoutOriginalPrice = draw(demoCounts.withoutOriginalPrice, all);
  const featured = draw(
    demoCounts.featured,
    outside(expired, outOfStock, withoutPicture, withoutHistory, withoutOriginalPrice),
  );
  const claimNeverSeen = draw(
    demoCounts.claimNeverSeen,
    outside(withoutOriginalPrice, withoutHistory),
  );
  const born = all.filter((index) => deals[index]?.given);
  const mayBeUsed = all.filter((index) => {
    const deal = deals[index];
    return deal && !deal.given && !neverUsed.has(deal.line.kind);
  });
  const used = new Set([...born, ...draw(demoCounts.used - born.length, mayBeUsed)]);
  return {
    expired,
    expiringSoon,
    outOfStock,
    withoutPicture,
    withoutHistory,
    withoutOriginalPrice,
    featured,
    claimNeverSeen,
    used,
    coupons: draw(demoCounts.coupons, outside(withoutPicture)),
    aboveTheirLow: draw(demoCounts.aboveTheirLow, outside(withoutHistory)),
  };
}

function composeDeal(random: SeededRandom, product: Product, slug: string, has: Has): DemoDeal {
  const { line, merchant, title, usualPriceInCents } = product;
  const condition = has('used') ? (product.given ?? random.pick(drawnConditions)) : null;
  const reduction = (condition ? 0.3 : 0.1) + random.next() * (has('featured') ? 0.35 : 0.3);
  const salePriceInCents = tidyPrice(usualPriceInCents * (1 - reduction), usualPriceInCents);
  const couponCode = has('coupons') ? couponFor(random, merchant, title) : null;
  const expiresInHours = expiryOf(random, has);
  return {
    title,
    slug,
    gtin: null,
    kind: product.picture,
    pictureSlug: slug,
    hasPicture: !has('withoutPicture'),
    category: line.category,
    merchant,
    dealUrl: `https://${merchant.host}/p/${slug}`,
    salePriceInCents,
    originalPriceInCents: claimedPrice(random, usualPriceInCents, has),
    shippingInCents: null,
    netContents: product.contents,
    brand: product.brand,
    couponCode,
    expiresInHours,
    condition,
    sellerType: random.chance(0.4) ? 'amazon' : 'third_party',
    availability: has('outOfStock') ? 'out_of_stock' : random.chance(0.93) ? 'in_stock' : 'unknown',
    isFeatured: has('featured'),
    steps: priceSteps(random, {
      story: has('withoutHistory')
        ? 'no-history-yet'
        : has('aboveTheirLow')
          ? 'above-its-low'
          : 'lowest-now',
      salePriceInCents,
      highestSeenInCents: Math.max(usualPriceInCents, salePriceInCents + 100),
      isStoreCandid: isCandid(merchant),
      endedDaysAgo: Math.max(0, -(expiresInHours ?? 0) / 24),
    }),
    description: describe(product, slug, condition, couponCode),
  };
}

function claimedPrice(random: SeededRandom, usualPriceInCents: number, has: Has): number | null {
  if (has('withoutOriginalPrice')) return null;
  if (!has('claimNeverSeen')) return usualPriceInCents;
  return tidyPrice(usualPriceInCents * (1.12 + random.next() * 0.25), usualPriceInCents);
}

function expiryOf(random: SeededRandom, has: Has): number | null {
  if (has('expired')) return -random.between(5, 9 * 24);
  if (has('expiringSoon')) return random.between(6, 70);
  return random.chance(0.45) ? random.between(4 * 24, 45 * 24) : null;
}

function couponFor(random: SeededRandom, merchant: DemoMerchant, title: string): string {
  const wordIn = (text: string) => /[A-Z]{4,9}/.exec(text.toUpperCase())?.[0];
  const first = wordIn(title) ?? 'DEAL';
  const stem = random.chance(0.5) ? first : (wordIn(merchant.name) ?? first);
  return `${stem}${random.pick([5, 10, 15, 20, 25])}`;
}

const drawnConditions: readonly DealCondition[] = [
  'like_new',
  'very_good',
  'very_good',
  'good',
  'acceptable',
  'refurbished',
];

const conditionSentences: Record<DealCondition, string> = {
  like_new: 'Second hand, like new: opened, hardly used, nothing missing.',
  very_good: 'Second hand, in very good condition with light marks.',
  good: 'Second hand, in good condition: visible marks, fully usable.',
  acceptable: 'Second hand, acceptable: worn on the outside, checked and working.',
  refurbished: 'Refurbished: cleaned, checked, and worn parts replaced.',
};

/** Returns two or three sentences: the product, a fact about it, and the terms of sale. */
export function describe(
  product: Product,
  slug: string,
  condition: DealCondition | null,
  couponCode: string | null,
): string {
  const choice = hashText(slug);
  const note = product.line.notes[choice % 3];
  const promise = product.merchant.promises[(choice >>> 7) % 3];
  const then = condition
    ? [conditionSentences[condition], promise]
    : [note, couponCode ? 'The price shown needs the code at the checkout.' : promise];
  return [product.fact, ...then].join(' ');
}

import type { Availability, DealCondition } from '#database/schema/catalog-tables.ts';
import {
  demoCatalog,
  type DemoDeal,
  describe,
  isCandid,
  listProducts,
  type Product,
} from './demo-catalog.ts';
import products from './demo-offers.json' with { type: 'json' };
import { demoMerchants } from './demo-shops.ts';
import { firstFreeSlug, slugify } from '#database/slug.ts';
import { priceSteps, tidyPrice } from './price-steps.ts';
import { hashText, type SeededRandom, seededRandom } from './seeded-random.ts';

/** A product sold by several stores. `title` is the title of a deal in the catalog. */
interface ComparedProduct {
  title: string;
  /**
   * The label and usual price, if the offers are for a variant. The deal itself is then not one of
   * them.
   */
  variant?: { label: string; dollars: number } | undefined;
  offers: readonly OfferOfFile[];
}

interface OfferOfFile {
  store: string;
  title: string;
  /** The price as a multiple of the deal's or variant's price. */
  times: number;
  shippingInCents?: number | undefined;
  condition?: string | undefined;
  availability?: string | undefined;
}

const compared: readonly ComparedProduct[] = products;

/** Returns the catalog plus other stores' offers for 40 of its products, 330 deals in all. */
export function demoDeals(): DemoDeal[] {
  const random = seededRandom(20_261_130);
  const catalog = demoCatalog();
  const slugs = new Set(catalog.map(({ slug }) => slug));
  const known = new Map(listProducts().map((product) => [product.title, product]));
  const gtins = new Map<string, string>();
  const offers = compared.flatMap(({ title, variant, offers: own }) => {
    const deal = catalog.find((one) => one.title === title);
    const product = known.get(title);
    if (!deal || !product) throw new Error(`The demo shop has no deal "${title}"`);
    const gtin = demoGtin(`${title} ${variant?.label ?? ''}`);
    if (!variant) gtins.set(title, gtin);
    const cents = (variant?.dollars ?? 0) * 100;
    const sold = variant
      ? {
          ...product,
          usualPriceInCents: cents,
          fact: `${product.fact} This is the version with ${variant.label}.`,
        }
      : product;
    const base = {
      ...deal,
      gtin,
      salePriceInCents: variant ? cents * 0.85 : deal.salePriceInCents,
    };
    return own.map((offer) => {
      const slug = firstFreeSlug(slugify(offer.title), slugs);
      slugs.add(slug);
      return composeOffer(random, {
        base,
        product: sold,
        offer,
        slug,
      });
    });
  });
  return [...catalog.map((deal) => ({ ...deal, gtin: gtins.get(deal.title) ?? null })), ...offers];
}

/**
 * Returns variants: a deal's slug, the slug of the deal that it is a variant `of`, and its label.
 */
export function demoVariants(): { slug: string; of: string; label: string }[] {
  const deals = demoDeals();
  const slugOf = (title: string) => deals.find((deal) => deal.title === title)?.slug ?? '';
  return compared.flatMap(({ title, variant, offers: [first] }) =>
    variant && first
      ? [{ slug: slugOf(first.title), of: slugOf(title), label: variant.label }]
      : [],
  );
}

function composeOffer(
  random: SeededRandom,
  {
    base,
    product,
    offer,
    slug,
  }: { base: DemoDeal; product: Product; offer: OfferOfFile; slug: string },
): DemoDeal {
  const merchant = demoMerchants.find(({ name }) => name === offer.store);
  if (!merchant) throw new Error(`The demo shop has no store "${offer.store}"`);
  const { usualPriceInCents } = product;
  const condition = (offer.condition ?? null) as DealCondition | null;
  const salePriceInCents = tidyPrice(base.salePriceInCents * offer.times, usualPriceInCents);
  const highestSeenInCents = Math.max(usualPriceInCents, salePriceInCents + 100);
  return {
    ...base,
    title: offer.title,
    slug,
    merchant,
    dealUrl: `https://${merchant.host}/p/${slug}`,
    salePriceInCents,
    originalPriceInCents: random.chance(0.6) ? highestSeenInCents : null,
    shippingInCents: offer.shippingInCents ?? null,
    couponCode: null,
    expiresInHours: null,
    condition,
    sellerType: 'third_party',
    availability: (offer.availability ?? 'in_stock') as Availability,
    isFeatured: false,
    steps: priceSteps(random, {
      story: random.chance(0.35) ? 'above-its-low' : 'lowest-now',
      salePriceInCents,
      highestSeenInCents,
      isStoreCandid: isCandid(merchant),
      endedDaysAgo: 0,
    }),
    description: describe({ ...product, merchant }, slug, condition, null),
  };
}

/** Returns a valid GTIN in the range that GS1 reserves for examples. */
function demoGtin(text: string): string {
  const digits = `952${String(hashText(text) % 1_000_000_000).padStart(9, '0')}`;
  const sum = Array.from(digits, Number).reduce(
    (all, digit, at) => all + digit * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

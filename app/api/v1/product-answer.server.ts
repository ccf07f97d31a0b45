import type { z } from 'zod';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import {
  allOffers,
  compareOffers,
  type Offer,
  storesFrom,
} from '#app/features/products/compare-offers.ts';
import { findMergedSlug } from '#app/features/products/find-merged-slug.server.ts';
import { findLowestPrice, findProductPage } from '#app/features/products/product-queries.server.ts';
import { apiOperations, apiRoot } from '#app/features/public-api/api-operations.ts';
import type { product as productSchema } from '#app/features/public-api/api-product-schemas.ts';
import { asMoney, encodeDealFields } from '#app/features/public-api/encode-deal.ts';
import type { Db } from '#database/connect.ts';
import { type ApiCall, apiAnswer } from './answer-api.server.ts';

type ApiProduct = z.output<typeof productSchema>;

/** Compares the offers of a product as its page does. */
export const productAnswer = apiAnswer(apiOperations.getProduct, async (call) => {
  const {
    services: { db },
    site,
    now,
    key,
  } = call;
  const product = await findProductPage(db, { slug: key });
  if (!product || product.isEnded) return findMerged(db, key);
  const { id, slug, title, gtin, offers, variants } = product;
  const proofs = await findPriceProofs(db, offers);
  const comparison = compareOffers(offers, now);
  const { ranked, unstated, others, condition } = comparison;
  const best = storesFrom({ ranked, unstated }, condition);
  const encode = ({ deal, price, shipping, ...offer }: Offer<DealSummary>) => ({
    ...encodeDealFields(deal, proofs.get(deal.id) ?? noProof, site, now),
    condition_class: offer.condition,
    shipping: shipping === null ? null : asMoney(shipping, site.currency),
    total: price === null || shipping === null ? null : asMoney(price + shipping, site.currency),
  });
  const answer = {
    id,
    slug,
    title,
    gtin,
    url: `${site.origin}/products/${slug}`,
    condition_class: condition,
    stores: best?.stores ?? 0,
    from: best && asMoney(best.from, site.currency),
    includes_shipping: best?.isTotal ?? false,
    offers: ranked.map(encode),
    shipping_not_stated: unstated.map(encode),
    not_compared: others.map(encode),
    variants: variants
      .filter((variant) => variant.id !== id)
      .map((variant) => ({
        slug: variant.slug,
        label: variant.label,
        url: `${site.origin}/products/${variant.slug}`,
      })),
    lowest_ever: await findLow(call, allOffers(comparison), condition),
  };
  return { ok: true, answer };
});

/** Returns the new address of a merged product. */
async function findMerged(db: Db, key: string) {
  const slug = await findMergedSlug(db, key);
  return slug === null
    ? ({ ok: false, status: 404, detail: 'No product with live deals has this slug.' } as const)
    : ({ ok: false, status: 301, location: `${apiRoot}/products/${slug}` } as const);
}

/**
 * Returns the lowest price ever of the offers in a condition class. Stores whose price must be
 * hidden now are excluded.
 */
async function findLow(
  { services: { db }, site }: Pick<ApiCall, 'services' | 'site'>,
  offers: readonly Offer<DealSummary>[],
  condition: ApiProduct['condition_class'],
): Promise<ApiProduct['lowest_ever']> {
  const compared = offers.filter((one) => one.condition === condition && one.price !== null);
  const ids = compared.map(({ deal }) => deal.id);
  const low = await findLowestPrice(db, ids);
  return low && { ...low, price: asMoney(low.price, site.currency) };
}

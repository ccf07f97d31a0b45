import { cachedStoreCheck } from '#app/features/prices/discount-check-queries.server.ts';
import { judgeAskedPrice } from '#app/features/prices/judge-asked-price.server.ts';
import { judgePrice } from '#app/features/prices/judge-price.ts';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { findPriceNotes } from '#app/features/prices/price-notes-queries.server.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { findOtherStores } from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import { writeVerdict } from '#app/features/prices/price-verdict.ts';
import { noteShownPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import { type MatchedBy, matchProduct } from '#app/features/search/match-product.server.ts';
import type { AskedProduct } from '#app/features/search/read-asked-product.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { withoutPrices } from '#app/storefront/deals/page-deal.ts';

export interface CheckedProduct {
  found: Awaited<ReturnType<typeof readFound>> | null;
  others: PricedDeal[];
  nearest: PricedDeal[];
  /** The words that the check searched for. */
  words: string;
}

/**
 * Reads everything that the price check shows, evaluated as on a deal's own page. `amount`: the price
 * that the visitor asks about, in minor units.
 */
export async function readCheckedProduct(
  services: AppServices,
  product: AskedProduct,
  amount: number | null,
  now: Date,
): Promise<CheckedProduct> {
  const settings = await cachedSettings(services);
  const { found, others, nearest } = await matchProduct(services.db, product);
  return {
    found: found && (await readFound(services, found, { amount, now })),
    others: await showDeals(services, others, settings, now),
    nearest: await showDeals(services, nearest, settings, now),
    words: product.words,
  };
}

async function readFound(
  services: AppServices,
  { by, deal }: NonNullable<Awaited<ReturnType<typeof matchProduct>>['found']>,
  { amount, now }: { amount: number | null; now: Date },
) {
  const { db } = services;
  noteShownPictures(services, [deal]);
  const settings = await cachedSettings(services);
  const [proofs, notes, { check }, stores] = await Promise.all([
    findPriceProofs(db, [deal]),
    findPriceNotes(db, deal),
    cachedStoreCheck(services, deal.merchant.id),
    findOtherStores(db, [deal.id], now),
  ]);
  const otherStores = stores.get(deal.id);
  const proof = proofs.get(deal.id) ?? noProof;
  const price = judgePrice(deal, proof, settings, now);
  return {
    by: by satisfies MatchedBy,
    deal: withoutPrices(deal),
    otherStores: otherStores
      ? { slug: otherStores.slug, text: writeAlsoAt(otherStores, settings.currency) }
      : null,
    price,
    asked: amount === null ? null : judgeAskedPrice({ deal, proof }, amount, settings, now),
    verdict: price && writeVerdict(deal, proof, price.claim, settings, now),
    raise: price && notes.raise,
    forecast: price && notes.forecast,
    storeCheck: check,
  };
}

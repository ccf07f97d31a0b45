import type { z } from 'zod';
import { columnsFor } from '#app/features/deals/deal-columns.ts';
import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { describeForecast, type ShownForecast } from '#app/features/prices/describe-forecast.ts';
import { judgePrice } from '#app/features/prices/judge-price.ts';
import type { OtherStores } from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import type { PriceProof } from '#app/features/prices/price-proof.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import type { deal as dealSchema, dealDetail, money } from './api-schemas.ts';

export type ApiDeal = z.output<typeof dealSchema>;

interface DealFacts {
  proof: PriceProof;
  /** Absent if no other store sells the deal's product. */
  otherStores?: OtherStores | undefined;
}

export function encodeDeal(
  deal: DealSummary | DealDetail,
  { proof, otherStores }: DealFacts,
  site: PublicSite,
  now: Date,
): ApiDeal {
  return {
    ...encodeDealFields(deal, proof, site, now),
    product: encodeOtherStores(otherStores, site),
  };
}

export function encodeOtherStores(
  found: OtherStores | undefined,
  site: Pick<PublicSite, 'origin' | 'currency'>,
): ApiDeal['product'] {
  if (!found) return null;
  return {
    slug: found.slug,
    url: `${site.origin}/products/${found.slug}`,
    other_stores: found.stores,
    from: asMoney(found.from, site.currency),
    includes_shipping: found.isTotal,
    text: writeAlsoAt(found, site.currency),
  };
}

/**
 * Encodes a deal without its product. Only this encoder writes prices, and it hides them if a
 * merchant's program requires that.
 */
export function encodeDealFields(
  deal: DealSummary | DealDetail,
  proof: PriceProof,
  site: PublicSite,
  now: Date,
): Omit<ApiDeal, 'product'> {
  const { category, merchant } = deal;
  return {
    ...pickFields(deal, columnsFor('listed')),
    url: `${site.origin}/deals/${deal.slug}`,
    out_url: `${site.origin}/out/${deal.id}`,
    image_url: fullAddress(deal.image_url, site.origin),
    store_host: deal.outHost,
    price: encodePrice(deal, proof, site, now),
    shipping_cost: deal.shipping_cost === null ? null : asMoney(deal.shipping_cost, site.currency),
    price_disclaimer: merchant.price_disclaimer,
    category: { id: category.id, name: category.name, slug: category.slug },
    merchant: { id: merchant.id, name: merchant.name, slug: merchant.slug },
  };
}

export function encodeDealDetail(
  deal: DealDetail,
  { forecast, ...facts }: DealFacts & { forecast: ShownForecast | null },
  site: PublicSite,
  now: Date,
): z.output<typeof dealDetail> {
  const listed = encodeDeal(deal, facts, site, now);
  return {
    ...listed,
    ...pickFields(deal, columnsFor('detail')),
    price: listed.price && {
      ...listed.price,
      ...(!deal.merchant.keep_history &&
        listed.price.standing === 'no-history' && {
          standing_text: 'This store does not let us track its prices',
        }),
    },
    forecast: listed.price && forecast && encodeForecast(forecast),
  };
}

function encodeForecast(forecast: ShownForecast): z.output<typeof dealDetail>['forecast'] {
  const { share, low, high, logged_days, near_days } = forecast;
  return {
    share,
    low,
    high,
    logged_days,
    days_at_about_this_price: near_days,
    text: describeForecast(forecast),
  };
}

function encodePrice(
  deal: DealSummary | DealDetail,
  proof: PriceProof,
  site: PublicSite,
  now: Date,
): ApiDeal['price'] {
  const shown = judgePrice(deal, proof, site, now);
  if (!shown) return null;
  const { claim } = shown;
  const sum = (amount: number | null) => (amount === null ? null : asMoney(amount, site.currency));
  return {
    current: asMoney(shown.now, site.currency),
    per_unit: shown.unit && {
      amount: shown.unit.price,
      currency: site.currency,
      quantity: shown.unit.per.quantity,
      unit: shown.unit.per.unit,
      text: shown.unit.text,
    },
    was: sum(claim.was),
    saved: sum(claim.saved),
    percent: claim.percent,
    basis: claim.basis,
    is_unchecked: claim.isUnchecked,
    store_percent: claim.storePercent,
    evidence: claim.evidence,
    standing: shown.proof.kind,
    standing_text: shown.proof.text,
    usual: shown.usual && {
      price: asMoney(shown.usual.price, site.currency),
      days: shown.usual.days,
      days_higher: shown.usual.higher,
      days_lower: shown.usual.lower,
      text: shown.usual.sentence,
    },
    lowest_ever: sum(shown.lowestEver),
    lowest_30_days_before: sum(shown.low30Before),
    since: deal.price_since,
  };
}

export function asMoney(amount: number, currency: string): z.output<typeof money> {
  return { amount, currency };
}

/** Returns an absolute URL for pictures that are stored as paths. */
export function fullAddress(stored: string | null, origin: string): string | null {
  const url = stored ? URL.parse(stored, origin) : null;
  return url ? safeUrl(url.href) : null;
}

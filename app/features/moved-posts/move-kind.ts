import { countNoun } from '#app/platform/count-noun.ts';

/** The kinds of imported items. A link is a cloaked URL, such as `/go/shop`. */
export type MoveKind = 'post' | 'page' | 'deal' | 'coupon' | 'link';

/** Whether an item is planned and imported as an offer. */
export function isOfferKind(kind: MoveKind): kind is 'deal' | 'coupon' | 'link' {
  return kind === 'deal' || kind === 'coupon' || kind === 'link';
}

/** Lists the counts of offers, such as `2 deals`, and omits zeros. */
export function describeOffers(counts: { deals: number; coupons: number; links: number }) {
  return [
    ...(counts.deals > 0 ? [countNoun(counts.deals, 'deal')] : []),
    ...(counts.coupons > 0 ? [countNoun(counts.coupons, 'coupon')] : []),
    ...(counts.links > 0 ? [countNoun(counts.links, 'cloaked link')] : []),
  ];
}

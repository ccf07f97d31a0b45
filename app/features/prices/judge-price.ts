import { isPriceHidden } from './hide-price.ts';
import {
  type ClaimedDeal,
  type ClaimingSite,
  judgeClaim,
  type PriceClaim,
} from './price-claims.ts';
import { describeProof, periodBefore, type PriceProof, type ProofKind } from './price-proof.ts';
import { sparklinePath } from './sparkline.ts';
import { type UnitPrice, unitPriceOf } from './unit-price.ts';
import { describeUsual, type UsualPrice, type UsualWords } from './usual-price.ts';

/** A price compared with its own history, ready to be shown. */
export interface ShownProof {
  kind: ProofKind;
  text: string;
  /**
   * Whether the price is a low and well below the usual one. Only such prices are shown in green.
   */
  isGood: boolean;
  /**
   * The usual price for a card, such as `usually $849`. `null` if unknown or already part of
   * `text`.
   */
  usual: string | null;
  /** The last 90 days as an SVG path, or `null` if there is no meaningful line. */
  line: string | null;
}

/**
 * The price facts shown to a visitor, in minor units. The server computes these; browsers only
 * render them.
 */
export interface ShownPrice {
  now: number;
  /** The price per unit, or `null` if the contents are unknown. */
  unit: UnitPrice | null;
  claim: PriceClaim;
  proof: ShownProof;
  /** The usual price with its numbers and a sentence about both prices, or `null` if unknown. */
  usual: (UsualPrice & { sentence: string }) | null;
  lowestEver: number | null;
  low30Before: number | null;
  /** The period of `low30Before`, such as “in the 30 days before …”. */
  low30Period: string;
}

type JudgedDeal = ClaimedDeal & { is_expired: boolean; net_contents: string | null } & Parameters<
    typeof isPriceHidden
  >[0] &
  Parameters<typeof describeProof>[1];

/**
 * Evaluates a price. Returns `null` if the merchant's program requires hiding it now, so that no
 * part of it leaves the server.
 */
export function judgePrice(
  deal: JudgedDeal,
  proof: PriceProof,
  site: ClaimingSite,
  now: Date,
): ShownPrice | null {
  if (isPriceHidden(deal, now)) return null;
  const known = describeProof(proof, deal, now, site.currency);
  const usual = deal.is_expired ? null : proof.usual;
  const words = usual && describeUsual(usual, deal.sale_price, site.currency);
  return {
    now: deal.sale_price,
    unit: unitPriceOf(deal.sale_price, deal.net_contents, site.currency),
    claim: judgeClaim(deal, proof, site),
    proof: {
      ...standing(deal.sale_price, known, usual, words),
      isGood: isLow(known.kind) && usual !== null && isWellBelow(deal.sale_price, usual.price),
      line: sparklinePath(proof.points, now),
    },
    usual: usual && words && { ...usual, sentence: words.sentence },
    // A price that has nothing to compare with is not a low.
    lowestEver: known.kind === 'no-history' ? null : proof.lowestEver,
    low30Before: deal.low_30_before,
    low30Period: periodBefore(proof, deal.price_since),
  };
}

/** Returns both rows of a card as one line: `Lowest in 87 days, usually $849`. */
export function inOneLine({ text, usual }: Pick<ShownProof, 'text' | 'usual'>): string {
  return usual === null ? text : `${text}, ${usual}`;
}

/** Returns the evidence for a deal's page, with the full sentence about the usual price once. */
export function inFull({ proof, usual }: Pick<ShownPrice, 'proof' | 'usual'>): ShownProof {
  if (usual === null || proof.usual === null) return proof;
  return proof.kind === 'above-low'
    ? { ...proof, text: usual.sentence, usual: null }
    : { ...proof, usual: usual.sentence };
}

const isLow = (kind: ProofKind) => kind === 'lowest-ever' || kind === 'lowest-in';

/** Requires at least a tenth, since most prices are sometimes a little below their median. */
function isWellBelow(price: number, usual: number): boolean {
  return price * 10 <= usual * 9;
}

/**
 * Describes how a price compares with earlier ones. A low is described as one unless it is above
 * the usual price, as after a rise of more than 30 days. For other prices, the share of cheaper
 * days is more informative than the distance to the low.
 */
function standing(
  present: number,
  known: ReturnType<typeof describeProof>,
  usual: UsualPrice | null,
  words: UsualWords | null,
): Pick<ShownProof, 'kind' | 'text' | 'usual'> {
  if (!usual || !words || known.kind === 'steady') return { ...known, usual: null };
  if (usual.isSteady && known.kind !== 'lowest-ever')
    return { kind: 'steady', text: `Same price for ${usual.days} days`, usual: null };
  return known.kind === 'above-low' || (isLow(known.kind) && present > usual.price)
    ? { kind: 'above-low', text: words.standing, usual: words.short }
    : { ...known, usual: words.short };
}

import { isPriceHidden } from './hide-price.ts';
import {
  type ClaimedDeal,
  type ClaimingSite,
  judgeClaim,
  type PriceClaim,
} from './price-claims.ts';
import { describeProof, periodBefore, type PriceProof, type ProofKind } from './price-proof.ts';
import { sparklinePath } from './sparkline.ts';

/** Where a price stands in its own history, ready to be shown. */
export interface ShownProof {
  kind: ProofKind;
  text: string;
  /** The last 90 days as an SVG path; null where there is no line worth reading. */
  line: string | null;
}

/** What a visitor may read of a deal's price. The server judges it, the browser only shows it. Cents. */
export interface ShownPrice {
  now: number;
  claim: PriceClaim;
  proof: ShownProof;
  lowestEver: number | null;
  low30Before: number | null;
  /** Of how long that low is: “in the 30 days before …”. */
  low30Period: string;
}

type JudgedDeal = ClaimedDeal &
  Parameters<typeof isPriceHidden>[0] &
  Parameters<typeof describeProof>[1];

/** Null where the merchant's programme wants the price hidden by now: then nothing of it leaves the server. */
export function judgePrice(
  deal: JudgedDeal,
  proof: PriceProof,
  site: ClaimingSite,
  now: Date,
): ShownPrice | null {
  if (isPriceHidden(deal, now)) return null;
  return {
    now: deal.sale_price,
    claim: judgeClaim(deal, proof, site),
    proof: {
      ...describeProof(proof, deal, now, site.currency),
      line: sparklinePath(proof.points, now),
    },
    lowestEver: proof.lowestEver,
    low30Before: deal.low_30_before,
    low30Period: periodBefore(proof, deal.price_since),
  };
}

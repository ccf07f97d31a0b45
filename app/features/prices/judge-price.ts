import { isPriceHidden } from './hide-price.ts';
import {
  type ClaimedDeal,
  type ClaimingSite,
  judgeClaim,
  type PriceClaim,
} from './price-claims.ts';
import { describeProof, periodBefore, type PriceProof, type ProofKind } from './price-proof.ts';
import { sparklinePath } from './sparkline.ts';
import { describeUsual, type UsualPrice, type UsualWords } from './usual-price.ts';

/** Where a price stands in its own history, ready to be shown. */
export interface ShownProof {
  kind: ProofKind;
  text: string;
  /** At a low, and well below what it usually costs: the only prices that are green. */
  isGood: boolean;
  /** `usually $849`, in words of a card; null where that is unknown, or what the text says already. */
  usual: string | null;
  /** The last 90 days as an SVG path; null where there is no line worth reading. */
  line: string | null;
}

/** What a visitor may read of a deal's price. The server judges it, the browser only shows it. Minor units. */
export interface ShownPrice {
  now: number;
  claim: PriceClaim;
  proof: ShownProof;
  /** The usual price as a number, and both as a sentence; null where it is unknown. */
  usual: (UsualPrice & { sentence: string }) | null;
  lowestEver: number | null;
  low30Before: number | null;
  /** Of how long that low is: “in the 30 days before …”. */
  low30Period: string;
}

type JudgedDeal = ClaimedDeal & { is_expired: boolean } & Parameters<typeof isPriceHidden>[0] &
  Parameters<typeof describeProof>[1];

/** Null where the merchant's programme wants the price hidden by now: then nothing of it leaves the server. */
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
    claim: judgeClaim(deal, proof, site),
    proof: {
      ...standing(deal.sale_price, known, usual, words),
      isGood: isLow(known.kind) && usual !== null && isWellBelow(deal.sale_price, usual.price),
      line: sparklinePath(proof.points, now),
    },
    usual: usual && words && { ...usual, sentence: words.sentence },
    // A price that was never compared with another is no low.
    lowestEver: known.kind === 'no-history' ? null : proof.lowestEver,
    low30Before: deal.low_30_before,
    low30Period: periodBefore(proof, deal.price_since),
  };
}

/** `Lowest in 87 days, usually $849`: both rows of a card in a line of text. */
export function inOneLine({ text, usual }: Pick<ShownProof, 'text' | 'usual'>): string {
  return usual === null ? text : `${text}, ${usual}`;
}

/** For the page of a deal: with the whole sentence of the usual price, said once. */
export function inFull({ proof, usual }: Pick<ShownPrice, 'proof' | 'usual'>): ShownProof {
  if (usual === null || proof.usual === null) return proof;
  return proof.kind === 'above-low'
    ? { ...proof, text: usual.sentence, usual: null }
    : { ...proof, usual: usual.sentence };
}

const isLow = (kind: ProofKind) => kind === 'lowest-ever' || kind === 'lowest-in';

/** A tenth below: most prices are a little below their median for a while. */
function isWellBelow(price: number, usual: number): boolean {
  return price * 10 <= usual * 9;
}

/**
 * A low is one unless it is dearer than usual, as after a rise of more than 30 days. Of every other price its days say more than
 * how far above its low it is.
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

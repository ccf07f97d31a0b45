import { type Contradiction, contradictionOf } from './find-contradiction.ts';
import { productGtin } from './product-gtin.ts';
import { codeOfPart } from './read-codes.ts';
import { readForScore, type ScoredText, scorePair } from './score-pair.ts';

/** The fields of a deal that decide whether a pair is suggested. */
export interface PairText {
  title: string;
  brand: string | null;
  gtin: string | null;
  mpn: string | null;
  price: number;
  currency: string;
}

/**
 * The rule that found a pair. For a pair with the same GTIN, the rule includes the contradiction,
 * or none if a store is new or has the deal twice.
 */
export type MatchReason = 'gtin' | `gtin-${Contradiction}` | 'mpn' | 'code' | 'group';

interface Suggestion {
  reason: MatchReason;
  /** The probability that both are the same product. */
  score: number;
}

const leastScore = 0.3;
/**
 * The weights of numbers, which the public data sets lack, in the same unit as the scores' weights.
 */
const numberWeights = { sameGtin: 3, samePart: 3, otherGtin: -1.5 };

/** Caches prepared texts, since a deal is part of several pairs. */
const read = new WeakMap<PairText, ScoredText>();

function readOnce(deal: PairText): ScoredText {
  const known = read.get(deal);
  if (known) return known;
  const text = readForScore(deal);
  read.set(deal, text);
  return text;
}

/**
 * Returns why a pair is suggested, or `null` if it is not. `isGroup` is set for variants at one
 * store.
 */
export function suggestPair(a: PairText, b: PairText, isGroup: boolean): Suggestion | null {
  const [one, other] = [readOnce(a), readOnce(b)];
  const hasSameCurrency = a.currency === b.currency;
  const scoreWith = (evidence: number) => scorePair(one, other, { evidence, hasSameCurrency });
  if (a.gtin !== null && a.gtin === b.gtin) {
    const contradiction = contradictionOf(one, other);
    const score = Math.max(leastScore, scoreWith(numberWeights.sameGtin));
    return { reason: contradiction ? `gtin-${contradiction}` : 'gtin', score };
  }
  // Variants differ by definition, so this rule comes last.
  if (isGroup) return { reason: 'group', score: leastScore + scoreWith(0) / 10 };
  const part = codeOfPart(a.brand, a.mpn);
  const hasSamePart = part !== null && part === codeOfPart(b.brand, b.mpn);
  const score = scoreWith(
    (hasSamePart ? numberWeights.samePart : 0) +
      (haveOtherGtins(a, b) ? numberWeights.otherGtin : 0),
  );
  return score < leastScore ? null : { reason: hasSamePart ? 'mpn' : 'code', score };
}

function haveOtherGtins({ gtin: a }: PairText, { gtin: b }: PairText): boolean {
  return a !== null && b !== null && productGtin(a) !== null && productGtin(b) !== null;
}

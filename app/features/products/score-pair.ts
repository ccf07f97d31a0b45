import { isWithin, type ReadText, readText } from './find-contradiction.ts';
import { codesIn } from './read-codes.ts';
import { bare, foldTitle } from './fold-title.ts';

interface PricedText {
  title: string;
  brand: string | null;
  price: number | null;
}

/** A deal prepared for comparisons with others. */
export interface ScoredText extends ReadText {
  price: number | null;
  /** Model numbers in the title. */
  codes: ReadonlySet<string>;
  /** The word stems in the title, with their weights. */
  stems: ReadonlyMap<string, number>;
  weight: number;
  squares: number;
  /** The title and the brand without spaces and punctuation. */
  plainTitle: string;
  plainBrand: string;
}

const smallWords = new Set(
  'the and for with of in a an to by on or de la le et und mit fur von para con per'.split(' '),
);
/** letters of a word that are compared, so that inflections are equal */
const stemLength = 5;

/**
 * Returns the weight of a word by its shape, as a substitute for its frequency in a catalog. Model
 * numbers are rare, and short words are common.
 */
function weightOf(word: string): number {
  if (smallWords.has(word)) return 0.1;
  if (/\d/.test(word)) return word.length > (/\p{L}/u.test(word) ? 3 : 4) ? 3 : 1.5;
  if (word.length > 6) return 1.3;
  return word.length > 3 ? 1 : 0.5;
}

function readStems(folded: string): Map<string, number> {
  const stems = new Map<string, number>();
  for (const token of folded.match(/[\p{L}\d]+(?:[-./][\p{L}\d]+)*/gu) ?? []) {
    if (/\d/.test(token)) stems.set(bare(token), weightOf(bare(token)));
    else {
      for (const part of token.split(/[-./]/)) stems.set(part.slice(0, stemLength), weightOf(part));
    }
  }
  return stems;
}

/** Prepares a deal once for many comparisons. */
export function readForScore({ title, brand, price }: PricedText): ScoredText {
  const folded = foldTitle(title);
  const stems = readStems(folded);
  const weights = [...stems.values()];
  return {
    ...readText({ title, brand }),
    price,
    codes: codesIn(folded),
    stems,
    weight: weights.reduce((sum, one) => sum + one, 0),
    squares: weights.reduce((sum, one) => sum + one * one, 0),
    plainTitle: bare(folded),
    plainBrand: bare(foldTitle(brand ?? '')),
  };
}

/**
 * The weights of a logistic regression on five public sets of product pairs, each with the same
 * influence. Matching pairs have seven times the weight, because staff can reject a suggestion but
 * never see a pair that is not suggested.
 */
const weights = {
  always: -0.73,
  cosine: 1.79,
  contained: 1.84,
  /** Multiplies the weight of words in the shorter title that the longer one lacks. */
  lacking: 0.21,
  complete: 0.8,
  sharedCode: 3.07,
  similarCode: 1.28,
  otherCode: -2.64,
  noCode: -0.38,
  sameMeasure: 1.01,
  otherMeasure: -2.04,
  sameColour: 0.63,
  otherColour: -1.57,
  sameNumber: 0.39,
  otherNumber: -1,
  otherEdition: -1.09,
  /** Applies if the number of items differs, or if only one of the two is an accessory. */
  otherKind: 0.25,
  priceRatio: -3.67,
  sameBrand: 0.53,
  otherBrand: -0.66,
};

/**
 * Returns the probability, from 0 to 1, that two deals are the same product, according to their
 * texts and prices. `evidence` is added to the weights.
 */
export function scorePair(
  one: ScoredText,
  other: ScoredText,
  { evidence, hasSameCurrency }: { evidence: number; hasSameCurrency: boolean },
): number {
  const least = Math.min(one.weight, other.weight);
  const { shared, cosine } = compareStems(one, other);
  let sum = weights.always + evidence;
  sum += weights.cosine * cosine;
  sum += weights.contained * (shared / (least || 1));
  sum += weights.lacking * ((least - shared) / 5);
  if (least - shared < 0.2) sum += weights.complete;
  sum += codeScore(one, other) + factScore(one, other);
  if (hasSameCurrency && one.price && other.price) {
    sum += weights.priceRatio * Math.min(2, Math.abs(Math.log(one.price / other.price)));
  }
  return 1 / (1 + Math.exp(-sum));
}

/** Returns the shared weight of two titles, and the cosine of the angle between them. */
function compareStems(one: ScoredText, other: ScoredText) {
  let [shared, squares] = [0, 0];
  for (const [stem, weight] of one.stems) {
    if (!other.stems.has(stem)) continue;
    shared += weight;
    squares += weight * weight;
  }
  return { shared, cosine: squares / Math.sqrt(one.squares * other.squares || 1) };
}

function codeScore(one: ScoredText, other: ScoredText): number {
  let longest = 0;
  for (const code of one.codes) if (other.codes.has(code)) longest = Math.max(longest, code.length);
  if (longest > 0) return weights.sharedCode * (Math.min(longest, 12) / 12);
  if (isWritten(one.codes, other.plainTitle) || isWritten(other.codes, one.plainTitle)) {
    return weights.similarCode;
  }
  if (one.codes.size > 0 && other.codes.size > 0) return weights.otherCode;
  return one.codes.size + other.codes.size > 0 ? 0 : weights.noCode;
}

const isWritten = (codes: ReadonlySet<string>, title: string) =>
  [...codes].some((code) => title.includes(code));

function factScore(one: ScoredText, other: ScoredText): number {
  const [a, b] = [one.facts, other.facts];
  let sum = measureScore(a.measures, b.measures);
  sum += choose(compareSets(a.colours, b.colours), weights.sameColour, weights.otherColour);
  sum += choose(compareSets(a.numbers, b.numbers), weights.sameNumber, weights.otherNumber);
  if (a.editions.symmetricDifference(b.editions).size > 0) sum += weights.otherEdition;
  if (a.pack !== b.pack || a.isAccessory !== b.isAccessory) sum += weights.otherKind;
  return sum + choose(compareBrands(one, other), weights.sameBrand, weights.otherBrand);
}

/** Whether two values agree, or `null` if one of them is unknown. */
type Agreement = boolean | null;

function choose(agreement: Agreement, same: number, other: number): number {
  if (agreement === null) return 0;
  return agreement ? same : other;
}

/** Two sets agree if one contains the other. */
function compareSets(a: ReadonlySet<string>, b: ReadonlySet<string>): Agreement {
  return a.size === 0 || b.size === 0 ? null : a.isSubsetOf(b) || b.isSubsetOf(a);
}

function compareBrands({ plainBrand: a }: ScoredText, { plainBrand: b }: ScoredText): Agreement {
  return a === '' || b === '' ? null : a.startsWith(b) || b.startsWith(a);
}

type Measures = ReadText['facts']['measures'];

function measureScore(a: Measures, b: Measures): number {
  let [agree, differ] = [false, false];
  for (const [kind, amounts] of a) {
    const others = b.get(kind);
    if (!others) continue;
    if (isWithin(amounts, others) || isWithin(others, amounts)) agree = true;
    else differ = true;
  }
  return (agree ? weights.sameMeasure : 0) + (differ ? weights.otherMeasure : 0);
}

import { bare, foldTitle } from './fold-title.ts';
import { readTitle, type TitleFacts } from './title-facts.ts';

/** The texts of a deal that are compared. */
export interface ComparedText {
  title: string;
  brand: string | null;
}

/** A difference that prevents a link despite an equal GTIN. */
export type Contradiction =
  | 'brand'
  | 'measure'
  | 'pack'
  | 'colour'
  | 'model'
  | 'number'
  | 'edition'
  | 'accessory'
  | 'title';

/** The share of the shorter title's words that the longer one must contain. */
const leastShared = 0.4;
/** The maximum difference of two measures that is due to rounding, such as 55 inches and 140 cm. */
const rounding = 0.03;

/** Returns the first difference that makes two texts different products, or `null`. */
export function findContradiction(one: ComparedText, other: ComparedText): Contradiction | null {
  return contradictionOf(readText(one), readText(other));
}

/** A text with its facts, which are extracted once for many comparisons. */
export interface ReadText extends ComparedText {
  facts: TitleFacts;
}

export function readText(text: ComparedText): ReadText {
  return { ...text, facts: readTitle(text.title) };
}

/** Returns the first such difference of two texts whose facts were extracted. */
export function contradictionOf(one: ReadText, other: ReadText): Contradiction | null {
  const [a, b] = [one.facts, other.facts];
  if (haveOtherBrands(one, other)) return 'brand';
  if (haveOtherMeasures(a, b)) return 'measure';
  if (a.pack !== b.pack) return 'pack';
  if (differ(a.colours, b.colours)) return 'colour';
  if (haveOtherModels(a, b)) return 'model';
  if (differ(a.numbers, b.numbers)) return 'number';
  if (a.editions.symmetricDifference(b.editions).size > 0) return 'edition';
  if (a.isAccessory !== b.isAccessory) return 'accessory';
  const least = Math.min(a.words.size, b.words.size);
  const shared = a.words.intersection(b.words).size;
  const hasOneNone = least === 0 && a.words.size !== b.words.size;
  return hasOneNone || shared < least * leastShared ? 'title' : null;
}

/**
 * Whether each set has something that the other lacks. A title with fewer facts contradicts
 * nothing.
 */
function differ(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return !a.isSubsetOf(b) && !b.isSubsetOf(a);
}

function haveOtherBrands(one: ReadText, other: ReadText): boolean {
  const [a, b] = [plain(one.brand ?? ''), plain(other.brand ?? '')];
  if (a === '' || b === '' || a.startsWith(b) || b.startsWith(a)) return false;
  return !plain(other.title).includes(a) && !plain(one.title).includes(b);
}

const plain = (text: string) => bare(foldTitle(text));

function haveOtherMeasures(a: TitleFacts, b: TitleFacts): boolean {
  return [...a.measures].some(([kind, amounts]) => {
    const others = b.measures.get(kind) ?? [];
    return !isWithin(amounts, others) && !isWithin(others, amounts);
  });
}

/** Returns whether each amount is among the others, up to rounding. */
export function isWithin(amounts: readonly number[], others: readonly number[]): boolean {
  return amounts.every((amount) =>
    others.some((other) => Math.abs(amount - other) <= rounding * Math.max(amount, other)),
  );
}

/** Whether both titles have model numbers, and none is a prefix of one in the other title. */
function haveOtherModels({ models: a }: TitleFacts, { models: b }: TitleFacts): boolean {
  if (a.size === 0 || b.size === 0) return false;
  return ![...a].some((x) => [...b].some((y) => x.startsWith(y) || y.startsWith(x)));
}

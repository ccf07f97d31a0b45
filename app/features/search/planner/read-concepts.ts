import { partRuns } from '#app/platform/fold.ts';
import { keyOf, type Synonyms } from './synonym-index.ts';
import { dashForms, measureForms, readMeasure, splitsOf, wordsOf } from './word-forms.ts';

/** One thing that a query requires, with the ways of writing it. */
export interface Concept {
  /** The typed words in folded form, one or several. */
  typed: string[];
  /** Other spellings: `128gb`, `128 GB`. */
  forms: string[];
  /**
   * The number of a measure whose unit is not indexed, such as inches. The bare number matches only
   * in titles.
   */
  bareForm: string | null;
  /** The synonyms of the concept. */
  synonyms: readonly string[];
  /** Narrower or similar things. */
  related: readonly string[];
  /** The concepts of the single words, if the concept has several words. */
  parts: Concept[];
}

/** The maximum number of words in a phrase with synonyms. */
export const longestRun = 4;

/** The vocabulary of a shop. */
interface KnownWords {
  /** If `null`, only other spellings are added. */
  synonyms: Synonyms | null;
  /** Words in titles: `sound bar` is also `soundbar` if a title contains that word. */
  known: ReadonlySet<string>;
}

/** Parses a folded query. Phrases of up to `mostTogether` words may have synonyms. */
export function readConcepts(folded: string, shop: KnownWords, mostTogether: number): Concept[] {
  const words = wordsOf(folded);
  const concepts: Concept[] = [];
  for (let at = 0; at < words.length;) {
    const run = words.slice(at, at + mostTogether);
    const read = readMeasures(words, at) ?? readRun(run, shop) ?? readPair(run, shop);
    const { concept, length } = read ?? { concept: readWord(words[at] ?? '', shop), length: 1 };
    concepts.push(concept);
    at += length;
  }
  return concepts;
}

interface ReadRun {
  concept: Concept;
  length: number;
}

/** Reads a measure such as `128gb`, `128 gb` or `55"`. */
function readMeasures(words: string[], at: number): ReadRun | null {
  const [word = '', next = '', third = ''] = words.slice(at, at + 3);
  const alone = readMeasure(word);
  const isRange = /^\d/.test(third); // `3 in 1`
  const measure = alone ?? (isRange ? null : readMeasure(word, next));
  if (!measure) return null;
  const typed = alone ? [word] : [word, next];
  const { forms, bare } = measureForms(measure.number, measure.unit);
  const concept = { ...plain(typed), forms, bareForm: bare ? measure.number : null };
  return { concept, length: typed.length };
}

/**
 * Reads the longest phrase that has synonyms, as typed or with two words joined, as in `door bell
 * camera`. Synonyms of the single words match as well.
 */
function readRun(words: string[], shop: KnownWords): ReadRun | null {
  for (let length = words.length; length > 1; length--) {
    const run = words.slice(0, length);
    const joined = length > 2 ? joinedRuns(run, shop) : [];
    for (const spelling of [run, ...joined]) {
      const found = shop.synonyms?.get(keyOf(spelling.join(' ')));
      if (!found) continue;
      const parts = spelling.map((word) => readWord(word, shop));
      const forms = [...joinedForms(run, shop), ...joined.map((other) => other.join(' '))];
      return { concept: { ...plain(run), parts, forms, ...othersOf(found) }, length };
    }
  }
  return null;
}

/**
 * Returns the phrase with two neighboring words joined, for each joined word that a title contains.
 */
function joinedRuns(run: string[], shop: KnownWords): string[][] {
  return run.slice(1).flatMap((_, at) => {
    const [joined] = joinedForms(run.slice(at, at + 2), shop);
    return joined === undefined ? [] : [run.toSpliced(at, 2, joined)];
  });
}

/** Reads two words that some titles write as one. */
function readPair(words: string[], shop: KnownWords): ReadRun | null {
  const run = words.slice(0, 2);
  const forms = joinedForms(run, shop);
  if (forms.length === 0) return null;
  const parts = run.map((word) => readWord(word, shop));
  return { concept: { ...plain(run), parts, forms }, length: 2 };
}

function joinedForms(run: string[], { known }: KnownWords): string[] {
  const joined = run.join('');
  return run.length === 2 && known.has(joined) ? [joined] : [];
}

function readWord(word: string, { synonyms, known }: KnownWords): Concept {
  const forms = partRuns(word).runs.length === 0 ? dashForms(word) : [];
  const halves = splitsOf(word).filter((parts) => parts.every((part) => known.has(part)));
  forms.push(...halves.map((parts) => parts.join(' ')));
  return { ...plain([word]), forms, ...othersOf(synonyms?.get(keyOf(word))) };
}

function othersOf(found: { same: readonly string[]; related: readonly string[] } | undefined) {
  return { synonyms: found?.same ?? [], related: found?.related ?? [] };
}

function plain(typed: string[]): Concept {
  return { typed, forms: [], bareForm: null, synonyms: [], related: [], parts: [] };
}

import { fold } from '#app/platform/fold.ts';
import builtIn from '../synonyms.json' with { type: 'json' };
import { plainForm } from './word-forms.ts';

/** Maps each normalized phrase to its synonyms. */
export type Synonyms = ReadonlyMap<string, OtherWords>;

interface OtherWords {
  /** Words for the same thing. */
  same: readonly string[];
  /** Narrower or similar things. Their deals rank below those of `same`. */
  related: readonly string[];
}

/**
 * Parses lines of synonyms. `tv, television` are equivalent. `phone > iphone, smartphone` applies
 * only to the words before the sign.
 */
export function indexSynonyms(lines: readonly string[], base?: Synonyms): Synonyms {
  const index = new Map<string, OtherWords>(base);
  for (const line of lines) {
    const [before = [], after] = line.split('>').map(wordsOfSide);
    for (const word of before) {
      const key = keyOf(word);
      const { same, related } = index.get(key) ?? { same: [], related: [] };
      const more = (after ?? before).filter((other) => keyOf(other) !== key);
      const add = (known: readonly string[]) => [...new Set([...known, ...more])];
      index.set(key, after ? { same, related: add(related) } : { same: add(same), related });
    }
  }
  return index;
}

function wordsOfSide(side: string): string[] {
  return side
    .split(',')
    .map((word) => fold(word).trim())
    .filter(Boolean);
}

/** Returns the form in which words are looked up. */
export function keyOf(words: string): string {
  return words
    .split(/[\s-]+/)
    .filter(Boolean)
    .map(plainForm)
    .join(' ');
}

/**
 * The built-in list of retail synonyms, with American and British words for the departments of a
 * shop.
 */
export const builtInSynonyms: Synonyms = indexSynonyms(builtIn);

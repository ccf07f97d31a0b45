import type { Names } from './find-names.server.ts';
import type { Concept } from './read-concepts.ts';

interface Term extends Concept {
  query: string | null;
  names: Names | null;
  keys: string[] | null;
}

/** The words of a query in the form that watched searches store. */
export interface WatchedWords {
  /**
   * The query as a tsquery. Names are special words, such as `category 5`, which only watched
   * searches use.
   */
  words: string | null;
  /** Words of which every matching deal has at least one. Empty if there are no such words. */
  keys: string[];
}

/** Converts terms for `find_for_searches`, which compares changed deals with watched searches. */
export function watchedWords(terms: readonly Term[]): WatchedWords {
  if (terms.length === 0) return { words: null, keys: [] };
  const ways = terms.map((term) => [
    ...(term.query === null ? [] : [term.query]),
    ...lexemesOf(term.names).map(quote),
    ...brandsOf(term).map(quote),
  ]);
  const keys = terms
    .map((term) => (term.keys ? [...term.keys, ...lexemesOf(term.names)] : null))
    .filter((list) => list !== null)
    .toSorted((a, b) => a.length - b.length || longestOf(b) - longestOf(a));
  return {
    words: ways.map((way) => `(${way.map((one) => `(${one})`).join(' | ')})`).join(' & '),
    keys: keys[0] ?? [],
  };
}

function longestOf(words: string[]): number {
  return Math.max(0, ...words.map((word) => word.length));
}

/** Returns the special words for categories and stores. */
function lexemesOf(names: Names | null): string[] {
  if (!names) return [];
  return [
    ...names.categories.map((id) => `category ${id}`),
    ...names.merchants.map((id) => `store ${id}`),
  ];
}

/**
 * Returns the special words for brands. The typed words may be a brand that has no deal yet, so
 * they are included.
 */
function brandsOf({ names, typed }: Term): string[] {
  return [...new Set([typed.join(' '), ...(names?.brands ?? [])])].map((name) => `brand ${name}`);
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns the longest lexeme of words that are all required, or `null` if one is a prefix. */
export function keyOfQuery(query: string): string | null {
  if (/:\*/.test(query)) return null;
  const lexemes = [...query.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) =>
    word.replaceAll("''", "'").replaceAll('\\\\', '\\'),
  );
  return lexemes.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

import { type RawBuilder, sql } from 'kysely';
import { foldedContains } from '#app/platform/contains-in.server.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import type { Names } from './find-names.server.ts';
import type { SearchTerms, Term } from './search-terms.server.ts';

/**
 * Joins the texts of chosen deals one by one. Without the offset, the planner might first search
 * the words in all deals.
 */
export function textsOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (select * from deal_texts where deal_id = ${id} offset 0) texts`;
}

/**
 * Whether a row of `deal_texts` has every term. Terms that are also names are compared with the
 * category, store and brand as well.
 */
export function hasWords({ terms }: SearchTerms): RawBuilder<boolean> {
  const parts = terms.flatMap((term) =>
    term.names ? [sql`(${sql.join(waysToName(term, term.names), sql` or `)})`] : [],
  );
  const query = wordsOf(terms);
  if (query !== '' || parts.length === 0) parts.push(sql`search @@ ${query || null}::tsquery`);
  return sql`(${sql.join(parts, sql` and `)})`;
}

/**
 * Returns conditions of which a deal with every term meets at least one. If exactly one term is
 * also a name, each meaning gets a separate condition, since the planner cannot use an index for
 * alternatives. If few deals have the other terms (`areFew`), their names are compared row by row
 * instead.
 */
export function waysToMatch(given: SearchTerms, areFew: boolean): RawBuilder<boolean>[] {
  const [named, ...others] = given.terms.filter(({ names }) => names);
  const query = wordsOf(given.terms);
  if (!named?.names || others.length > 0 || query === '') return [hasWords(given)];
  const ways = waysToName(named, named.names);
  if (areFew)
    return [sql`(search @@ ${query}::tsquery and (${sql.join(ways, sql` or `)}) is true)`];
  return ways.map((way) => sql`(${way} and search @@ ${query}::tsquery)`);
}

/** Returns the words of all terms that are not names, as a tsquery. */
function wordsOf(terms: readonly Term[]): string {
  return terms.flatMap(({ names, query }) => (names ? [] : `(${query})`)).join(' & ');
}

function waysToName({ query }: Term, names: Names): RawBuilder<boolean>[] {
  const { categories, merchants, brands } = names;
  // An empty list would prevent the planner from combining the other indexes.
  const ways: RawBuilder<boolean>[] = [];
  if (categories.length > 0) ways.push(sql`category_id = any(${categories}::bigint[])`);
  if (merchants.length > 0) ways.push(sql`merchant_id = any(${merchants}::bigint[])`);
  if (query !== null) ways.push(sql`search @@ ${query}::tsquery`);
  if (brands.length > 0) ways.push(sql`brand = any(${brands}::text[])`);
  return ways;
}

export function hasWordsInTitle({ terms }: SearchTerms): RawBuilder<boolean> {
  const query = terms.map(({ inTitle }) => inTitle && `(${inTitle})`);
  return sql`coalesce(search @@ ${query.includes(null) ? null : query.join(' & ') || null}::tsquery, false)`;
}

/**
 * Folding thousands of descriptions would take too long, so accents must match when a part of a
 * word is searched in descriptions. If only ASCII letters were typed, only those are lowercased;
 * decompressing the text takes most of the time anyway.
 */
export function hasParts({ words, typedWords }: SearchTerms): RawBuilder<boolean> {
  const each = words.map((word, index) => {
    const spellings = [...new Set([word, typedWords[index] ?? word])];
    const isAscii = spellings.every((spelling) => /^[\0-\x7f]*$/.test(spelling));
    const found = isAscii
      ? sql`strpos(lower(description collate "C"), ${word} collate "C") > 0`
      : sql`description ilike any(${spellings.map(containsPattern)}::text[])`;
    return sql`(${hasPartsInTitle([word])} or ${found})`;
  });
  return sql`(${sql.join(each, sql` and `)})`;
}

export function hasPartsInTitle(words: string[]) {
  return foldedContains(words, 'title');
}

import { type RawBuilder, sql } from 'kysely';
import { foldedContains } from '#app/platform/contains-in.server.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import type { SearchTerms } from './search-terms.server.ts';

/**
 * Joins the texts of chosen deals one by one. Without the offset the planner may search the words
 * first, among all deals.
 */
export function textsOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (select * from deal_texts where deal_id = ${id} offset 0) texts`;
}

/**
 * Folding thousands of descriptions would take too long, so accents must match for a part of a word
 * in a description. If only ASCII letters were typed, only those are lower-cased; most of the time
 * is spent unpacking the text anyway.
 */
export function hasParts({ words, typedWords }: SearchTerms): RawBuilder<boolean> {
  const each = words.map((word, index) => {
    const spellings = [...new Set([word, typedWords[index] ?? word])];
    const isAscii = spellings.every((spelling) => /^[\0-\x7f]*$/.test(spelling));
    const found = isAscii
      ? sql`lower(description collate "C") like ${containsPattern(word)}`
      : sql`description ilike any(${spellings.map(containsPattern)}::text[])`;
    return sql`(${hasPartsInTitle([word])} or ${found})`;
  });
  return sql`(${sql.join(each, sql` and `)})`;
}

export function hasPartsInTitle(words: string[]) {
  return foldedContains(words, 'title');
}

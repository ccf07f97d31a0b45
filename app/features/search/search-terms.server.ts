import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** What a query means to the database. */
export interface SearchTerms {
  text: string;
  /** The words that must all occur somewhere, at most ten, the longest first. */
  words: string[];
  /** All words, the last one perhaps unfinished, as a tsquery; null when only stop words were typed. */
  prefixQuery: string | null;
  /** All words as whole words. */
  wholeQuery: string | null;
  /** All words as whole words of the title. */
  titleQuery: string | null;
  /** The same, the last word perhaps unfinished. */
  titlePrefixQuery: string | null;
}

const mostWords = 10;

export async function readSearchTerms(db: Db, text: string): Promise<SearchTerms> {
  // plainto_tsquery knows no operators, so nothing that is typed can be one.
  const { rows } = await sql<{ lexemes: string }>`
    select plainto_tsquery('english', ${text})::text as lexemes`.execute(db);
  const whole = rows[0]?.lexemes || null;
  // Numbers begin so many model names that an unfinished one costs more than it finds.
  const isOpen = whole !== null && !/[-\d]\d{0,2}'$/.test(whole);
  const inTitle = whole && whole.replace(/'(?:[^']|'')*'/g, '$&:A');
  return {
    text,
    words: [...new Set(text.toLowerCase().split(' '))]
      .toSorted((a, b) => b.length - a.length)
      .slice(0, mostWords),
    prefixQuery: isOpen ? `${whole}:*` : whole,
    wholeQuery: whole,
    titleQuery: inTitle,
    titlePrefixQuery: isOpen ? `${inTitle}*` : inTitle,
  };
}

/** A LIKE pattern for "contains this", in which `%`, `_` and `\` stand for themselves. */
export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}

export function startsWithPattern(text: string): string {
  return `${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { fold } from './fold.ts';
import { containsPattern } from './like-pattern.ts';

/**
 * Matches rows with the text in one of these columns, ignoring case and accents. An empty text
 * matches all rows.
 */
export function containsIn(text: string, ...columns: string[]): RawBuilder<SqlBool> {
  if (text === '') return sql`true`;
  const pattern = containsPattern(fold(text));
  const found = columns.map((name) => sql`fold(${sql.ref(name)}) like ${pattern}`);
  return sql`(${sql.join(found, sql` or `)})`;
}

/**
 * Matches rows that contain each of the words in a column. The column and the words are already
 * folded.
 */
export function foldedContains(words: readonly string[], column: string): RawBuilder<boolean> {
  return sql`(${sql.join(
    words.map((word) => sql`${sql.ref(column)} like ${containsPattern(word)}`),
    sql` and `,
  )})`;
}

/** Matches rows that contain each of the words in one of these columns. */
export function containsAllIn(words: readonly string[], ...columns: string[]): RawBuilder<boolean> {
  return sql`(${sql.join(
    words.map((word) => containsIn(word, ...columns)),
    sql` and `,
  )})`;
}

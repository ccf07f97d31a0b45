import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { containsPattern } from './like-pattern.ts';

/** Rows with the text in one of these columns; all of them where there is nothing to look for. */
export function containsIn(text: string, ...columns: string[]): RawBuilder<SqlBool> {
  if (text === '') return sql`true`;
  const found = columns.map((name) => sql`${sql.ref(name)} ilike ${containsPattern(text)}`);
  return sql`(${sql.join(found, sql` or `)})`;
}

/** Rows with each of the words in one of these columns. */
export function containsAllIn(words: readonly string[], ...columns: string[]): RawBuilder<boolean> {
  return sql`(${sql.join(
    words.map((word) => containsIn(word, ...columns)),
    sql` and `,
  )})`;
}

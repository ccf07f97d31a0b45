import type { Pool } from 'pg';
import { fine, type CheckResult, warning } from '#app/platform/check-result.ts';

/**
 * Checks that the database server, private or at DATABASE_URL, supports every alphabet. Requires a
 * migrated database.
 */
export async function examineAlphabets(
  pool: Pick<Pool, 'query'>,
  isPrivate: boolean,
): Promise<CheckResult> {
  const name = 'alphabets';
  if (await knowsLetters(pool)) return fine(name, 'search supports every alphabet');
  return warning(
    name,
    'the database treats only ASCII characters as letters (its LC_CTYPE is C), so in other alphabets search finds whole words and their beginnings, but no parts of words, and corrects fewer typing errors',
    isPrivate
      ? 'Restore a backup into a new database. docs/operations.md, “Every alphabet”.'
      : "Create a database with LC_CTYPE 'C.UTF-8' and restore a backup into it. docs/operations.md, “Every alphabet”.",
  );
}

/**
 * Returns whether trigrams support letters beyond ASCII. The database's LC_CTYPE decides which
 * characters are letters. With the locale C, trigrams ignore those letters, so most alphabets get
 * no typo correction and no partial matches.
 */
async function knowsLetters(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ knows: boolean }>(
    `select show_trgm('наушники') <> '{}' as knows`,
  );
  return rows[0]?.knows ?? false;
}

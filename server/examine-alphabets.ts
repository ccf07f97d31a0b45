import type { Pool } from 'pg';
import { fine, type Finding, warning } from '#app/platform/finding.ts';

/** Of any server, also that of DATABASE_URL. The database must be up to date. */
export async function examineAlphabets(
  pool: Pick<Pool, 'query'>,
  isPrivate: boolean,
): Promise<Finding> {
  const name = 'alphabets';
  if (await knowsLetters(pool)) return fine(name, 'search knows the letters of all');
  return warning(
    name,
    'the database takes only ASCII for letters (its LC_CTYPE is C), so in other alphabets search finds whole words and their beginnings, but no parts of words, and corrects fewer typing errors',
    isPrivate
      ? 'Restore a backup into a new database. docs/operations.md, “Every alphabet”.'
      : "Make a database with LC_CTYPE 'C.UTF-8' and restore a backup into it. docs/operations.md, “Every alphabet”.",
  );
}

/**
 * Whether trigrams see more than ASCII. They ask the C library what a letter is (LC_CTYPE), and in the locale C they drop
 * every other one: no typing error is corrected and no part of a word found in most of the world's alphabets.
 */
async function knowsLetters(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ knows: boolean }>(
    `select show_trgm('наушники') <> '{}' as knows`,
  );
  return rows[0]?.knows ?? false;
}

import type { Pool } from 'pg';
import { fine, type Finding, warning } from '#app/platform/finding.ts';
import { knowsLetters } from '#database/knows-letters.ts';

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
      ? 'Stop the site and run `deals mend-locale`: it copies the data into a database that knows them. docs/operations.md, “Every alphabet”.'
      : "Make a database with LC_CTYPE 'C.UTF-8' and restore a backup into it. docs/operations.md, “Every alphabet”.",
  );
}

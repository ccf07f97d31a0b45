import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import { errorCode, errorMessage } from '#database/error-code.ts';
import { findFolder } from '#database/find-folder.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';

const lockNotAvailable = '55P03';

/** Returns the contents of `database/FOLDER/NAME.sql` by NAME, sorted by name. */
export async function readSqlFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = findFolder(path.join('database', folder));
  const files = (await readdir(found)).filter((file) => /^[a-z0-9_]+\.sql$/.test(file));
  const texts = new Map<string, string>();
  for (const file of files.sort()) {
    texts.set(file.slice(0, -'.sql'.length), await readFile(path.join(found, file), 'utf8'));
  }
  return texts;
}

/** Runs the statements of `file`. Throws a message with the failed file and a fix. */
export async function runSqlFile(tx: Tx, file: string, text: string): Promise<void> {
  try {
    await sql.raw(text).execute(tx);
  } catch (error) {
    throw new Error(
      `${file} failed: ${errorMessage(error)}. The database is as it was before. ${whatToDo(error)}`,
      { cause: error },
    );
  }
}

function whatToDo(error: unknown): string {
  if (errorCode(error) === lockNotAvailable) {
    return 'Another connection holds a lock that the update needs. Stop the other processes of the site and start again.';
  }
  if (isDatabaseUnavailable(error)) return 'Start again once the database responds.';
  return 'Fix the error, or go back to the previous version, which still works.';
}

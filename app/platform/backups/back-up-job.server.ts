import { freeBytes } from '#database/free-bytes.ts';
import path from 'node:path';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import {
  type BackupContent,
  checkBackup,
  listTables,
  restoreBackup,
  writeBackup,
} from '#database/backups/backup.ts';
import { connectAgain, type Db } from '#database/connect.ts';
import { openDatabaseMedia } from '#database/database-media.ts';
import { errorCode } from '#database/error-code.ts';
import { askBy } from '#database/media-store.ts';
import { describeMissing } from '#database/named-pictures.ts';
import { type BackupPlace, openBackupPlace } from './backup-place.server.ts';
import { nightlyBackups, nightlyName, outdatedBackups } from './kept-backups.ts';

/** factor; the database may have grown since the last backup, and needs space to keep running */
const roomForOne = 2;
const leastFreeBytes = 200 * 2 ** 20;
const unlimited = { maxConnections: 2, statementTimeout: 0 };
const notPermitted = '42501';

/**
 * Writes everything into a file, reads it back and stores it in `BACKUP_DIR` or the bucket, then
 * deletes outdated ones. Throws a readable error if there is not enough space, since a full disk is
 * worse than a missing backup. Also throws if pictures are missing from the file.
 */
export async function backUp({ db, env, log, now }: AppServices): Promise<void> {
  const place = openBackupPlace(env);
  if (!place) return;
  await place.makeFolder();
  await refuseFullDisk(place, now());
  const name = nightlyName(now());
  const file = path.join(place.folder, name);
  const connection = connectAgain(db, unlimited);
  let missing: string[] = [];
  try {
    const media = openMedia({ db: connection.db, env });
    const options = { file, media, now: now(), site: env.origin, key: env.backupKey };
    const content = await writeBackup(connection.pool, options);
    missing = content.missing;
    await place.keep(name);
    await writeAudit(db, { actor: 'system', action: 'site.backup', entity: 'site' });
    log.info({ file: name, rows: rowsOf(content) }, 'a backup was written and read back');
  } finally {
    await connection.close();
  }
  for (const outdated of outdatedBackups(await listNames(place), now()))
    await place.remove(outdated);
  if (missing.length > 0) throw new Error(`${name} was written. ${describeMissing(missing)}`);
}

/**
 * Restores the newest backup into a temporary database, since only a restored backup is known to be
 * good. Skipped on a server where the site may not create databases.
 */
export async function tryBackup({ db, env, log, now }: AppServices): Promise<void> {
  const place = openBackupPlace(env);
  if (!place) return;
  const [newest] = nightlyBackups(await listNames(place), now());
  if (!newest) return;
  const { name } = newest;
  const maker = connectAgain(db, unlimited);
  const drill = await nameOfDrill(db);
  try {
    if (!(await makeDatabase(maker.db, drill))) {
      log.warn('the site may not create databases here, so backups are read back but not restored');
      return;
    }
    const target = connectAgain(db, { ...unlimited, database: drill });
    try {
      const file = await place.bring(name);
      refuseOtherFile(name, (await checkBackup(file, env.backupKey)).start, env.origin);
      const media = openDatabaseMedia(askBy(target.pool), async () => Infinity);
      const options = { file, media, replace: false, key: env.backupKey };
      const result = await restoreBackup(target.pool, options);
      if (!result.ok) throw new Error(`The backup ${name} was not restored: ${result.reason}.`);
      await refuseOtherCounts(target.db, target.pool, result.content);
      await writeAudit(db, { actor: 'system', action: 'site.try-backup', entity: 'site' });
      log.info({ file: name, rows: rowsOf(result.content) }, 'a backup was restored as a test');
    } finally {
      await target.close();
    }
  } finally {
    await place.leave(name);
    await sql`drop database if exists ${sql.id(drill)} with (force)`.execute(maker.db);
    await maker.close();
  }
}

const listNames = async (place: BackupPlace) => (await place.list()).map(({ name }) => name);

/**
 * Returns the name of the temporary database. The name is fixed per site, so that a leftover
 * database is found and dropped.
 */
async function nameOfDrill(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  return `${rows[0]?.name.slice(0, 40)}_restore_drill`;
}

/** Creates the temporary database. Returns false if the site's role may not create databases. */
async function makeDatabase(db: Db, drill: string): Promise<boolean> {
  const name = sql.id(drill);
  await sql`drop database if exists ${name} with (force)`.execute(db);
  try {
    await sql`create database ${name}`.execute(db);
    return true;
  } catch (error) {
    if (errorCode(error) === notPermitted) return false;
    throw error;
  }
}

/**
 * Throws if the time or the site stored in the file differs, since the file was then replaced.
 */
function refuseOtherFile(name: string, start: BackupContent['start'], origin: string): void {
  const made = nightlyName(new Date(start.createdAt));
  if (made !== name) throw new Error(`${name} holds another backup: ${made}.`);
  if (start.site !== undefined && start.site !== origin) {
    throw new Error(`${name} holds a backup of another site: ${start.site}.`);
  }
}

/** Throws unless each table has as many rows as were read. */
async function refuseOtherCounts(db: Db, pool: Pool, content: BackupContent): Promise<void> {
  const written = new Map(content.weights.map(({ name, rows }) => [name, rows]));
  for (const { name } of await listTables(pool)) {
    const rows = written.get(`table ${name}`);
    if (rows === undefined) continue;
    const counted = await sql<{ count: number }>`
      select count(*) as count from ${sql.raw(name)}`.execute(db);
    if (counted.rows[0]?.count !== rows) {
      throw new Error(`${name} restored ${counted.rows[0]?.count} rows instead of ${rows}.`);
    }
  }
}

async function refuseFullDisk(place: BackupPlace, now: Date): Promise<void> {
  const { folder } = place;
  const there = await place.list();
  const [newest] = nightlyBackups(
    there.map(({ name }) => name),
    now,
  );
  const last = there.find(({ name }) => name === newest?.name)?.bytes ?? 0;
  const free = await freeBytes(folder);
  const needed = Math.max(leastFreeBytes, roomForOne * last);
  if (free >= needed) return;
  throw new Error(
    `Not enough room for a backup in ${folder}: ${megabytes(free)} MB are free, ${megabytes(needed)} MB are needed.`,
  );
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

function rowsOf({ weights }: BackupContent): number {
  return weights.reduce((sum, { name, rows }) => sum + (name.startsWith('table ') ? rows : 0), 0);
}

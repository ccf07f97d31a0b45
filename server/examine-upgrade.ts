import path from 'node:path';
import { freeBytes } from '#database/free-bytes.ts';
import type { Pool } from 'pg';
import { readVersion } from '#app/features/desk/read-system-info.server.ts';
import { lastDoneAt } from '#app/platform/audit/audit-queries.server.ts';
import { openBackupPlace } from '#app/platform/backups/backup-place.server.ts';
import { clockSkew, nightlyName } from '#app/platform/backups/kept-backups.ts';
import type { Env } from '#app/platform/env.server.ts';
import { type CheckResult, fine, problem, warning } from '#app/platform/check-result.ts';
import { listRunningProcesses } from '#app/platform/site-processes.server.ts';
import { timeAgo } from '#app/platform/time-words.ts';
import { checkBackup } from '#database/backups/backup.ts';
import type { Connection, Db } from '#database/connect.ts';
import { errorMessage } from '#database/error-code.ts';
import { inMegabytes } from '#database/in-megabytes.ts';
import { readMigrations, readMigrationTexts } from '#database/migrate.ts';
import { migrationNotes } from '#database/migration-notes.ts';
import { releases } from '#database/releases.ts';
import { lastVersion, releaseAt } from '#database/site-versions.ts';
import { examineDataVersion } from '#server/examine-data-version.ts';

export interface UpgradeReport {
  /** The current version for display, or a description of the database. */
  from: string;
  to: string;
  /** The pending migrations in order, each with a note for the owner. */
  migrations: { name: string; changes: string }[];
  results: CheckResult[];
}

interface Examined {
  db: Db;
  pool: Pool;
  env: Env;
  now: Date;
  done: string[];
  pending: string[];
}

/** factor; rewriting a table needs space for a second copy and the write-ahead log */
const roomForOne = 2;
const backupsLateAfterMs = 26 * 3_600_000;

/**
 * Describes the steps and requirements for upgrading this database to this version. Changes
 * nothing. A failed check is a result and never throws.
 */
export async function examineUpgrade(
  { db, pool }: Connection,
  env: Env,
  now: Date,
): Promise<UpgradeReport> {
  const to = await readVersion();
  let read;
  try {
    read = await readMigrations(db);
  } catch (error) {
    const result = problem('version', errorMessage(error), 'docs/operations.md, “An update”.');
    return { from: 'another version', to, migrations: [], results: [result] };
  }
  const { done, pending } = read;
  const examined = { db, pool, env, now, done, pending };
  const results = [...examineDataVersion(env)];
  if (done.length > 0) {
    results.push(await examineRoom(examined), await examineBackup(examined));
    results.push(await examineRunning(examined));
  }
  const from = await versionOf(examined);
  if (done.length > 0 && pending.length > 0) results.push(describeWayBack(from));
  const texts = await readMigrationTexts();
  const migrations = pending.map((name) => ({
    name,
    changes: migrationNotes[name] ?? changesOf(texts.get(name) ?? ''),
  }));
  return { from, to, migrations, results };
}

async function versionOf({ db, done }: Examined): Promise<string> {
  const newest = done.at(-1);
  if (newest === undefined) return 'an empty database';
  const known = (await lastVersion(db)) ?? releaseAt(done)?.version;
  if (known !== undefined) return known;
  const before = releases.findLast(({ lastMigration }) => lastMigration < newest);
  return before
    ? `a version after ${before.version}, at ${newest}`
    : `a version before ${releases[0]?.version}, at ${newest}`;
}

/** Returns the first sentence of the comment at the top of a migration. */
function changesOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  const words = lines.slice(0, end).map((line) => line.slice(2).trim());
  const sentence = /^.*?[.!](?= |$)/.exec(words.join(' '))?.[0] ?? words.join(' ');
  return sentence.replace(/ \((?:decision|R\d)[^)]*\)/g, '');
}

/** Checks the free space for the most that pending migrations could need. Most need less. */
async function examineRoom({ pool, env, pending }: Examined): Promise<CheckResult> {
  const name = 'room';
  const texts = await readMigrationTexts();
  const statements = pending.map((one) => (texts.get(one) ?? '').replace(/--.*/g, '')).join('\n');
  const changed = [...statements.matchAll(/\b(?:update|alter table|on)\s+(\w+)/g)].map(
    ([, table]) => table ?? '',
  );
  const { rows } = await pool.query<{ bytes: number }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any($1)`,
    [changed],
  );
  const needed = roomForOne * (rows[0]?.bytes ?? 0);
  const detail = `up to ${inMegabytes(needed)} for the tables that change`;
  if (env.databaseUrl !== null) {
    return fine(name, `${detail}; the free space on the server of DATABASE_URL is unknown`);
  }
  const free = await freeBytes(env.dataDir);
  const both = `${detail}, ${inMegabytes(free)} free`;
  return free > needed
    ? fine(name, both)
    : problem(name, both, 'Free up space on the disk of DATA_DIR.');
}

async function examineBackup({ db, env, now }: Examined): Promise<CheckResult> {
  const name = 'backup';
  const fix = '`deals upgrade` makes one first.';
  const madeAt = await lastDoneAt(db, 'site.backup');
  if (madeAt === null) return warning(name, 'no backup was ever made', fix);
  const detail = `last made ${timeAgo(madeAt, now)}`;
  const place = env.backups?.toS3 ? null : openBackupPlace(env);
  const kept = newestBackup((await place?.list())?.map((one) => one.name) ?? [], now);
  let read = 'not checked now: it is not in BACKUP_DIR';
  if (place && kept) {
    try {
      await checkBackup(path.join(place.folder, kept), env.backupKey);
      read = `${kept} is complete and readable`;
    } catch (error) {
      const words = `${detail}; ${kept} cannot be read: ${errorMessage(error)}`;
      return problem(
        name,
        words,
        'Make another one with `deals backup`, and check whether BACKUP_KEY has changed.',
      );
    }
  }
  const isLate = now.getTime() - madeAt.getTime() > backupsLateAfterMs;
  return isLate ? warning(name, `${detail}; ${read}`, fix) : fine(name, `${detail}; ${read}`);
}

/**
 * Returns the newest backup, nightly or from before an upgrade. File names contain the time; future
 * times are ignored.
 */
function newestBackup(names: readonly string[], now: Date): string | undefined {
  const timeOf = (name: string) => /\d{4}-\d\d-\d\dT\d\d-\d\d/.exec(name)?.[0] ?? '';
  const last = timeOf(nightlyName(new Date(now.getTime() + clockSkew)));
  return names
    .filter((name) => name.endsWith('.backup') && timeOf(name) !== '' && timeOf(name) <= last)
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))
    .at(-1);
}

async function examineRunning({ db, now, pending }: Examined): Promise<CheckResult> {
  const name = 'processes';
  const running = await listRunningProcesses(db, now);
  if (running.length === 0) return fine(name, 'no process of this site is running');
  const detail = running.map((one) => `${one.host}:${one.port} runs ${one.version}`).join(', ');
  return pending.length === 0 ? fine(name, detail) : problem(name, detail, stopThem);
}

const stopThem =
  'Stop all of them first: each version needs its own tables. Killed processes disappear after two minutes.';

function describeWayBack(from: string): CheckResult {
  const detail = `restore the backup that \`deals upgrade\` makes, with ${from} installed again`;
  return fine('way back', `${detail}; \`deals start\` does not make one`);
}

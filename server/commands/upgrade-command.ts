import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import type { Pool } from 'pg';
import { lastDoneAt } from '#app/platform/audit/audit-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { openBackupPlace } from '#app/platform/backups/backup-place.server.ts';
import { type Env, readEnv } from '#app/platform/env.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { timeAgo } from '#app/platform/time-words.ts';
import { listTables, writeBackup } from '#database/backups/backup.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { migrate } from '#database/migrate.ts';
import { describeMissing } from '#database/named-pictures.ts';
import { noteVersion } from '#database/site-versions.ts';
import { examineUpgrade, type UpgradeReport } from '#server/examine-upgrade.ts';
import { resultLine } from '#server/commands/doctor-command.ts';
import { print, printAs, withDatabase } from '#server/commands/with-database.ts';
import { hasDatabase, type OpenDatabase } from '#server/open-database.ts';

const freshBackupMs = 15 * 60_000;

interface Options {
  check?: boolean;
  json?: boolean;
}

export const upgradeCommand = new Command('upgrade')
  .description('back up the database and migrate it to this version; --check only shows the steps')
  .option(
    '--check',
    'change nothing: show the steps, their requirements and whether the upgrade can start',
  )
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Replace the program itself first, with whatever installed it. \`deals start\` migrates the database, too.
This command refuses to run beside a process of the site, writes a backup unless one is younger than 15 minutes, and counts the rows of each table before and after.
To go back, stop the site, install the previous version and restore that backup: \`deals restore FILE --replace DATABASE\`.`,
  )
  .action(async (options: Options) => {
    refuseNoDatabase(readEnv());
    await withDatabase(
      async ({ database, env }) => {
        const report = await examineUpgrade(database, env, new Date());
        const isReady = report.results.every(({ state }) => state !== 'problem');
        if (options.check || !isReady) {
          printAs(options, { isReady, ...report }, describeReport(report, isReady));
          if (!isReady) process.exitCode = 1;
          return;
        }
        await upgrade(database, env, report, options);
      },
      { statementTimeout: 0, mayBeOlder: true },
    );
  });

function refuseNoDatabase(env: Env): void {
  if (hasDatabase(env)) return;
  throw new Error(`There is no database in ${env.dataDir} yet: \`deals start\` creates one.`);
}

function describeReport({ from, to, migrations, results }: UpgradeReport, isReady: boolean) {
  const count = countMigrations(migrations.length);
  const isDone = from === to && migrations.length === 0;
  return [
    isDone ? `Nothing to do: the database has version ${to}.` : `From ${from} to ${to}: ${count}`,
    ...migrations.flatMap(({ name, changes }) => [`  ${name}`, `      ${changes}`]),
    ...results.map(resultLine),
    ...(isReady && !isDone ? ['Ready: run `deals upgrade` or `deals start`.'] : []),
    ...(isReady ? [] : ['Not ready: see FAIL above.']),
  ].join('\n');
}

function countMigrations(count: number): string {
  if (count === 0) return 'no migration';
  return count === 1 ? '1 migration' : `${count} migrations`;
}

async function upgrade(
  database: OpenDatabase,
  env: Env,
  { from, to, migrations }: UpgradeReport,
  options: Options,
): Promise<void> {
  const isEmpty = (await listTables(database.pool)).length === 0;
  const isChanged = migrations.length > 0 && !isEmpty;
  const backup = isChanged ? await backUpUnlessFresh(database, env, to, options) : null;
  const before = await countRows(database.pool);
  await migrate(database.db);
  await noteVersion(database.db, to);
  const changed = compareCounts(before, await countRows(database.pool));
  const rows = [...before.values()].reduce((sum, count) => sum + count, 0);
  const counted =
    changed.length === 0
      ? `All ${rows.toLocaleString('en-US')} rows of ${before.size} tables are there.`
      : `The number of rows has changed: ${changed.join(', ')}.`;
  printAs(
    options,
    { from, to, migrations: migrations.map(({ name }) => name), backup, changed },
    [
      `From ${from} to ${to}: ${countMigrations(migrations.length)} ran. ${counted}`,
      ...(isChanged ? [describeWayBack(from, backup ?? 'FILE', database.url)] : []),
    ].join('\n'),
  );
}

function describeWayBack(from: string, backup: string, url: string): string {
  const name = new URL(url).pathname.slice(1);
  return `To go back to ${from}: stop the site, install that version, then \`deals restore ${backup} --replace ${name}\`. Everything written since the backup is lost.`;
}

/** Writes a backup and returns the file, or null if a recent backup exists. */
async function backUpUnlessFresh(
  database: OpenDatabase,
  env: Env,
  to: string,
  options: Options,
): Promise<string | null> {
  const now = new Date();
  const madeAt = await lastDoneAt(database.db, 'site.backup');
  if (madeAt === null || now.getTime() - madeAt.getTime() > freshBackupMs) {
    return backUpFirst(database, env, to, options);
  }
  if (!options.json) print(`A backup was made ${timeAgo(madeAt, now)}.`);
  return null;
}

/** Writes a backup and returns the file, or only its name if it was uploaded. */
async function backUpFirst(
  { db, pool }: OpenDatabase,
  env: Env,
  to: string,
  { json }: Options,
): Promise<string> {
  const now = new Date();
  const place = openBackupPlace(env);
  const folder = place?.folder ?? path.join(env.dataDir, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `before-${to}-${now.toISOString().slice(0, 16).replace(':', '-')}.backup`;
  const file = path.join(folder, name);
  // In an older database, pictures are stored in the folder.
  const media = (await hasTable(pool, 'stored_pictures'))
    ? openMedia({ db, env })
    : openFolderMedia(path.join(env.dataDir, 'media'));
  const { missing } = await writeBackup(pool, {
    file,
    media,
    now,
    site: env.origin,
    key: env.backupKey,
  });
  await place?.keep(name);
  await writeAudit(db, { actor: 'cli', action: 'site.backup', entity: 'site' });
  const kept = env.backups?.toS3 ? name : file;
  if (!json) print(`${kept}: a backup, written and verified.`);
  if (!json && missing.length > 0) print(describeMissing(missing));
  return kept;
}

async function hasTable(pool: Pool, name: string): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>('select to_regclass($1) is not null as is', [
    name,
  ]);
  return rows[0]?.is ?? false;
}

/** Tables to which migrations add rows. */
const notCounted = new Set(['kysely_migration', 'site_counters']);

async function countRows(pool: Pool): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of await listTables(pool)) {
    if (notCounted.has(name)) continue;
    const { rows } = await pool.query<{ count: number }>(`select count(*) as count from ${name}`);
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

function compareCounts(before: Map<string, number>, after: Map<string, number>): string[] {
  return [...before]
    .filter(([table, count]) => after.get(table) !== count)
    .map(([table, count]) => `${table} ${count} before, ${after.get(table) ?? 'gone'} now`);
}

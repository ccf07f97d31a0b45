import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { type BackupPlace, openBackupPlace } from '#app/platform/backups/backup-place.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { type BackupContent, restoreBackup, writeBackup } from '#database/backups/backup.ts';
import { describeMissing } from '#database/named-pictures.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { migrate } from '#database/migrate.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';

export const backupCommand = new Command('backup')
  .description('write everything to one file and verify it; the site can keep running')
  .argument('[file]', 'where to; default: deal-hub-TIME.backup in this folder')
  .option('--json', 'print its contents as JSON')
  .action((file: string | undefined, options: { json?: boolean }) =>
    withDatabase(
      async ({ database, env }) => {
        const now = new Date();
        const target = file ?? `deal-hub-${now.toISOString().replace(/[:.]/g, '-')}.backup`;
        const media = openMedia({ db: database.db, env });
        const content = await writeBackup(database.pool, {
          file: target,
          media,
          now,
          site: env.origin,
          key: env.backupKey,
        });
        await writeAudit(database.db, { actor: 'cli', action: 'site.backup', entity: 'site' });
        const words = `${target}: ${describe(content)}, written and read back.\n${env.backupKey === null ? 'It contains the secrets and addresses of your site: keep it where only you can read it.' : 'Only BACKUP_KEY opens it: keep the two apart.'}`;
        const { missing } = content;
        printAs(options, { file: target, ...summary(content), missing }, words);
        if (missing.length > 0) throw new Error(describeMissing(missing));
      },
      { statementTimeout: 0 },
    ),
  );

export const restoreCommand = new Command('restore')
  .description('restore a backup into an empty database, or replace the current data')
  .argument(
    '<file>',
    'a file that `deals backup` wrote, or the name of a backup that the site made itself',
  )
  .option(
    '--replace <database>',
    'replace the current data; give the name of the database to confirm',
  )
  .option('--json', 'print the restored contents as JSON')
  .action((file: string, options: { replace?: string; json?: boolean }) =>
    withDatabase(
      async ({ database, env }) => {
        const name = new URL(database.url).pathname.slice(1);
        if (options.replace !== undefined && options.replace !== name) {
          throw new Error(`The database is called ${name}, not ${options.replace}.`);
        }
        const media = openMedia({ db: database.db, env });
        const place = existsSync(file) ? null : await placeOf(file, env);
        const replace = options.replace === name;
        const result = await restoreBackup(database.pool, {
          file: (await place?.bring(file)) ?? file,
          media,
          replace,
          key: env.backupKey,
        }).finally(() => place?.leave(file));
        if (!result.ok) throw new Error(refusals[result.reason](name));
        await migrate(database.db);
        const words = `Restored ${describe(result.content)}, as of ${result.content.start.createdAt}.`;
        printAs(options, summary(result.content), words);
      },
      { statementTimeout: 0, mayBeOlder: true },
    ),
  );

/** Returns the location of the site's backup with this name, or null. */
async function placeOf(name: string, env: Env): Promise<BackupPlace | null> {
  const place = openBackupPlace(env);
  const names = (await place?.list())?.map((kept) => kept.name) ?? [];
  return names.includes(name) ? place : null;
}

const refusals = {
  'not-empty': (name: string) =>
    `This database contains data. To replace it with the backup: --replace ${name}`,
  newer: () => 'The backup is from a newer version of Deal Hub. Start that version.',
};

function summary({ start, weights }: BackupContent) {
  const tables = weights.filter(({ name }) => name.startsWith('table '));
  const pictures = weights.filter(({ name }) => name.startsWith('media '));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { createdAt: start.createdAt, tables: tables.length, rows, pictures: pictures.length };
}

function describe(content: BackupContent): string {
  const { tables, rows, pictures } = summary(content);
  return `${rows.toLocaleString('en-US')} rows of ${tables} tables and ${pictures} pictures`;
}

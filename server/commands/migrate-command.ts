import { Command } from 'commander';
import { migrate } from '#database/migrate.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';

export const migrateCommand = new Command('migrate')
  .description('migrate the database (`deals start` does this, too)')
  .option('--json', 'print the result as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(
      async ({ database }) => {
        const migrations = await migrate(database.db);
        const words = migrations.join('\n') || 'Nothing to do: the database is up to date.';
        printAs(options, { migrations }, words);
      },
      { statementTimeout: 0, mayBeOlder: true },
    ),
  );

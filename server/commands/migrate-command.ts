import { Command } from 'commander';
import { migrate } from '#database/migrate.ts';
import { print, printJson, withDatabase } from '#server/commands/with-database.ts';

export const migrateCommand = new Command('migrate')
  .description('bring the database up to date (a start does it too)')
  .option('--json', 'print the result as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(
      async ({ database }) => {
        const migrations = await migrate(database.db);
        if (options.json) return printJson({ migrations });
        print(
          migrations.length === 0
            ? 'Nothing to do: the database is up to date.'
            : migrations.join('\n'),
        );
      },
      { statementTimeout: 0, mayBeOlder: true },
    ),
  );

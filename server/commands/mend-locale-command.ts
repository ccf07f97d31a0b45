import { Command } from 'commander';
import { readEnv } from '#app/platform/env.server.ts';
import { mendLocale } from '#database/embedded-postgres.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

export const mendLocaleCommand = new Command('mend-locale')
  .description('move an older private database into one that knows the letters of every alphabet')
  .action(async () => {
    const { dataDir, databaseUrl } = readEnv();
    if (databaseUrl !== null) {
      throw new Error(
        "DATABASE_URL leads to a server of your own: make a database there with LC_CTYPE 'C.UTF-8' and restore a backup into it (docs/operations.md, “Every alphabet”).",
      );
    }
    await withDatabase(async () => {}); // which brings it up to date
    const old = await mendLocale({ dataDir, log: print });
    print(
      old === null
        ? 'Nothing to mend: search knows the letters of every alphabet.'
        : `The database was moved. The old one is kept in ${old.folder} until ${old.until}; docs/operations.md, “Every alphabet”, says how to go back.`,
    );
  });

import { Command } from 'commander';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { serveDatabase } from '#server/serve-database.ts';

export const databaseCommand = new Command('database')
  .description('run only the private database, for a site that runs as another user')
  .requiredOption('--for <user>', "the site's user; all others are refused")
  .requiredOption('--socket <folder>', 'an existing folder that this user may enter')
  .action(async (options: { for: string; socket: string }) => {
    const { dataDir, databaseUrl, logLevel, shutdownSeconds } = readEnv();
    if (databaseUrl !== null) {
      throw new Error('DATABASE_URL points to your own server: there is nothing to run.');
    }
    await serveDatabase(
      { dataDir, user: options.for, folder: options.socket, shutdownSeconds },
      createLog(logLevel),
    );
  });

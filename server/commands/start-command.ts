import { Command } from 'commander';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { startSite } from '#server/main.ts';

export const startCommand = new Command('start')
  .description('start the site')
  .option('--port <number>', 'port to listen on (PORT)')
  .option('--host <address>', 'address to listen on (HOST)')
  .action(async (options: { port?: string; host?: string }) => {
    const env = readEnv({
      ...process.env,
      ...(options.port === undefined ? {} : { PORT: options.port }),
      ...(options.host === undefined ? {} : { HOST: options.host }),
    });
    await startSite(env, createLog(env.logLevel));
  });

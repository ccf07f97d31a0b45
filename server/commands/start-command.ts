import { Command } from 'commander';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { startSite } from '#server/main.ts';

export const startCommand = new Command('start')
  .description('start the site')
  .option('--port <number>', 'port to listen on (PORT)')
  .option('--host <address>', 'address to listen on (HOST)')
  .action(async (options: { port?: string; host?: string }) => {
    const { port = process.env.PORT, host = process.env.HOST } = options;
    const env = readEnv({ ...process.env, PORT: port, HOST: host });
    await startSite(env, createLog(env.logLevel));
  });

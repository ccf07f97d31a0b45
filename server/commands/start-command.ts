import { Command } from 'commander';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { startSite } from '#server/main.ts';

export const startCommand = new Command('start')
  .description('start the site')
  .option('--port <number>', 'port to listen on (PORT)')
  .option('--host <address>', 'address to listen on (HOST)')
  .option('--role <role>', 'web, worker or all: visitors, jobs or both (ROLE)')
  .action(async (options: { port?: string; host?: string; role?: string }) => {
    const { PORT, HOST, ROLE } = process.env;
    const { port = PORT, host = HOST, role = ROLE } = options;
    const env = readEnv({ ...process.env, PORT: port, HOST: host, ROLE: role });
    await startSite(env, createLog(env.logLevel));
  });

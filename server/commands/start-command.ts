import { Command } from 'commander';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { unknownSettings } from '#app/platform/unknown-settings.server.ts';
import { takeHeldSocket } from '#server/held-socket.ts';
import { startSite } from '#server/main.ts';

export const startCommand = new Command('start')
  .description('start the site')
  .option('--port <number>', 'port to listen on (PORT)')
  .option('--host <address>', 'address to listen on (HOST)')
  .option('--role <role>', 'web (visitors), worker (jobs) or all (ROLE)')
  .action(async (options: { port?: string; host?: string; role?: string }) => {
    const { PORT, HOST, ROLE } = process.env;
    const { port = PORT, host = HOST, role = ROLE } = options;
    const held = takeHeldSocket();
    const ownPort = held ? String(held.port) : port;
    const env = readEnv({ ...process.env, PORT: ownPort, HOST: host, ROLE: role });
    const log = createLog(env.logLevel);
    for (const text of unknownSettings()) log.warn(text);
    if (held && port !== undefined && port !== ownPort) {
      log.warn(
        `PORT is ${port}, but the service manager holds the socket of port ${ownPort}: its .socket unit sets the port of the site`,
      );
    }
    await startSite(env, log, held);
  });

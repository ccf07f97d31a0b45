import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#app/platform/log.server.ts';
import { siteRole, startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { serviceManager } from '#server/service-manager.ts';
import { stopOnSignals } from '#server/stop-on-signals.ts';

/** The database has the same name as the site's role, which owns it. */
const name = siteRole;
/**
 * PostgreSQL's default port, which is part of the socket's name. The unit has its own network,
 * where the port is free.
 */
const port = 5432;
const checkedEveryMs = 1_000;

interface ServeOptions {
  dataDir: string;
  /** A local user, who may connect over the socket without a password. */
  user: string;
  /** The socket's folder. */
  folder: string;
  shutdownSeconds: number;
}

/**
 * Serves only the private database in `dataDir`, until a signal arrives. The site connects as a
 * role that can neither read nor write this user's files.
 */
export async function serveDatabase(options: ServeOptions, log: Log): Promise<void> {
  const { dataDir, user, folder, shutdownSeconds } = options;
  const manager = serviceManager(log);
  const stopping = stopOnSignals(log, shutdownSeconds, 0, manager.stopping);
  const server = await startEmbeddedPostgres({
    dataDir,
    log: (line, urgency) => log[urgency ? 'warn' : 'info'](line),
    port,
    database: name,
    settings: [`unix_socket_directories=${folder}`, ...(await writeDoor(folder, user))],
  });
  stopping.atTheEnd(() => server.stop());
  if (!server.started) {
    throw new Error(`Another process serves the database in ${dataDir}: stop it first.`);
  }
  const { isSound } = server;
  // Uses PostgreSQL's fast shutdown, which does not wait for the site to disconnect.
  stopping.atTheEnd(async () => {
    if (isSound()) process.kill(server.pid, 'SIGINT');
    while (isSound()) await sleep(20);
  });
  const watch = setInterval(() => {
    if (!isSound()) throw new Error('PostgreSQL has stopped. See postgres.log for the reason.');
  }, checkedEveryMs);
  stopping.atTheEnd(async () => clearInterval(watch));
  const address = `postgres://${name}@${encodeURIComponent(folder)}/${name}`;
  log.info({ DATABASE_URL: address, user }, 'the database is running');
  await manager.ready(`serves ${address}`, isSound);
}

/** Writes PostgreSQL's access rules, and returns the settings that refer to their files. */
async function writeDoor(folder: string, user: string): Promise<string[]> {
  const hba = path.join(folder, 'pg_hba.conf');
  const ident = path.join(folder, 'pg_ident.conf');
  await writeFile(
    hba,
    `local all ${name} peer map=site\nhost all postgres,${name} 127.0.0.1/32 scram-sha-256\n`,
    { mode: 0o600 },
  );
  await writeFile(ident, `site "${user.replaceAll('"', '""')}" ${name}\n`, { mode: 0o600 });
  return [`hba_file=${hba}`, `ident_file=${ident}`];
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts';
import { postgresEnvironment } from '#database/embedded/make-cluster.ts';
import { chooseAccount } from '#database/embedded/run-unprivileged.ts';
import { freePort } from '#test/free-port.ts';

export interface StandbyServer {
  url: string;
  /** Stops replaying the log until `replay` is called. */
  pause(): Promise<void>;
  replay(): Promise<void>;
  promote(): Promise<void>;
  /** Stops the server as a power failure would. */
  kill(): Promise<void>;
}

/**
 * A standby that follows `primary`. Its files are in `folder`, which must be on the same disk as
 * the primary's files.
 */
export async function startStandby(
  primary: EmbeddedPostgres,
  folder: string,
): Promise<StandbyServer> {
  const cluster = path.join(folder, 'standby');
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query(`select pg_backup_start('standby', true)`);
  const isRunning = new Set(['postmaster.pid', 'postmaster.opts']);
  await cp(primary.dataDir, cluster, {
    recursive: true,
    filter: (file) => !isRunning.has(path.basename(file)),
  });
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop()',
  );
  await client.end();
  await writeFile(path.join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(path.join(cluster, 'standby.signal'), '');
  const port = await freePort();
  const account = chooseAccount();
  const binaries = findPostgresBinaries();
  if (typeof binaries === 'string') throw new Error(binaries);
  const settings = {
    port,
    max_connections: 400, // at least as many as on the primary
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    primary_conninfo: conninfo(primary.url),
    fsync: 'off',
  };
  const [command, args] = account.wrap(binaries.postgres, [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const { uid, gid } = account.identity;
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, cluster]);
  const server = spawn(command, args, {
    ...account.identity,
    env: postgresEnvironment(),
    stdio: 'ignore',
    detached: true,
  });
  const url = new URL(primary.url);
  url.port = String(port);
  const tell = async (statement: string) => {
    const one = new pg.Client({ connectionString: url.href });
    await one.connect();
    try {
      await one.query(statement);
    } finally {
      await one.end();
    }
  };
  for (let tries = 0; ; tries++) {
    const failed = await tell('select 1').then(
      () => null,
      (error: unknown) => error,
    );
    if (failed === null) break;
    if (tries === 300 || server.exitCode !== null) throw failed;
    await wait(100);
  }
  return {
    url: url.href,
    pause: () => tell('select pg_wal_replay_pause()'),
    replay: () => tell('select pg_wal_replay_resume()'),
    promote: () => tell('select pg_promote()'),
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      process.kill(-(server.pid ?? 0), 'SIGKILL');
      await ended;
      await rm(cluster, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

function conninfo(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${password}`;
}

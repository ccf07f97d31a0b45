// The private PostgreSQL of a site that was given no DATABASE_URL: made on the first start,
// started when nobody runs it, joined when somebody does. docs/decisions/002-embedded-postgres.md
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { claimDataFolder, recordHolder, refuseForeignUse } from './claim-data-folder.ts';
import { findPostgresBinaries } from './embedded-postgres-binaries.ts';
import { newClient, urlOf } from './embedded-postgres-client.ts';
import { ensureCluster } from './embedded-postgres-cluster.ts';
import { type Place, choosePlace, isCluster, leaveNote } from './embedded-postgres-place.ts';
import { isServerOf } from './embedded-postgres-process.ts';
import { type Server, joinServer, startServer } from './embedded-postgres-server.ts';
import { errorCode } from './error-code.ts';
import { holdLock } from './hold-lock.ts';
import { type Account, chooseAccount } from './run-unprivileged.ts';

export { embeddedPostgresUnavailable } from './embedded-postgres-binaries.ts';

export interface EmbeddedPostgres {
  /** postgres://… of the database `postgres`, as superuser, on loopback. Holds the password. */
  url: string;
  pid: number;
  /** False when a running server was joined. */
  started: boolean;
  /** How PostgreSQL is kept from running as root. */
  mode: Account['mode'];
  /** Where the cluster really is. */
  dataDir: string;
  /** End your pools first. Shuts the server down unless another process still uses it; twice is once. */
  stop(): Promise<void>;
}

/**
 * `dataDir` is the site's data folder; the cluster lies in its `postgres`, the log beside that. One that
 * `isThrowaway` forgets everything at a loss of power: for tests and nothing else.
 * Throws with a sentence for the operator when the folder cannot be served.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log?: (line: string) => void;
  isThrowaway?: boolean;
}): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const dataDir = openDataFolder(options.dataDir);
  const lockFile = path.join(dataDir, 'postgres.lock');
  const onWait = () => log('waiting for another process that is starting the database');
  const isThrowaway = options.isThrowaway ?? false;
  return holdLock(lockFile, () => startOrJoin(dataDir, lockFile, log, isThrowaway), onWait);
}

function openDataFolder(folder: string): string {
  try {
    fs.mkdirSync(folder, { recursive: true });
    const dataDir = fs.realpathSync(folder);
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK);
    return dataDir;
  } catch (error) {
    throw new Error(
      `The data folder ${path.resolve(folder)} cannot be used (${errorCode(error)}): this user must be able to write in it.`,
      { cause: error },
    );
  }
}

async function startOrJoin(
  dataDir: string,
  lockFile: string,
  log: (line: string) => void,
  isThrowaway: boolean,
): Promise<EmbeddedPostgres> {
  const place = findPlace(dataDir, log);
  await ensureCluster(place);
  leaveNote(dataDir, place.cluster);
  refuseStandby(place.cluster);
  const logFile = path.join(dataDir, 'postgres.log');
  const server =
    (await joinServer(place, logFile, log)) ??
    (await startHere(dataDir, place, logFile, log, isThrowaway));
  const url = urlOf(place.cluster, server.port);
  const presence = await announcePresence(url);
  const claim = claimDataFolder(dataDir);
  const stop = async () => {
    await leave(place, server, presence);
    claim.release();
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    pid: server.pid,
    started: server.started,
    mode: place.account.mode,
    dataDir: place.cluster,
    stop: () => (stopped ??= holdLock(lockFile, stop)),
  };
}

async function startHere(
  dataDir: string,
  place: Place,
  logFile: string,
  log: (line: string) => void,
  isThrowaway: boolean,
): Promise<Server> {
  refuseForeignUse(dataDir);
  const server = await startServer(place, logFile, log, isThrowaway);
  recordHolder(dataDir);
  return server;
}

function findPlace(dataDir: string, log: (line: string) => void): Place {
  const inside = path.join(dataDir, 'postgres');
  const preferred = isCluster(inside)
    ? Number(fs.readFileSync(path.join(inside, 'PG_VERSION'), 'utf8'))
    : undefined;
  const binaries = findPostgresBinaries(preferred);
  if (typeof binaries === 'string') throw new Error(binaries);
  return choosePlace(dataDir, binaries, chooseAccount(), log);
}

function refuseStandby(cluster: string): void {
  if (!fs.existsSync(path.join(cluster, 'standby.signal'))) return;
  throw new Error(
    `The database in ${cluster} is a standby of another server, so nothing can be written to it. Promote it (pg_ctl promote), or set DATABASE_URL to the primary.`,
  );
}

/**
 * One connection for as long as this process uses the server: by it, and by the pools, another
 * process that stops sees that it may not shut down. It does not keep this process alive.
 */
async function announcePresence(url: string): Promise<Client> {
  const client = newClient(url);
  await client.connect();
  client.unref();
  return client;
}

/** Under the start lock, so that nobody joins a server that is about to be shut down. */
async function leave(place: Place, server: Server, presence: Client): Promise<void> {
  presence.ref(); // else this process may end before the goodbye is through
  await presence.end().catch(() => {});
  if (!isServerOf(place.cluster, server.pid)) return;
  if (await isUsedByOthers(urlOf(place.cluster, server.port))) return;
  if (process.platform === 'win32') {
    spawnSync(place.binaries.pgCtl, ['stop', '-D', place.cluster, '-m', 'fast']);
  } else {
    process.kill(server.pid, 'SIGINT'); // PostgreSQL's fast shutdown
  }
  while (isServerOf(place.cluster, server.pid)) await wait(20);
}

async function isUsedByOthers(url: string): Promise<boolean> {
  const client = newClient(url);
  try {
    await client.connect();
    // Several looks, because a connection that was just ended is counted a moment longer.
    for (let look = 0; look < 10; look++) {
      const { rows } = await client.query(
        `select count(*)::int as others from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (rows[0].others === 0) return false;
      await wait(25);
    }
    return true;
  } catch {
    return true; // too busy to say: then somebody does use it
  } finally {
    await client.end().catch(() => {});
  }
}

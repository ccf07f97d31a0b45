// The private PostgreSQL of a site without DATABASE_URL. The server is created on the first start.
// Later starts start it, or join the running one.
// docs/decisions/002-run-a-private-postgresql-in-the-data-folder.md
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { claimDataFolder, recordHolder, refuseForeignUse } from './claim-data-folder.ts';
import {
  OLDEST_MAJOR,
  findOlderBinaries,
  findPostgresBinaries,
  keepBinaries,
} from './postgres-binaries.ts';
import { newClient, newSuperuser, siteUrl } from './local-client.ts';
import { ensureCluster, refuseForeign, removeHalfMade } from './make-cluster.ts';
import { moveCluster, removeOldClusters } from './move-cluster.ts';
import {
  type Place,
  type Tell,
  type Workplace,
  choosePlace,
  leaveNote,
  listOldClusters,
  locateCluster,
  majorOf,
  withoutOlderBinaries,
} from './cluster-place.ts';
import { isServerOf } from './server-process.ts';
import { prepareSiteRole } from './site-role.ts';
import { type Server, joinServer, startServer, stopServer } from './run-server.ts';
import { listEnded } from '#database/ended-sessions.ts';
import { errorCode } from '#database/error-code.ts';
import { holdLock } from '#database/embedded/hold-lock.ts';
import { type Account, chooseAccount } from './run-unprivileged.ts';

export { inspectData } from './inspect-data.ts';
export { siteRole } from './local-client.ts';
export type { Tell } from './cluster-place.ts';

export interface EmbeddedPostgres {
  /**
   * The URL of the site's database on loopback, as the site's role: `postgres://…`. The URL
   * contains the password.
   */
  url: string;
  pid: number;
  /** Whether this process started the server. `false` if it joined a running one. */
  started: boolean;
  /**
   * The method of running PostgreSQL as a user other than root, since PostgreSQL refuses to run as
   * root.
   */
  mode: Account['mode'];
  /** The real path of the cluster. */
  dataDir: string;
  /** Returns `false` if the server has died. The next start recovers it. */
  isSound: () => boolean;
  /**
   * Shuts the server down unless another process still uses it. Callers must end their pools first.
   * Further calls do nothing.
   */
  stop(): Promise<void>;
}

interface StartOptions {
  /** The site's data folder. The cluster is in its subfolder `postgres`, with the log beside it. */
  dataDir: string;
  log?: Tell;
  /** Whether a power cut may destroy all data, for tests only. */
  isThrowaway?: boolean;
  /**
   * Settings for the server's command line, as `name=value`. A server that is already running
   * ignores them.
   */
  settings?: readonly string[];
  /** The port, by default any free one. */
  port?: number;
  /** The site's own database, created if it is missing. `postgres` by default. */
  database?: string;
  /**
   * Whether data of an older major version may be moved to this release's version. If not, or if
   * the move fails, the original binaries serve the data as long as they are available.
   */
  mayMove?: boolean;
}

/** Starts or joins the server. Throws a message for the operator if the folder cannot be used. */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const dataDir = openDataFolder(options.dataDir);
  const lockFile = path.join(dataDir, 'postgres.lock');
  const onWait = () => log('waiting for another process that is starting the database');
  return holdLock(lockFile, () => startOrJoin({ ...options, dataDir, log }, lockFile), onWait);
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
  options: StartOptions & { log: Tell },
  lockFile: string,
): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const logFile = path.join(dataDir, 'postgres.log');
  const chosen = { ...findPlace(dataDir, log), logFile, log };
  await removeHalfMade(chosen.cluster);
  refuseStandby(chosen.cluster);
  const place = await matchPrograms(chosen, options);
  await ensureCluster(place);
  leaveNote(dataDir, place.cluster);
  const server = (await joinServer(place)) ?? (await startHere(place, options));
  await prepareSiteRole(place.cluster, server.port, options.database);
  const url = siteUrl(place.cluster, server.port, options.database);
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
    isSound: () => isServerOf(place.cluster, server.pid),
    stop: () => (stopped ??= holdLock(lockFile, stop)),
  };
}

/**
 * Returns the place with binaries that can open its data. Data of an older major version is moved
 * if allowed, or served by its own binaries.
 */
async function matchPrograms(
  place: Workplace,
  { dataDir, mayMove }: StartOptions,
): Promise<Workplace> {
  const { log } = place;
  const major = majorOf(place.cluster);
  if (major === null || major >= place.binaries.major) return place;
  refuseForeign(place.cluster);
  const binaries = findOlderBinaries(path.dirname(place.cluster), major, place.account);
  if (binaries === null) throw new Error(withoutOlderBinaries(place, major));
  const old = { ...place, binaries };
  if (mayMove !== true) return servable(old);
  const running = await joinServer(old);
  if (running !== null && (await isUsedByOthers(old.cluster, running.port))) {
    log(
      `the database is still in use with PostgreSQL ${major}; the first start after all its processes have stopped will move it to ${place.binaries.version}`,
      'urgent',
    );
    return servable(old);
  }
  // A process that has died left the server running.
  if (running !== null) await stopServer(old, running.pid);
  refuseForeignUse(dataDir);
  try {
    const { folder, until } = await moveCluster(old, place);
    log(
      `the database was moved to PostgreSQL ${place.binaries.version}. The old one is kept in ${folder} until ${until}; docs/operations.md, “A new PostgreSQL”, explains how to go back`,
    );
    return place;
  } catch (error) {
    // The failure was between the two renames, so the next start completes the move.
    if (majorOf(old.cluster) !== major) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log(
      `the database was not moved to PostgreSQL ${place.binaries.version}: ${reason}. Nothing in it was changed, PostgreSQL ${binaries.version} still serves it, and the next start will try again`,
      'urgent',
    );
    return servable(old);
  }
}

/** Throws for binaries that can read old data, but are too old for the site's queries. */
function servable(place: Workplace): Workplace {
  if (place.binaries.major >= OLDEST_MAJOR) return place;
  throw new Error(
    `The database in ${place.cluster} was made by PostgreSQL ${place.binaries.major}, which is too old for this release. It must be moved first: \`deals start\` moves it, or reports why it cannot.`,
  );
}

async function startHere(
  place: Workplace,
  { dataDir, isThrowaway = false, settings = [], port }: StartOptions,
): Promise<Server> {
  refuseForeignUse(dataDir);
  const server = await startServer(place, { isThrowaway, more: settings, chosenPort: port });
  recordHolder(dataDir);
  if (place.binaries.isPackaged && !isThrowaway) keepForLater(place);
  return server;
}

/**
 * Keeps the binaries for a later release with the next PostgreSQL version, and removes leftovers of
 * past moves when they expire.
 */
function keepForLater({ cluster, binaries, account, log }: Workplace): void {
  try {
    removeOldClusters(cluster, log);
    const needed = listOldClusters(cluster).map((one) => one.major);
    keepBinaries(binaries, path.dirname(cluster), account, needed);
  } catch (error) {
    log(
      `PostgreSQL’s binaries could not be stored beside the database (${errorCode(error) || String(error)}); a release with a newer PostgreSQL will need them`,
      'urgent',
    );
  }
}

function findPlace(dataDir: string, log: Tell): Place {
  const binaries = findPostgresBinaries(majorOf(locateCluster(dataDir)) ?? undefined);
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
 * Opens one connection for as long as this process uses the server. Another process that stops sees
 * this connection, or those of the pools, and leaves the server running. The connection does not
 * keep this process alive.
 */
async function announcePresence(url: string): Promise<Client> {
  const client = newClient(url);
  await client.connect();
  client.unref();
  return client;
}

/**
 * Disconnects from the server under the start lock, so that no process joins a server that is about
 * to shut down.
 */
async function leave(place: Place, server: Server, presence: Client): Promise<void> {
  presence.ref(); // Without the reference, this process could exit before the connection is closed.
  await presence.end().catch(() => {});
  if (!isServerOf(place.cluster, server.pid)) return;
  if (await isUsedByOthers(place.cluster, server.port)) return;
  await stopServer(place, server.pid);
}

async function isUsedByOthers(cluster: string, port: number): Promise<boolean> {
  // Other processes may be connected as any role, so the superuser counts the connections.
  const client = newSuperuser(cluster, port);
  try {
    await client.connect();
    // Checks again, because a connection that was just closed is still counted for a moment.
    for (let look = 0; look < 10; look++) {
      const { rows } = await client.query(
        `select count(*)::int as others from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and pid <> all ($1::int[])`,
        [listEnded()],
      );
      if (rows[0].others === 0) return false;
      await wait(25);
    }
    return true;
  } catch {
    return true; // A server that is too busy to respond counts as in use.
  } finally {
    await client.end().catch(() => {});
  }
}

// The private PostgreSQL of a site that was given no DATABASE_URL: made on the first start,
// started when nobody runs it, joined when somebody does. docs/decisions/002-embedded-postgres.md
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgresBinaries } from './embedded-postgres-binaries.ts';
import {
  ensureCluster,
  ensureOwner,
  lastLines,
  postgresEnvironment,
  readPassword,
  writeSettings,
} from './embedded-postgres-cluster.ts';
import { type Place, choosePlace, isCluster, leaveNote } from './embedded-postgres-place.ts';
import { isAlive, isServerOf, readPidFile } from './embedded-postgres-process.ts';
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
  /** End your pools first. Shuts the server down unless another process still uses it. */
  stop(): Promise<void>;
}

/** The driver has both, its types have not. */
type Client = pg.Client & { ref(): void; unref(): void };

interface Server {
  pid: number;
  port: number;
  started: boolean;
}

const LOG_LIMIT_IN_BYTES = 10 * 2 ** 20;
const SILENCE_LIMIT_IN_MS = 60_000;
/** Reasons to end that pass by themselves: a taken port, a server that is just going down. */
const PASSING =
  /could not bind|could not create any TCP|lock file ".*" already exists|still in use/;

/**
 * `dataDir` is the site's data folder; the cluster lies in its `postgres`, the log beside that.
 * Throws with a sentence for the operator when the folder cannot be served.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log?: (line: string) => void;
}): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  fs.mkdirSync(options.dataDir, { recursive: true });
  const dataDir = fs.realpathSync(options.dataDir);
  const lockFile = path.join(dataDir, 'postgres.lock');
  const onWait = () => log('waiting for another process that is starting the database');
  return holdLock(lockFile, () => startOrJoin(dataDir, lockFile, log), onWait);
}

async function startOrJoin(
  dataDir: string,
  lockFile: string,
  log: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const place = findPlace(dataDir, log);
  await ensureCluster(place);
  leaveNote(dataDir, place.cluster);
  refuseStandby(place.cluster);
  const logFile = path.join(dataDir, 'postgres.log');
  const server = (await join(place, logFile, log)) ?? (await start(place, logFile, log));
  const url = urlOf(place.cluster, server.port);
  const presence = await announcePresence(url);
  return {
    url,
    pid: server.pid,
    started: server.started,
    mode: place.account.mode,
    dataDir: place.cluster,
    stop: () => holdLock(lockFile, () => leave(place, server, presence)),
  };
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

/** The server that runs already, once it answers; null when none does. */
async function join(
  { cluster }: Place,
  logFile: string,
  log: (line: string) => void,
): Promise<Server | null> {
  const found = readPidFile(cluster);
  if (found === null || !isServerOf(cluster, found.pid)) return null;
  const isRunning = () => isServerOf(cluster, found.pid);
  const port = () => readPidFile(cluster)?.port ?? null;
  if (!(await untilAnswers(cluster, port, isRunning, logFile, log))) return null; // it went down
  return { pid: found.pid, port: port() ?? 0, started: false };
}

async function start(place: Place, logFile: string, log: (line: string) => void): Promise<Server> {
  ensureOwner(place);
  writeSettings(place);
  rotate(logFile);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const logged = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0;
    const child = spawnServer(place, port, logFile);
    const isRunning = () => child.exitCode === null && child.signalCode === null && !child.failure;
    if (await untilAnswers(place.cluster, () => port, isRunning, logFile, log)) {
      return { pid: readPidFile(place.cluster)?.pid ?? child.pid ?? 0, port, started: true };
    }
    const said = fs.readFileSync(logFile).subarray(logged).toString();
    if (attempt < 40 && PASSING.test(said)) {
      await wait(250);
      continue;
    }
    throw new Error(
      `PostgreSQL did not start on ${place.cluster}${child.failure ? ` (${child.failure.message})` : ''}. The end of ${logFile}:\n${lastLines(said)}`,
    );
  }
}

function spawnServer(
  place: Place,
  port: number,
  logFile: string,
): ChildProcess & { failure?: Error } {
  const [command, args] = place.account.wrap(place.binaries.postgres, [
    ...['-D', place.cluster, '-p', String(port)],
    ...requiredSettings().flatMap((setting) => ['-c', setting]),
  ]);
  // A file, not a pipe, and a session of its own: the server outlives a crash of this process,
  // and Ctrl+C in its terminal does not reach the database before the site has finished.
  const output = fs.openSync(logFile, 'a', 0o600);
  const child: ChildProcess & { failure?: Error } = spawn(command, args, {
    ...place.account.identity,
    env: { ...postgresEnvironment(), ...ignoringStalePid(place.cluster) },
    cwd: path.parse(place.cluster).root,
    detached: true,
    stdio: ['ignore', output, output],
  });
  fs.closeSync(output);
  child.on('error', (error) => {
    child.failure = error;
  });
  child.unref();
  return child;
}

/** On the command line, where no file and no ALTER SYSTEM can undo them. */
function requiredSettings(): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=', // a socket in /tmp would be one more door
    'fsync=on',
    'full_page_writes=on',
  ];
}

/**
 * After a crash the pid file stays. PostgreSQL removes it, unless another process has the number
 * by now: then it refuses for good. It takes the number of its grandparent for stale, since that
 * is surely no server; so we name it so. Removing the file ourselves would skip PostgreSQL's own
 * check that no process of the old server is left.
 */
function ignoringStalePid(cluster: string): NodeJS.ProcessEnv {
  const found = readPidFile(cluster);
  if (found === null || !isAlive(found.pid) || isServerOf(cluster, found.pid)) return {};
  return { PG_GRANDPARENT_PID: String(found.pid) };
}

/**
 * False when the server ended. Waits as long as it says that it is starting (recovery after a
 * crash takes its time), but not for one that says nothing.
 */
async function untilAnswers(
  cluster: string,
  port: () => number | null,
  isRunning: () => boolean,
  logFile: string,
  log: (line: string) => void,
): Promise<boolean> {
  let lastHeard = Date.now();
  let lastTold = Date.now();
  while (isRunning()) {
    const current = port();
    const answer = current === null ? 'silent' : await ask(urlOf(cluster, current));
    if (answer === 'ready') return true;
    if (answer === 'refused') {
      throw new Error(
        `A PostgreSQL server runs on ${cluster}, but it does not accept the password kept there. It is not ours to use: stop it, or set DATABASE_URL.`,
      );
    }
    if (answer === 'busy') lastHeard = Date.now();
    if (Date.now() - lastHeard > SILENCE_LIMIT_IN_MS) {
      throw new Error(`PostgreSQL runs on ${cluster}, but does not answer. See ${logFile}.`);
    }
    if (Date.now() - lastTold > 10_000) {
      lastTold = Date.now();
      log('the database is starting up or shutting down, still waiting');
    }
    await wait(50);
  }
  return false;
}

type Answer = 'ready' | 'busy' | 'refused' | 'silent';

async function ask(url: string): Promise<Answer> {
  const client = newClient(url);
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as recovering');
    return rows[0].recovering ? 'busy' : 'ready';
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (code === '57P03') return 'busy'; // starting up, shutting down
    if (code === '53300') return 'ready'; // too many connections
    return code.startsWith('28') ? 'refused' : 'silent';
  } finally {
    client.end().catch(() => {});
  }
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

function newClient(url: string): Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
  }) as Client;
  client.on('error', () => {}); // a connection that drops while idle must not end the process
  return client;
}

function urlOf(cluster: string, port: number): string {
  return `postgres://postgres:${readPassword(cluster)}@127.0.0.1:${port}/postgres`;
}

function rotate(logFile: string): void {
  if (!fs.existsSync(logFile) || fs.statSync(logFile).size <= LOG_LIMIT_IN_BYTES) return;
  fs.renameSync(logFile, `${logFile}.1`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

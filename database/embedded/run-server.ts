// Starts the server of a cluster, or joins the running one, and waits until it responds.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { newSuperuser } from './local-client.ts';
import { ensureOwner, lastLines, postgresEnvironment, writeSettings } from './make-cluster.ts';
import type { Place, Workplace } from './cluster-place.ts';
import { isAlive, isServerOf, readPidFile } from './server-process.ts';
import { errorCode } from '#database/error-code.ts';

export interface Server {
  pid: number;
  port: number;
  started: boolean;
}

const LOG_LIMIT_IN_BYTES = 10 * 2 ** 20;
const SILENCE_LIMIT_IN_MS = 60_000;
/** Temporary errors: a port in use, or a server that is shutting down. */
const PASSING =
  /could not bind|could not create any TCP|lock file ".*" already exists|still in use/;

/** Returns the running server, once it responds, or null if there is none. */
export async function joinServer(place: Workplace): Promise<Server | null> {
  const { cluster } = place;
  const found = readPidFile(cluster);
  if (found === null || !isServerOf(cluster, found.pid)) return null;
  const isRunning = () => isServerOf(cluster, found.pid);
  const port = () => readPidFile(cluster)?.port ?? null;
  if (!(await untilAnswers(place, port, isRunning))) return null; // The server stopped.
  return { pid: found.pid, port: port() ?? 0, started: false };
}

/** Starts the server. `more` are settings for its command line, as `name=value`. */
export async function startServer(
  place: Workplace,
  {
    isThrowaway = false,
    more = [],
    chosenPort,
  }: { isThrowaway?: boolean; more?: readonly string[]; chosenPort?: number | undefined } = {},
): Promise<Server> {
  const { cluster, logFile } = place;
  ensureOwner(place);
  writeSettings(place);
  rotate(logFile);
  for (let attempt = 1; ; attempt++) {
    const port = chosenPort ?? (await freePort());
    const logged = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0;
    const settings = [...requiredSettings, ...(isThrowaway ? throwaway : durable), ...more];
    const child = spawnServer(place, port, settings);
    const isRunning = () => child.exitCode === null && child.signalCode === null && !child.failure;
    if (await untilAnswers(place, () => port, isRunning)) {
      return { pid: readPidFile(cluster)?.pid ?? child.pid ?? 0, port, started: true };
    }
    const said = fs.readFileSync(logFile).subarray(logged).toString();
    if (attempt < 40 && PASSING.test(said)) {
      await wait(250);
      continue;
    }
    throw new Error(
      `PostgreSQL did not start on ${cluster}${child.failure ? ` (${child.failure.message})` : ''}. The last lines of ${logFile}:\n${lastLines(said)}`,
    );
  }
}

/**
 * Stops the server with PostgreSQL's fast shutdown. When the promise resolves, all commits are on
 * disk.
 */
export async function stopServer({ cluster, binaries }: Place, pid: number): Promise<void> {
  if (!isServerOf(cluster, pid)) return;
  if (process.platform === 'win32') {
    spawnSync(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast']);
  } else {
    process.kill(pid, 'SIGINT');
  }
  while (isServerOf(cluster, pid)) await wait(20);
}

function spawnServer(
  { cluster, binaries, account, logFile }: Workplace,
  port: number,
  settings: readonly string[],
): ChildProcess & { failure?: Error } {
  const [command, args] = account.wrap(binaries.postgres, [
    '-D',
    cluster,
    '-p',
    String(port),
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  // Writes to a file rather than a pipe, in a new session. The server therefore survives a crash of
  // this process. Ctrl+C in the terminal does not reach the database before the site has finished.
  const output = fs.openSync(logFile, 'a', 0o600);
  // Root may have rotated the old log. PostgreSQL's user must be able to write to the new one.
  const { mode, owner } = account;
  if (mode === 'other-user' && owner !== null) fs.fchownSync(output, owner.uid, owner.gid);
  const child: ChildProcess & { failure?: Error } = spawn(command, args, {
    ...account.identity,
    env: { ...postgresEnvironment(), ...ignoringStalePid(cluster) },
    cwd: path.parse(cluster).root,
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

// Settings on the command line, where no file and no ALTER SYSTEM can override them.
const requiredSettings = [
  'listen_addresses=127.0.0.1',
  // No socket is created in /tmp, since it would be another way to connect.
  'unix_socket_directories=',
];
const durable = ['fsync=on', 'full_page_writes=on'];
/**
 * Settings for many test processes at once, whose databases are disposable. Statistics are
 * collected only when a test requests them.
 */
const throwaway = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'autovacuum=off',
  'max_connections=400',
];

/**
 * Returns an environment in which PostgreSQL ignores a stale pid. After a crash the pid file
 * remains. PostgreSQL removes the file, but refuses to start if another process now has that id.
 * Since PostgreSQL treats its grandparent's id as stale, that id is passed as the grandparent's.
 * Removing the file here would skip PostgreSQL's own check that no process of the old server is
 * left.
 */
function ignoringStalePid(cluster: string): NodeJS.ProcessEnv {
  const found = readPidFile(cluster);
  if (found === null || !isAlive(found.pid) || isServerOf(cluster, found.pid)) return {};
  return { PG_GRANDPARENT_PID: String(found.pid) };
}

/**
 * Waits for the server, and returns false if it exited. A server that reports its progress may take
 * a long time to recover from a crash, but an unresponsive one may not.
 */
async function untilAnswers(
  { cluster, logFile, log }: Workplace,
  port: () => number | null,
  isRunning: () => boolean,
): Promise<boolean> {
  let lastHeard = Date.now();
  let lastTold = Date.now();
  while (isRunning()) {
    const current = port();
    const answer = current === null ? 'silent' : await ask(cluster, current);
    if (answer === 'ready') return true;
    if (answer === 'refused') {
      throw new Error(
        `A PostgreSQL server runs on ${cluster}, but it does not accept the password stored there. It does not belong to this site: stop it, or set DATABASE_URL.`,
      );
    }
    if (answer === 'busy') lastHeard = Date.now();
    if (Date.now() - lastHeard > SILENCE_LIMIT_IN_MS) {
      throw new Error(`PostgreSQL runs on ${cluster}, but does not respond. See ${logFile}.`);
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

async function ask(cluster: string, port: number): Promise<Answer> {
  const client = newSuperuser(cluster, port);
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as recovering');
    return rows[0].recovering ? 'busy' : 'ready';
  } catch (error) {
    const code = errorCode(error);
    if (code === '57P03') return 'busy'; // The server is starting up or shutting down.
    if (code === '53300') return 'ready'; // There are too many connections.
    return code.startsWith('28') ? 'refused' : 'silent';
  } finally {
    client.end().catch(() => {});
  }
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
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

// Creates the cluster (PostgreSQL's term for the files of one server) and its settings.
import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.ts';
import {
  type Place,
  belongsToAnother,
  isCluster,
  listOldClusters,
  majorOf,
  movedName,
} from './cluster-place.ts';
import { abortServer, readPidFile } from './server-process.ts';
import { serverMemoryMb } from '#database/machine-memory.ts';

const PASSWORD_FILE = 'deals-password';
const SETTINGS_FILE = 'deals.conf';

/**
 * Returns an environment for PostgreSQL's binaries that does not depend on the user who started the
 * site.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !/^(PG|LC_)/.test(name));
  return { ...Object.fromEntries(ours), LC_ALL: 'C', TZ: 'UTC' };
}

export function readPassword(cluster: string): string {
  return fs.readFileSync(path.join(cluster, PASSWORD_FILE), 'utf8').trim();
}

/**
 * Creates the cluster in a temporary folder, flushes it to disk and renames it. A crash therefore
 * never leaves half a cluster under the real name. Call it under the start lock.
 */
export async function ensureCluster(place: Place): Promise<void> {
  if (isCluster(place.cluster)) return checkVersion(place);
  if (fs.existsSync(place.cluster) && fs.readdirSync(place.cluster).length > 0) {
    throw new Error(
      `${place.cluster} exists, but it is not a PostgreSQL cluster. Move it away; nothing in it was changed.`,
    );
  }
  const [old] = listOldClusters(place.cluster);
  if (old !== undefined) {
    throw new Error(
      `There is no database in ${place.cluster}, but ${old.folder} holds the one from before the last update. Rename that folder to ${path.basename(place.cluster)}; or, to start with an empty database, move it elsewhere.`,
    );
  }
  const beside = makeBeside(place.cluster);
  try {
    const made = await makeCluster(place, beside, crypto.randomBytes(24).toString('base64url'));
    if (fs.existsSync(place.cluster)) fs.rmdirSync(place.cluster);
    fs.renameSync(made, place.cluster);
    flush(path.dirname(place.cluster));
  } finally {
    fs.rmSync(beside, { recursive: true, force: true });
  }
}

/**
 * Creates a folder on the disk of the cluster for work in progress, which `removeHalfMade` removes
 * after an interruption.
 */
export function makeBeside(cluster: string): string {
  return fs.mkdtempSync(`${cluster}.init-`);
}

/**
 * Writes settings that PostgreSQL reads at each start, before an operator's ALTER SYSTEM settings.
 * Settings that must not be changed are on the server's command line instead.
 */
export function writeSettings(place: Place): void {
  const settings = {
    max_connections: 100,
    shared_buffers: `'${sharedBuffersInMegabytes()}MB'`,
    random_page_cost: 1.1, // The value recommended for solid-state disks.
    jit: 'off', // Queries are short, so JIT compiling costs more than it saves.
    // Off, since the binaries support only pglz, which saves a fifth of the log but took half the
    // time of a large write.
    wal_compression: 'off',
    idle_in_transaction_session_timeout: `'60s'`,
    log_min_duration_statement: `'1s'`,
    log_line_prefix: `'%m [%p] '`,
    timezone: `'UTC'`,
    log_timezone: `'UTC'`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = path.join(place.cluster, SETTINGS_FILE);
  const text = `# Written anew at each start. Use ALTER SYSTEM to override.\n${lines.join('\n')}\n`;
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  fs.writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  giveTo(place, `${file}.new`);
  fs.renameSync(`${file}.new`, file);
}

/** Changes the owner of the files, as root, if the cluster was created under another account. */
export function ensureOwner(place: Place): void {
  const { owner } = place.account;
  const { uid } = fs.statSync(place.cluster);
  if (owner === null || uid === owner.uid) return;
  if (process.getuid?.() !== 0) throw belongsToAnother(place.cluster);
  giveTreeTo(place, place.cluster);
}

/**
 * Removes leftovers of an interrupted start, and of a move that was interrupted before the old
 * cluster was renamed. Under the lock no process works on the leftovers, but a server may still be
 * running in them.
 */
export async function removeHalfMade(cluster: string): Promise<void> {
  const parent = path.dirname(cluster);
  for (const name of fs.readdirSync(parent)) {
    const folder = path.join(parent, name);
    const isBeside = name.startsWith(`${path.basename(cluster)}.init-`);
    if (!isBeside && folder !== movedName(cluster)) continue;
    const half = path.join(folder, 'cluster');
    const server = readPidFile(half);
    // The server may be aborted, since its data is disposable.
    if (server !== null) await abortServer(half, server.pid);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Throws for a cluster that these binaries cannot open. */
function checkVersion({ cluster, binaries }: Place): void {
  const found = majorOf(cluster);
  if (found !== binaries.major) {
    throw new Error(
      `The database in ${cluster} was made by PostgreSQL ${found}, which is newer than this release’s ${binaries.version}. Start the release that moved it there, or go back to the earlier database (docs/operations.md, “A new PostgreSQL”); nothing in it was changed.`,
    );
  }
  refuseForeign(cluster);
}

export function refuseForeign(cluster: string): void {
  if (fs.existsSync(path.join(cluster, PASSWORD_FILE))) return;
  throw new Error(
    `${cluster} holds a PostgreSQL database, but not one that this site created: there is no ${PASSWORD_FILE} in it. Move it away, or serve it yourself and set DATABASE_URL; nothing in it was changed.`,
  );
}

/** Creates a cluster in the folder `beside`, flushed to the disk, and returns its path. */
export async function makeCluster(place: Place, beside: string, password: string): Promise<string> {
  const cluster = path.join(beside, 'cluster');
  const passwordFile = path.join(beside, 'password');
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  fs.mkdirSync(cluster, { mode: 0o700 });
  giveTreeTo(place, beside);
  const options = [
    `--pgdata=${cluster}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    ...localeOptions(place.binaries),
  ];
  // initdb flushes its files to the disk itself.
  await runInitdb(place, [...options, '--lc-ctype=C.UTF-8']).catch((error: unknown) => {
    if (!isUnknownLocale(error)) throw error;
    return runInitdb(place, options); // The site's start then reports the missing search features.
  });
  fs.renameSync(passwordFile, path.join(cluster, PASSWORD_FILE));
  const configuration = path.join(cluster, 'postgresql.conf');
  fs.appendFileSync(configuration, `\ninclude_if_exists = '${SETTINGS_FILE}'\n`);
  for (const file of [PASSWORD_FILE, 'postgresql.conf', '.']) flush(path.join(cluster, file));
  return cluster;
}

/** Copies the settings of an operator's ALTER SYSTEM. */
export function copySettings(place: Place, from: string, to: string): void {
  const name = 'postgresql.auto.conf';
  fs.copyFileSync(path.join(from, name), path.join(to, name));
  giveTo(place, path.join(to, name));
}

/** Flushes every file and folder of a stopped cluster to the disk. */
export async function flushCluster(place: Place): Promise<void> {
  await runInitdb(place, ['--sync-only', `--pgdata=${place.cluster}`]);
}

async function runInitdb(place: Place, options: string[]): Promise<void> {
  const [command, args] = place.account.wrap(place.binaries.initdb, options);
  const child = spawn(command, args, {
    ...place.account.identity,
    env: postgresEnvironment(),
    // PostgreSQL's user may not be able to read this process's folder.
    cwd: path.parse(place.cluster).root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [progress, reason] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (progress += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (reason += text));
  const failure = await new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) =>
      resolve(code === 0 ? null : `it ended with ${code ?? signal}`),
    );
  });
  if (failure === null) return;
  // The reason is followed by many lines of progress.
  const said = lastLines(reason.trim() || progress);
  throw new Error(`The database could not be created in ${place.cluster} (${failure}):\n${said}`);
}

/** Returns whether initdb rejected the locale before writing a file. */
function isUnknownLocale(error: unknown): boolean {
  return error instanceof Error && error.message.includes('invalid locale name');
}

/**
 * Returns locale options that result in the same sort order on every server, because text indexes
 * depend on it. For trigrams, the C library (LC_CTYPE) decides which characters are letters. In the
 * locale C only ASCII letters count.
 */
function localeOptions(binaries: PostgresBinaries): string[] {
  if (binaries.major < 17) return ['--locale=C.UTF-8'];
  return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
}

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-15).join('\n');
}

/**
 * Returns an eighth of the available memory (a sixteenth below 1 GB). The maximum is the size of
 * the indexes of a million deals.
 */
function sharedBuffersInMegabytes(): number {
  const memory = Number(process.env.MEMORY_MB) || serverMemoryMb();
  return Math.round(Math.min(1024, Math.max(32, memory / (memory < 1000 ? 16 : 8))));
}

function giveTreeTo(place: Place, file: string): void {
  giveTo(place, file);
  if (!fs.lstatSync(file).isDirectory()) return;
  for (const name of fs.readdirSync(file)) giveTreeTo(place, path.join(file, name));
}

function giveTo({ account }: Place, file: string): void {
  if (account.owner === null || process.getuid?.() !== 0) return;
  fs.lchownSync(file, account.owner.uid, account.owner.gid);
}

/**
 * Flushes a file or folder. Until a folder is flushed, a power cut may undo a rename in this
 * folder.
 */
export function flush(file: string): void {
  if (process.platform === 'win32') return; // Folders cannot be opened on Windows.
  const handle = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

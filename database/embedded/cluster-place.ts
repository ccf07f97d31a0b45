// The location of the cluster, normally in the site's data folder. Without user namespaces, a root
// process cannot use a data folder that is closed to other users, such as a folder under /root.
// Binaries and cluster are then stored where an unprivileged user can reach them. A note in the
// data folder names that place.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { errorCode } from '#database/error-code.ts';
import { type Account, asUser, canReach, canRun } from './run-unprivileged.ts';

/** Logs a line. An `urgent` line needs attention: the database works, but not as it should. */
export type Tell = (line: string, urgency?: 'urgent') => void;

export interface Place {
  cluster: string;
  binaries: PostgresBinaries;
  account: Account;
}

/**
 * A place where servers are started. `logFile` receives the servers' output, and `log` receives
 * ours.
 */
export interface Workplace extends Place {
  logFile: string;
  log: Tell;
}

const NOTE = 'WHERE-THE-DATABASE-IS.txt';

/**
 * Chooses the place. `dataDir` is an existing folder with its links resolved. Call it under the
 * start lock.
 */
export function choosePlace(
  dataDir: string,
  binaries: PostgresBinaries,
  account: Account,
  log: Tell,
): Place {
  const inside = path.join(dataDir, 'postgres');
  const noted = readNote(dataDir);
  const placeOf = (cluster: string, runner: Account, home?: string): Place => ({
    cluster,
    account: runner,
    binaries: reachableBinaries(binaries, runner, () => home ?? makeHome(dataDir), log),
  });
  if (noted === null) {
    finishSwap(inside);
    const isThere = isCluster(inside);
    const runners = isThere ? [asOwner(inside, account), account] : [account];
    const runner = runners.find((one) => one !== null && canReach(one, dataDir));
    if (runner) return placeOf(inside, runner);
    if (isThere) throw outOfReach(inside, account);
  }
  const home = noted === null ? makeHome(dataDir) : path.dirname(noted);
  const cluster = noted ?? path.join(home, 'cluster');
  log(`the database is kept in ${cluster} (see ${path.join(dataDir, NOTE)})`);
  return placeOf(cluster, account, home);
}

/** Returns the path of the cluster, whether it exists or not. */
export function locateCluster(dataDir: string): string {
  return notedPlaces(dataDir)?.cluster ?? path.join(dataDir, 'postgres');
}

/** Returns the major version that created the cluster, or null if there is none. */
export function majorOf(cluster: string): number | null {
  if (!isCluster(cluster)) return null;
  return Number(fs.readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8'));
}

/** Returns instructions for data that no available binaries can open. */
export function withoutOlderBinaries({ cluster, binaries }: Place, major: number): string {
  return `The database in ${cluster} was made by PostgreSQL ${major}, and this is PostgreSQL ${binaries.version}. To upgrade it, the binaries of version ${major} are needed once more: start the previous release (it stores its binaries beside the database), or install PostgreSQL ${major} (on Debian and Ubuntu: postgresql-${major}), then start this release again. Nothing was changed.`;
}

/** Returns the temporary name of a moved cluster, complete and compared. */
export function movedName(cluster: string): string {
  return `${cluster}.moved`;
}

export interface OldCluster {
  folder: string;
  major: number;
  /** The last day on which the cluster is kept, in UTC, such as 2026-05-31. */
  until: string;
}

/** Lists the clusters that moves left for a downgrade. */
export function listOldClusters(cluster: string): OldCluster[] {
  const [parent, own] = [path.dirname(cluster), path.basename(cluster)];
  return fs.readdirSync(parent).flatMap((name) => {
    const parts = /^(.+)\.(\d+)-until-(\d{4}-\d\d-\d\d)(?:\.\d+)?$/.exec(name);
    if (parts?.[1] !== own) return [];
    return [{ folder: path.join(parent, name), major: Number(parts[2]), until: parts[3] ?? '' }];
  });
}

/**
 * Completes a move that was interrupted after the old cluster was renamed and before the new one
 * was.
 */
function finishSwap(cluster: string): void {
  const moved = movedName(cluster);
  if (!fs.existsSync(cluster) && isCluster(moved)) fs.renameSync(moved, cluster);
}

export function isCluster(folder: string): boolean {
  try {
    fs.statSync(path.join(folder, 'PG_VERSION'));
    return true;
  } catch (error) {
    // An unreadable folder must not be mistaken for an empty one.
    if (errorCode(error) === 'EACCES') throw belongsToAnother(folder);
    return false;
  }
}

export function belongsToAnother(cluster: string): Error {
  return new Error(
    `The database in ${cluster} belongs to user ${fs.statSync(cluster).uid}, and this is user ${process.getuid?.()}. Start the site as the user it belongs to; or, as root, change the owner of the whole folder with chown -R.`,
  );
}

/** Writes the note once the cluster exists, so that a note never points to an empty place. */
export function leaveNote(dataDir: string, cluster: string): void {
  const note = path.join(dataDir, NOTE);
  if (path.dirname(cluster) === dataDir || fs.existsSync(note)) return;
  fs.writeFileSync(
    note,
    [
      `cluster: ${cluster}`,
      `made for: ${dataDir}`,
      '',
      'The database of this site is in the folder named above, not here: the site runs as root,',
      'PostgreSQL does not, and no other user may enter this folder. Back that folder up, and',
      'keep this note: the site needs it to find its database.',
      '',
    ].join('\n'),
  );
}

function notedPlaces(dataDir: string): { cluster?: string; madeFor?: string } | null {
  const note = path.join(dataDir, NOTE);
  if (!fs.existsSync(note)) return null;
  const text = fs.readFileSync(note, 'utf8');
  const told = (what: string) => new RegExp(`^${what}: (.+)$`, 'm').exec(text)?.[1];
  return { cluster: told('cluster'), madeFor: told('made for') };
}

function readNote(dataDir: string): string | null {
  const note = path.join(dataDir, NOTE);
  const noted = notedPlaces(dataDir);
  if (noted === null) return null;
  const { cluster, madeFor } = noted;
  const original = path.join(madeFor ?? dataDir, NOTE);
  if (madeFor !== dataDir && fs.existsSync(original)) {
    throw new Error(
      `${dataDir} is a copy of ${madeFor}, whose database is in ${cluster}; two sites must not share it. Delete ${note} to start with an empty database.`,
    );
  }
  if (cluster !== undefined) finishSwap(cluster);
  if (cluster === undefined || !isCluster(cluster)) {
    throw new Error(
      `${note} says the database is in ${cluster ?? 'no folder'}, but there is none. Put it back; or, to start with an empty database, delete the note.`,
    );
  }
  return cluster;
}

function outOfReach(cluster: string, account: Account): Error {
  return new Error(
    `The database in ${cluster} cannot be opened: PostgreSQL does not run as root, user namespaces are no longer allowed here, and user ${account.owner?.uid} may not enter ${path.dirname(cluster)}. Let other users pass (chmod o+x on the folders above it), or move the site to a folder they may enter.`,
  );
}

/** Returns the account that runs an existing cluster. */
export function ownerOf(cluster: string, account: Account): Account {
  return asOwner(cluster, account) ?? account;
}

/**
 * Returns the cluster's owner. Root, for example with sudo, runs the cluster as this user. Changing
 * the owner instead would prevent that user from starting it again.
 */
function asOwner(cluster: string, account: Account): Account | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = fs.statSync(cluster);
  return uid === 0 || uid === account.owner?.uid ? null : asUser({ uid, gid });
}

function makeHome(dataDir: string): string {
  const parent = process.env['DEALS_EMBEDDED_HOME'] ?? '/var/lib/deal-hub';
  const hash = crypto.createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const home = path.join(path.resolve(parent), hash);
  makeOpenFolder(home);
  return home;
}

/**
 * Creates a folder that others may enter, whatever the umask, but only if it does not exist. The
 * cluster inside is closed to them.
 */
function makeOpenFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  makeOpenFolder(path.dirname(folder));
  fs.mkdirSync(folder);
  fs.chmodSync(folder, 0o755);
}

/** Returns the original binaries if the account can run them, or a copy in its home. */
function reachableBinaries(
  binaries: PostgresBinaries,
  account: Account,
  home: () => string,
  log: Tell,
): PostgresBinaries {
  if (canRun(account, binaries.postgres)) return binaries;
  if (!binaries.isPackaged) throw cannotRun(binaries.postgres, account);
  const copy = path.join(home(), `postgresql-${binaries.version}`);
  if (!fs.existsSync(copy)) {
    log(`copying PostgreSQL to ${copy}, where its user can run it`);
    copyForOthers(binaries.root, copy);
  }
  const moved = (file: string) => path.join(copy, path.relative(binaries.root, file));
  const { postgres, initdb, pgCtl } = binaries;
  const programs = { postgres: moved(postgres), initdb: moved(initdb), pgCtl: moved(pgCtl) };
  if (canRun(account, programs.postgres)) return { ...binaries, root: copy, ...programs };
  throw cannotRun(programs.postgres, account);
}

function cannotRun(program: string, account: Account): Error {
  return new Error(
    `PostgreSQL does not run as root, and user ${account.owner?.uid} cannot run ${program}. Set DEALS_EMBEDDED_HOME to a folder that this user may enter and run programs from, or set DATABASE_URL to a server you run.`,
  );
}

/**
 * Copies the binaries to a temporary folder and renames it, so that an interrupted copy never looks
 * complete.
 */
function copyForOthers(from: string, to: string): void {
  const beside = `${to}.copy`;
  fs.rmSync(beside, { recursive: true, force: true });
  fs.cpSync(from, beside, {
    recursive: true,
    verbatimSymlinks: true, // Relative links remain relative.
    filter: (file) => !file.endsWith('.a'),
  });
  openToOthers(beside);
  fs.renameSync(beside, to);
}

function openToOthers(folder: string): void {
  fs.chmodSync(folder, 0o755);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) openToOthers(file);
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode & 0o111 ? 0o755 : 0o644);
  }
}

// A lock on the data folder. Two containers may share the folder without seeing each other's
// processes. PostgreSQL's pid file then names a process that the other container cannot see.
// PostgreSQL would consider the server dead and start a second one on the same files, which
// corrupts them. File locks work across containers, so every process that uses the server holds a
// shared lock.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openLockFile, tryToLock } from '#database/embedded/hold-lock.ts';

const holderFile = (dataDir: string) => path.join(dataDir, 'postgres.holder');
const openLock = (dataDir: string) => openLockFile(path.join(dataDir, 'postgres.users'));

/**
 * Throws if processes that are invisible here still use a server. Called before a server is
 * started. Our own processes may also hold locks after a crash of their server; those must not
 * prevent the start.
 */
export function refuseForeignUse(dataDir: string): void {
  const holder = holderFile(dataDir);
  if (!fs.existsSync(holder)) return;
  if (fs.readFileSync(holder, 'utf8') === ownSurroundings() || !isClaimed(dataDir)) return;
  throw new Error(
    `The database in ${dataDir} is in use by a site in another container or on another server. Only one of them can serve a data folder: stop the other site, or give both the same DATABASE_URL.`,
  );
}

/** Records this server as the one that uses the folder. Called after the start. */
export function recordHolder(dataDir: string): void {
  fs.writeFileSync(holderFile(dataDir), ownSurroundings(), { mode: 0o600 });
}

/** Holds the shared lock until it is released or this process exits for any reason. */
export function claimDataFolder(dataDir: string): { release(): void } {
  const lock = openLock(dataDir);
  lock.exec('begin');
  lock.prepare('select count(*) from sqlite_master').get(); // Reading acquires the shared lock.
  return { release: () => lock.close() };
}

function isClaimed(dataDir: string): boolean {
  const lock = openLock(dataDir);
  try {
    return !tryToLock(lock);
  } finally {
    lock.close();
  }
}

/** Returns an id shared by all processes that can see each other's process ids. */
function ownSurroundings(): string {
  if (process.platform !== 'linux') return os.hostname();
  const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
}

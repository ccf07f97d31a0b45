// Decides which account runs PostgreSQL's binaries. PostgreSQL refuses to run as root, and initdb
// needs a user with a name. This way `npm start` works as root, in a container, and as an ordinary
// user.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

export interface Account {
  mode: 'direct' | 'user-namespace' | 'other-user';
  /** The owner of the cluster's files as seen outside of the namespace. null on Windows. */
  owner: { uid: number; gid: number } | null;
  /** Prepends the wrapper program to a command, if there is one. */
  wrap(command: string, args: string[]): [command: string, args: string[]];
  /** The identity to pass to `spawn`. */
  identity: { uid?: number; gid?: number };
}

/**
 * Inside the namespace the user is `nobody`, but outside it is unchanged, so no chown and no
 * account are needed.
 */
const NAMESPACE = ['--user', '--map-user=65534', '--map-group=65534', '--'];

export function chooseAccount(): Account {
  if (process.platform === 'win32') return directly(null);
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (own.uid !== 0 && hasName()) return directly(own);
  if (userNamespacesWork()) {
    const wrap: Account['wrap'] = (program, args) => ['unshare', [...NAMESPACE, program, ...args]];
    return { ...directly(own), mode: 'user-namespace', wrap };
  }
  if (own.uid !== 0) {
    throw new Error(
      `PostgreSQL cannot run here: user id ${own.uid} has no entry in /etc/passwd and user namespaces are not allowed. Give the user a name, or set DATABASE_URL to a server you run.`,
    );
  }
  return asUser(unprivilegedUser());
}

/**
 * Returns another user's account for root. That user must be able to reach the binaries and the
 * data.
 */
export function asUser(user: { uid: number; gid: number }): Account {
  return { ...directly(user), mode: 'other-user', identity: user };
}

/**
 * Returns whether this account can enter the folder's parents and write in a folder it owns there.
 */
export function canReach(account: Account, existingFolder: string): boolean {
  if (account.mode !== 'other-user' || account.owner === null) return true;
  const probe = fs.mkdtempSync(`${existingFolder}/.reach-`);
  try {
    fs.chownSync(probe, account.owner.uid, account.owner.gid);
    return succeeds(account, '/bin/sh', ['-c', 'test -w "$0" && test -x "$0"', probe]);
  } finally {
    fs.rmSync(probe, { recursive: true, force: true });
  }
}

export function canRun(account: Account, program: string): boolean {
  return account.mode !== 'other-user' || succeeds(account, program, ['--version']);
}

/** Returns whether only this account or root could have put the file there. */
export function ownsFile({ owner }: Account, file: string): boolean {
  return owner === null || [0, owner.uid].includes(fs.statSync(file).uid);
}

function succeeds(account: Account, program: string, args: string[]): boolean {
  const [command, wrapped] = account.wrap(program, args);
  return spawnSync(command, wrapped, { ...account.identity, cwd: '/' }).status === 0;
}

function directly(owner: Account['owner']): Account {
  return { mode: 'direct', owner, wrap: (command, args) => [command, args], identity: {} };
}

function hasName(): boolean {
  try {
    os.userInfo();
    return true;
  } catch {
    return false; // Containers may run under a user id that has no name.
  }
}

function userNamespacesWork(): boolean {
  // The variable is for operators whose kernel allows namespaces but whose policies do not.
  if (process.platform !== 'linux' || process.env['DEALS_NO_USER_NAMESPACES'] === '1') return false;
  return spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;
}

/**
 * Returns the system's own `postgres` account if there is one, because other daemons may share
 * `nobody`.
 */
function unprivilegedUser(): { uid: number; gid: number } {
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name);
    if (user !== undefined) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new Error(
    'PostgreSQL does not run as root, user namespaces are not allowed here, and /etc/passwd names neither postgres nor nobody. Add such a user, start the site as an ordinary user, or set DATABASE_URL.',
  );
}

// Finds programs in the system's packages that the project uses and npm does not provide.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, say } from './build-pages.mjs';
import { timed } from './spent-time.mjs';

/** Returns the path of a program, if the program is installed. */
export function onPath(program) {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/usr/sbin',
  ];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

/** Installs the first of these choices that is available as a package. */
export function aptInstall(...choices) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0;
  timed('installing', () => {
    if (!apt('update')) return;
    choices.some((names) => apt('install', '-y', '--no-install-recommends', ...names));
  });
}

/** Debian starts installed services unless this file forbids it (invoke-rc.d(8)). */
function installWithoutStarting(names) {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    aptInstall(names);
  } finally {
    if (isOurs) rmSync(policy);
  }
}

/**
 * Exits with an explanation if programs are missing and cannot be installed. `packages` maps each
 * program's name or file to its package.
 */
export function needPrograms(what, packages) {
  const isThere = (program) => (program.startsWith('/') ? existsSync(program) : onPath(program));
  const missing = () => Object.keys(packages).filter((program) => !isThere(program));
  const names = () => [...new Set(missing().map((program) => packages[program]))];
  if (missing().length > 0 && process.getuid?.() === 0 && onPath('apt-get')) {
    say(`installing ${names().join(', ')} (apt-get)`);
    installWithoutStarting(names());
  }
  if (missing().length === 0) return;
  fail(
    `${what} needs ${missing().join(', ')}. Install them (Debian and Ubuntu: sudo apt-get install ${names().join(' ')}).`,
  );
}

// The Debian package of each program.
export const releasePrograms = {
  'dpkg-deb': 'dpkg',
  umoci: 'umoci',
};
export const releaseTestPrograms = {
  curl: 'curl',
  debootstrap: 'debootstrap',
  ip: 'iproute2',
  lintian: 'lintian',
  skopeo: 'skopeo',
  'ssh-keygen': 'openssh-client',
  'systemd-nspawn': 'systemd-container',
};
export const clusterPrograms = {
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  ip: 'iproute2',
  patroni: 'patroni',
  pgbackrest: 'pgbackrest',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
};

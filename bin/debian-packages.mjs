// What the tests need beside the packages of npm: programs of Debian, installed where this runs as root.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, say } from './build-pages.mjs';
import { timed } from './spent-time.mjs';

/** The first of these choices that the machine's packages have. */
export function aptInstall(...choices) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0;
  timed('installing', () => {
    if (!apt('update')) return;
    choices.some((names) => apt('install', '-y', '--no-install-recommends', ...names));
  });
}

export function onPath(program) {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/usr/sbin',
  ];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

/** Debian's package of each program that `test/cluster/` starts. */
const clusterPackages = {
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  ip: 'iproute2',
  patroni: 'patroni',
  pgbackrest: 'pgbackrest',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
};

export function findClusterPrograms() {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    fail('The cluster needs root on Linux: it makes machines of network namespaces.');
  }
  const missing = () =>
    Object.entries(clusterPackages)
      .filter(([program]) => !(program.startsWith('/') ? existsSync(program) : onPath(program)))
      .map(([, name]) => name);
  const names = missing();
  if (names.length > 0 && onPath('apt-get')) {
    say(`installing for the cluster (apt-get): ${names.join(', ')}`);
    installWithoutStarting([...names, 'python3-etcd']);
  }
  const still = missing();
  if (still.length > 0) {
    fail(`The cluster needs more programs. Debian 12: sudo apt-get install ${still.join(' ')}`);
  }
}

/** Debian starts what it installs, unless this file says no (invoke-rc.d(8)). */
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

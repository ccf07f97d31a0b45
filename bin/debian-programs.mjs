// Programs that the project uses and npm does not have: from the machine's packages.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fail, say } from './build-pages.mjs';
import { timed } from './spent-time.mjs';

/** Where a program is, if it is. */
export function onPath(program) {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/usr/sbin',
  ];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

/** Installs the first of these choices that the machine's packages have. */
export function aptInstall(...choices) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0;
  timed('installing', () => {
    if (!apt('update')) return;
    choices.some((names) => apt('install', '-y', '--no-install-recommends', ...names));
  });
}

/** Ends the process with a sentence where programs are missing and cannot be had. `packages` has the package of each. */
export function needPrograms(what, packages) {
  const missing = () => Object.keys(packages).filter((program) => !onPath(program));
  const names = () => [...new Set(missing().map((program) => packages[program]))];
  if (missing().length > 0 && process.getuid?.() === 0 && onPath('apt-get')) {
    say(`installing ${names().join(', ')} (apt-get)`);
    aptInstall(names());
  }
  if (missing().length === 0) return;
  fail(
    `${what} needs ${missing().join(', ')}. Install them (Debian and Ubuntu: sudo apt-get install ${names().join(' ')}).`,
  );
}

// Package by program.
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

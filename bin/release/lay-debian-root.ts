import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * The C libraries of Node and PostgreSQL with their licenses. The locale C.UTF-8 (libc-bin) defines
 * the database's letters, and initdb starts PostgreSQL with a shell.
 */
const packages = [
  'base-files',
  'dash',
  'gcc-12-base',
  'libc-bin',
  'libc6',
  'libgcc-s1',
  'libstdc++6',
];

/** The user id and group id of the site's account in the image. */
export const siteAccount = 1000;

interface DebianPackage {
  name: string;
  version: string;
  /** Debian's name of the processor: amd64 or arm64. */
  arch: string;
}

/**
 * Fills the new folder `root` with the smallest Debian 12 in which the site runs: unpacked packages
 * for this processor, and an account for the site. apt downloads the packages into `debs` and
 * verifies them by Debian's signed lists. Returns these packages.
 */
export function layDebianRoot(
  root: string,
  debs: string,
  arch: string = process.arch,
): DebianPackage[] {
  fs.mkdirSync(root, { recursive: true });
  fs.mkdirSync(debs, { recursive: true });
  if (arch === process.arch) fetchPackages(debs);
  else fetchForeignPackages(debs, arch);
  const files = fs
    .readdirSync(debs)
    .filter((file) => file.endsWith('.deb'))
    .toSorted();
  for (const file of files) run('dpkg-deb', ['--extract', file, root], debs);
  const account = `deal-hub:x:${siteAccount}`;
  write(path.join(root, 'etc/passwd'), [
    'root:x:0:0:root:/root:/bin/sh',
    `${account}:${siteAccount}:Deal Hub:/data:/bin/sh`,
  ]);
  write(path.join(root, 'etc/group'), ['root:x:0:', `${account}:`]);
  return files.map((file) => {
    const format = '--showformat=${Package} ${Version} ${Architecture}';
    const told = run('dpkg-deb', ['--show', format, file], debs);
    const [name = '', version = '', ofPackage = ''] = told.split(' ');
    return { name, version, arch: ofPackage };
  });
}

function fetchPackages(folder: string): void {
  const words = ['download', '-qq', '-o', 'APT::Sandbox::User=root', ...packages];
  try {
    run('apt-get', words, folder);
  } catch {
    // apt does not know the packages, or knows only versions that are no longer available.
    run('apt-get', ['update', '-qq'], folder);
    run('apt-get', words, folder);
  }
}

/** Uses its own package lists, because those of this server may not cover the other processor. */
function fetchForeignPackages(folder: string, arch: string): void {
  const name = arch === 'x64' ? 'amd64' : arch;
  const state = path.join(folder, 'apt');
  for (const part of ['lists/partial', 'cache/archives/partial']) {
    fs.mkdirSync(path.join(state, part), { recursive: true });
  }
  const choices = {
    'APT::Architecture': name,
    'APT::Architectures': name,
    'APT::Sandbox::User': 'root',
    'Dir::State::lists': path.join(state, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': path.join(state, 'cache'),
  };
  const words = Object.entries(choices).flatMap(([choice, value]) => ['-o', `${choice}=${value}`]);
  run('apt-get', ['update', '-qq', ...words], folder);
  run('apt-get', ['download', '-qq', ...words, ...packages], folder);
}

function write(file: string, lines: readonly string[]): void {
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  fs.chmodSync(file, 0o644);
}

function run(program: string, words: readonly string[], cwd: string): string {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return execFileSync(program, words, { cwd, encoding: 'utf8', stdio });
}

// Starts a temporary cluster of the installed PostgreSQL. Tests run on it, because owners may use
// their own server.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fail, ownNode, say } from './build-pages.mjs';
import { aptInstall, onPath } from './debian-programs.mjs';
import { scratchFolder } from './scratch-folder.mjs';

const versions = '/usr/lib/postgresql';
const isRoot = process.getuid?.() === 0;

/**
 * Runs `work(url)` with the superuser's URL of a new cluster, and removes the cluster afterwards.
 * Nothing is synced to disk.
 */
export function withDebianPostgres(work) {
  const bin = findBinaries();
  const folder = mkdtempSync(path.join(scratchFolder(), 'deal-hub-debian-'));
  chmodSync(folder, 0o711);
  if (isRoot) spawnSync('chown', ['postgres', folder]);
  const cluster = path.join(folder, 'cluster');
  const port = freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    autovacuum: 'off',
    max_connections: '200',
  };
  const words = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const options = [
    '-w',
    '-s',
    '-l',
    path.join(folder, 'log'),
    '-o',
    `-p ${port} ${words.join(' ')}`,
  ];
  const initdb = [
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--data-checksums',
  ];
  const stop = () =>
    asPostgres(folder, `${bin}/pg_ctl`, ['stop', '-D', cluster, '-m', 'fast', '-s']);
  try {
    say(`installed PostgreSQL, ${bin}, port ${port}`);
    const isUp =
      asPostgres(folder, `${bin}/initdb`, ['-D', cluster, ...initdb]) &&
      asPostgres(folder, `${bin}/pg_ctl`, ['start', '-D', cluster, ...options]);
    if (!isUp) fail('The installed PostgreSQL did not start; see its message above.');
    return work(`postgres://postgres@127.0.0.1:${port}/postgres`);
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the newest installed version. If permitted, Debian's package is installed first. */
function findBinaries() {
  const newest = () => {
    try {
      const found = readdirSync(versions).filter((name) =>
        existsSync(`${versions}/${name}/bin/pg_ctl`),
      );
      return found.sort((a, b) => Number(a) - Number(b)).at(-1);
    } catch {
      return undefined;
    }
  };
  if (newest() === undefined && isRoot && onPath('apt-get')) aptInstall(['postgresql']);
  const version =
    newest() ??
    fail('The second pass needs PostgreSQL (Debian and Ubuntu: sudo apt-get install postgresql).');
  return `${versions}/${version}/bin`;
}

/**
 * Runs a program as another user, because PostgreSQL refuses to run as root. Returns whether the
 * program succeeded.
 */
function asPostgres(folder, program, args) {
  const command = isRoot
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args]
    : [program, ...args];
  const env = { ...process.env, HOME: folder };
  const [name, ...words] = command;
  return spawnSync(name, words, { cwd: '/', env, stdio: ['ignore', 2, 2] }).status === 0;
}

function freePort() {
  const script = `const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    console.log(server.address().port);
    server.close();
  });`;
  return Number(spawnSync(ownNode, ['-e', script], { encoding: 'utf8' }).stdout);
}

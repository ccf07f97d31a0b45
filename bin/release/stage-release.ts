// Collects the folder that every release file wraps: the site's files, its packages, its Node, and
// nothing else.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findPackagedBinaries } from '#database/embedded-postgres-binaries.ts';

/** The input of every release file. */
export interface Release {
  /** As in package.json. */
  version: string;
  /** The architecture of this server, in Node's words: x64, arm64. */
  arch: string;
  /** The time of the commit, in seconds since 1970: the time of every file inside. */
  epoch: number;
  /** The absolute path of the folder that `stageRelease` created. Read-only. */
  tree: string;
  /** The absolute path of the folder for finished files. */
  out: string;
}

/**
 * Creates files in `out` and returns their names. The same tree gives the same bytes, in any
 * folder.
 */
export type MakeFiles = (release: Release) => string[];

const root = path.resolve(import.meta.dirname, '../..');
/** Documents that the site's own messages name. */
const documents = [
  'README.md',
  'docs/importing-feeds.md',
  'docs/operations.md',
  'docs/security.md',
];
/** None of these are read at run time. Node does not even transpile the sources of packages. */
const unread = /\.(?:[cm]?tsx?|map|a|tsbuildinfo)$/;

/**
 * Collects the release in `tree`, which must not exist yet. The pages must be built and the
 * packages installed. Only files tracked by git and packages of the lock file without development
 * ones are copied.
 */
export function stageRelease(tree: string, epoch: number): void {
  const put = (file: string, to = file) => copy(path.join(root, file), path.join(tree, to));
  for (const file of sourcesThatRun()) put(file);
  for (const file of [...documents, 'package.json', 'bin/site-flags.mjs']) put(file);
  put('bin/release/deals', 'deals');
  for (const folder of ['client', 'server']) put(`build/${folder}`);
  for (const place of packagesThatRun()) copyPackage(place, path.join(tree, place));
  const node = 'node_modules/node';
  put(`${node}/bin/node`, 'node/bin/node');
  put(`${node}/node_modules/node-linux-${process.arch}/LICENSE`, 'node/LICENSE');
  linkLibraries(tree);
  const bill = execFileSync(process.execPath, ['bin/sbom.mjs', tree], { cwd: root });
  fs.writeFileSync(path.join(tree, 'sbom.json'), bill);
  describeThirdParties(tree);
  finish(tree, epoch);
}

/** Pages are in the bundle; beyond it, the server reads TypeScript, mappings of feeds and SQL. */
function sourcesThatRun(): string[] {
  return execFileSync('git', ['ls-files', 'app', 'database', 'server'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(?:ts|json|sql)$/.test(file))
    .filter((file) => !/\.test\.ts$|\/fixtures\//.test(file));
}

/** By their paths, as in node_modules/pg; those for other platforms are not installed here. */
function packagesThatRun(): string[] {
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const packages: Record<string, { dev?: boolean; optional?: boolean }> = JSON.parse(lock).packages;
  return Object.entries(packages).flatMap(([place, { dev, optional }]) => {
    // Node itself is in a folder of its own, without its installer.
    if (place === '' || dev || /^node_modules\/node(?:-bin-setup)?$/.test(place)) return [];
    if (fs.existsSync(path.join(root, place))) return [place];
    if (optional) return [];
    throw new Error(`${place} is missing. Run npm ci.`);
  });
}

function copyPackage(place: string, target: string): void {
  fs.cpSync(path.join(root, place), target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => path.basename(file) !== 'node_modules' && !unread.test(file),
  });
}

function copy(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/**
 * Npm packages contain no links. They are created here, since an installed folder may be read-only.
 * This also proves that PostgreSQL runs.
 */
function linkLibraries(tree: string): void {
  if (findPackagedBinaries(createRequire(path.join(tree, 'package.json'))) === null) {
    throw new Error('The PostgreSQL of the packages does not run on this server.');
  }
}

/** Lists the third-party parts of the release, and the paths of their licences. */
function describeThirdParties(tree: string): void {
  const about = fs.readFileSync(path.join(root, 'bin/release/third-party.md'), 'utf8');
  // Licences of packages whose code is in the browser bundle; Vite writes the file.
  const ofScripts = fs.readFileSync(path.join(tree, 'build/client/third-party.md'), 'utf8');
  fs.writeFileSync(path.join(tree, 'THIRD-PARTY.md'), `${about}\n${ofScripts}`);
}

/** Permissions and times that do not depend on who built it, when and where. */
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

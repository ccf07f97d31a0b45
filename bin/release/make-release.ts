// Creates the files of a release in `dist/`: all of them with `npm run release`, or some with `npm
// run release -- tarball`. For other processors, use `npm run release -- --arch x64,arm64`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '#database/error-code.ts';
import { makeDeb } from './make-deb.ts';
import { makeImage } from './make-image.ts';
import { makeTarball } from './make-tarball.ts';
import { type MakeFiles, type Release, stageRelease } from './stage-release.ts';
import { writeChecksums } from './write-checksums.ts';

const root = path.resolve(import.meta.dirname, '../..');
const out = path.join(root, 'dist');

/** The kinds of files, in the order in which they are created. */
const kinds: Record<string, MakeFiles> = {
  tarball: makeTarball,
  deb: makeDeb,
  image: makeImage,
};

try {
  makeRelease(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
}

function makeRelease(args: string[]): void {
  const { words, architectures } = readArguments(args);
  const key = process.env['RELEASE_KEY'];
  if (key && !fs.existsSync(key))
    throw new Error(`RELEASE_KEY is ${key}, but there is no such file.`);
  const releases = architectures.map(describeRelease);
  for (const folder of [out, path.join(root, 'build/release')]) {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  fs.mkdirSync(out, { recursive: true });
  const files = new Set(releases.flatMap((release) => makeFiles(release, words)));
  for (const file of writeChecksums(out, [...files])) files.add(file);
  for (const file of files) {
    const { size } = fs.statSync(path.join(out, file));
    process.stdout.write(`${(size / 1e6).toFixed(1).padStart(8)} MB  dist/${file}\n`);
  }
}

function readArguments(args: string[]): { words: string[]; architectures: string[] } {
  const { positionals: words, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { arch: { type: 'string', default: process.arch } },
  });
  const unknown = words.filter((word) => !Object.hasOwn(kinds, word));
  if (unknown.length > 0) {
    throw new Error(`Choose from ${Object.keys(kinds).join(', ')}, or name none for all.`);
  }
  const architectures = values.arch.split(',');
  const foreign = architectures.filter((arch) => arch !== 'x64' && arch !== 'arm64');
  if (foreign.length > 0) throw new Error('--arch accepts x64, arm64, or both as x64,arm64.');
  return { words, architectures };
}

/** Returns the names of the created files. */
function makeFiles(release: Release, words: string[]): string[] {
  say(`laying out what runs the site on ${release.arch}`);
  stageRelease(release.tree, release.epoch, release.arch);
  const files: string[] = [];
  for (const [name, make] of Object.entries(kinds)) {
    if (words.length > 0 && !words.includes(name)) continue;
    say(`creating the ${name}`);
    files.push(...make(release));
  }
  const bill = `${path.basename(release.tree)}.sbom.json`;
  fs.copyFileSync(path.join(release.tree, 'sbom.json'), path.join(out, bill));
  return [...files, bill];
}

/** Throws if files differ from the commit, because such a release could not be reproduced. */
function describeRelease(arch: string): Release {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain');
  if (changed !== '') {
    throw new Error(`A release is made from a commit, but these files differ from it:\n${changed}`);
  }
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return {
    version,
    arch,
    epoch: Number(git('log', '-1', '--format=%ct')),
    revision: git('rev-parse', 'HEAD'),
    tree: path.join(root, 'build/release', arch, `deal-hub-${version}-linux-${arch}`),
    out,
  };
}

function say(line: string): void {
  process.stderr.write(`» ${line}\n`);
}

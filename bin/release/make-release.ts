// Creates the files of a release in `dist/`: `npm run release`, or some of them, `npm run release
// -- tarball`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { errorWords } from '#database/error-code.ts';
import { makeDeb } from './make-deb.ts';
import { makeImage } from './make-image.ts';
import { makeTarball } from './make-tarball.ts';
import { type MakeFiles, type Release, stageRelease } from './stage-release.ts';
import { writeChecksums } from './write-checksums.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** In the order in which they are created. */
const kinds: Record<string, MakeFiles> = {
  tarball: makeTarball,
  deb: makeDeb,
  image: makeImage,
};

try {
  makeRelease(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${errorWords(error)}\n`);
  process.exitCode = 1;
}

function makeRelease(words: string[]): void {
  const unknown = words.filter((word) => !Object.hasOwn(kinds, word));
  if (unknown.length > 0) {
    throw new Error(`Choose from ${Object.keys(kinds).join(', ')}, or name none for all.`);
  }
  const key = process.env['RELEASE_KEY'];
  if (key && !fs.existsSync(key))
    throw new Error(`RELEASE_KEY is ${key}, but there is no such file.`);
  const release = describeRelease();
  fs.rmSync(release.out, { recursive: true, force: true });
  fs.rmSync(path.dirname(release.tree), { recursive: true, force: true });
  fs.mkdirSync(release.out, { recursive: true });
  say('collecting the files that the site needs');
  stageRelease(release.tree, release.epoch);
  const files: string[] = [];
  for (const [name, make] of Object.entries(kinds)) {
    if (words.length > 0 && !words.includes(name)) continue;
    say(`creating the ${name}`);
    files.push(...make(release));
  }
  const bill = `${path.basename(release.tree)}.sbom.json`;
  fs.copyFileSync(path.join(release.tree, 'sbom.json'), path.join(release.out, bill));
  files.push(bill, ...writeChecksums(release.out, [...files, bill]));
  for (const file of files) {
    const { size } = fs.statSync(path.join(release.out, file));
    process.stdout.write(`${(size / 1e6).toFixed(1).padStart(8)} MB  dist/${file}\n`);
  }
}

/**
 * A release is a commit: throws if files differ from it, since the release could not be reproduced.
 */
function describeRelease(): Release {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain');
  if (changed !== '') {
    throw new Error(`A release is made from a commit, but these files differ from it:\n${changed}`);
  }
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const name = `deal-hub-${version}-linux-${process.arch}`;
  return {
    version,
    arch: process.arch,
    epoch: Number(git('log', '-1', '--format=%ct')),
    tree: path.join(root, 'build/release', name),
    out: path.join(root, 'dist'),
  };
}

function say(line: string): void {
  process.stderr.write(`» ${line}\n`);
}

// Checks that release files are as described in docs/operations.md ("From a release"): `npm run
// test:release`. Builds them twice from two folders, then starts the site from each in an empty
// root without a network. Exits with code 1 if a promise is broken. Tests the commit, not the
// working tree. Requires root.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { table } from '#bench/measure.ts';
import { layDebianRoot, siteAccount } from '../../bin/release/lay-debian-root.ts';
import { writeChecksums } from '../../bin/release/write-checksums.ts';
import { enterRoot, type RootPlan } from './enter-root.ts';
import { examineBinaries, examinePackage } from './examine-machine.ts';
import { examineCopyright, examineDebianNotices, examineNotices } from './examine-notices.ts';
import { tryPackage } from './try-package.ts';

const mostMegabytes = 120;
const root = path.resolve(import.meta.dirname, '../..');
// The folder is on the same disk as the packages, because they are linked rather than copied.
fs.mkdirSync(path.join(root, 'build'), { recursive: true });
const work = fs.mkdtempSync(path.join(root, 'build/release-test-'));
const inWork = (...parts: string[]) => path.join(work, ...parts);
const broken: string[] = [];
const rows = [['', 'MB', 'first page', 'user']];

if (process.getuid?.() !== 0) {
  console.error(
    'The test of a release needs root, since it starts the site in bare roots (chroot).',
  );
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    removeWork();
    process.exit(130);
  });
}
try {
  say('making the release twice, from two folders');
  const [first = '', second = ''] = ['first', 'further/down/second'].map((name) => inWork(name));
  await Promise.all([makeIn(first), makeIn(second)]);
  const dist = path.join(first, 'dist');
  expect('two builds are equal', sumsOf(dist) === sumsOf(path.join(second, 'dist')));
  examineSignature(dist);
  const files = fs.readdirSync(dist);
  const find = (end: string) => files.find((file) => file.endsWith(end)) ?? '';
  tryTarball(dist, find('.tar.gz'));
  tryImage(dist, find('-oci.tar'));
  await tryDeb(dist, find('.deb'));
  if (process.arch === 'x64') await tryForeign(second, 'arm64');
  console.log(`\n${table(rows)}\n\n${sumsOf(dist)}`);
} finally {
  removeWork();
}
for (const promise of broken) console.log(`BROKEN: ${promise}`);
process.exitCode = broken.length > 0 ? 1 : 0;

/** Copies the commit and these packages, and builds the release from them. */
async function makeIn(folder: string): Promise<void> {
  run('git', 'clone', '--quiet', '--depth=1', `file://${root}`, folder);
  run('cp', '-al', path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await makeRelease(folder);
}

async function makeRelease(folder: string, ...words: string[]): Promise<void> {
  const { RELEASE_KEY: _key, ...env } = process.env;
  const maker = spawn(process.execPath, ['bin/bootstrap.mjs', 'release', ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(maker, 'exit');
  if (code !== 0) throw new Error(`npm run release ended with ${code} in ${folder}`);
}

function sumsOf(dist: string): string {
  return fs.readFileSync(path.join(dist, 'SHA256SUMS'), 'utf8');
}

/**
 * Verifies a signature by a temporary key as docs/operations.md describes, and checks that a
 * changed file is detected.
 */
function examineSignature(dist: string): void {
  const key = inWork('key');
  run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key);
  process.env['RELEASE_KEY'] = key;
  const files = fs.readdirSync(dist).filter((file) => file !== 'SHA256SUMS');
  writeChecksums(dist, files);
  const signers = inWork('signers');
  fs.writeFileSync(signers, `deal-hub ${fs.readFileSync(`${key}.pub`, 'utf8')}`);
  const signature = path.join(dist, 'SHA256SUMS.sig');
  const verify = (sums: string) =>
    succeeds(
      `ssh-keygen -Y verify -f ${signers} -I deal-hub -n file -s ${signature} < ${sums} && cd ${dist} && sha256sum --quiet --check ${sums}`,
    );
  expect('the signature and the checksums hold', verify(path.join(dist, 'SHA256SUMS')));
  const changed = inWork('changed-sums');
  fs.writeFileSync(
    changed,
    sumsOf(dist).replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  );
  expect('changed checksums are refused', !verify(changed));
  fs.rmSync(signature);
}

function tryTarball(dist: string, file: string): void {
  say('the tarball');
  const bare = inWork('bare');
  layDebianRoot(bare, inWork('debs'));
  fs.mkdirSync(path.join(bare, 'srv'), { recursive: true });
  run('tar', '--extract', `--file=${path.join(dist, file)}`, `--directory=${bare}/srv`);
  const data = path.join(bare, 'data');
  fs.mkdirSync(data);
  fs.chownSync(data, siteAccount, siteAccount);
  const name = file.replace('.tar.gz', '');
  examineTree(path.join(bare, 'srv', name));
  examineNotices('tarball', path.join(bare, 'srv', name), expect);
  examineBinaries(path.join(bare, 'srv', name), process.arch, expect);
  const size = fs.statSync(path.join(dist, file)).size / 1e6;
  expect(`the tarball has at most ${mostMegabytes} MB`, size <= mostMegabytes);
  visit('tarball', size, {
    root: bare,
    command: [`/srv/${name}/deals`],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/data',
    account: `${siteAccount}:${siteAccount}`,
  });
}

/**
 * Starts the site as a container would: with the image's own configuration and a read-only root.
 */
function tryImage(dist: string, file: string): void {
  say('the image');
  const archive = path.join(dist, file);
  for (const form of ['oci-archive', 'docker-archive']) {
    expect(`skopeo reads it as ${form}`, succeeds(`skopeo inspect ${form}:${archive} > /dev/null`));
  }
  const layout = inWork('layout');
  fs.mkdirSync(layout);
  run('tar', '--extract', `--file=${archive}`, `--directory=${layout}`);
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const bundle = inWork('bundle');
  run('umoci', '--log=warn', 'unpack', '--image', `${layout}:${version}`, bundle);
  const system = path.join(bundle, 'rootfs');
  examineNotices('image', path.join(system, 'opt/deal-hub'), expect);
  const bill = fs.readFileSync(archive.replace(/\.tar$/, '.sbom.json'), 'utf8');
  examineDebianNotices(system, JSON.parse(bill), expect);
  const { args, env, cwd, user } = JSON.parse(
    fs.readFileSync(path.join(bundle, 'config.json'), 'utf8'),
  ).process;
  visit('image', fs.statSync(archive).size / 1e6, {
    root: path.join(bundle, 'rootfs'),
    command: args.slice(0, -1),
    env: Object.fromEntries(env.map((line: string) => line.split(/=(.*)/).slice(0, 2))),
    cwd,
    account: `${user.uid}:${user.gid}`,
  });
}

async function tryDeb(dist: string, file: string): Promise<void> {
  say('the Debian package');
  examineCopyright(path.join(dist, file), expect);
  const trial = await tryPackage(path.join(dist, file), inWork('package'), expect);
  const size = fs.statSync(path.join(dist, file)).size / 1e6;
  rows.push(['deb', size.toFixed(1), `${trial.toFirstPage.toFixed(1)} s`, 'deal-hub']);
  const longest = trial.longestSeconds.toFixed(1);
  console.log(
    `while the package was upgraded: ${trial.answered} requests, the longest ${longest} s`,
  );
}

/** Files for another processor are only unpacked and read, because they cannot run here. */
async function tryForeign(folder: string, arch: string): Promise<void> {
  say(`the files for ${arch}`);
  await makeRelease(folder, 'tarball', 'deb', '--arch', arch);
  const dist = path.join(folder, 'dist');
  const find = (end: string) => fs.readdirSync(dist).find((file) => file.endsWith(end)) ?? '';
  const archive = path.join(dist, find('.tar.gz'));
  const unpacked = inWork(arch);
  fs.mkdirSync(unpacked);
  run('tar', '--extract', `--file=${archive}`, `--directory=${unpacked}`);
  const tree = path.join(unpacked, path.basename(archive, '.tar.gz'));
  examineNotices(arch, tree, expect);
  examineBinaries(tree, arch, expect);
  examinePackage(path.join(dist, find('.deb')), tree, arch, expect);
  const size = fs.statSync(archive).size / 1e6;
  expect(`the tarball for ${arch} has at most ${mostMegabytes} MB`, size <= mostMegabytes);
  rows.push([`tarball ${arch}`, size.toFixed(1), '', '']);
}

function visit(name: string, size: number, plan: RootPlan): void {
  const seen = enterRoot(plan);
  rows.push([name, size.toFixed(1), `${seen.toFirstPage.toFixed(1)} s`, seen.user]);
  expect(`the ${name} shows the demo shop`, seen.page.includes('</html>'));
  expect(`the ${name} runs unprivileged`, seen.user === Array(4).fill(siteAccount).join(' '));
  expect(`the ${name} ends with 0 at SIGTERM`, seen.code === 0);
  expect(`the ${name} has its commands`, seen.commandOutput.includes('no administrator'));
  expect(`the ${name} warns of nothing: ${seen.told}`, !/"level":"(?:warn|error)"/.test(seen.told));
}

/**
 * Checks that the release contains only packages that the site needs, and no paths from the build
 * machine.
 */
function examineTree(tree: string): void {
  const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const unwanted = Object.keys(devDependencies).filter((name) =>
    fs.existsSync(path.join(tree, 'node_modules', name)),
  );
  expect(`no package for development is inside: ${unwanted.join(', ')}`, unwanted.length === 0);
  const place = path.basename(work);
  const named = fs
    .readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(place));
  expect(`no file names the build's location: ${named.join(', ')}`, named.length === 0);
}

function expect(promise: string, holds: boolean): void {
  if (!holds) broken.push(promise);
}

function succeeds(line: string): boolean {
  try {
    execFileSync('sh', ['-c', line], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function run(program: string, ...words: string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function removeWork(): void {
  fs.rmSync(work, { recursive: true, force: true });
}

function say(line: string): void {
  process.stderr.write(`» ${line}\n`);
}

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { MakeFiles, Release } from './stage-release.ts';

/** Node's names for architectures, and Debian's names for them. */
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
const sources = path.join(import.meta.dirname, 'debian');
/** Debian's convention for naming the builder of a package (debchange(1)). */
const maintainer = `${process.env['DEBFULLNAME'] ?? 'Deal Hub'} <${process.env['DEBEMAIL'] ?? 'deal-hub@example.org'}>`;

/** Creates a package for Debian 12 and newer, with the unchanged release and files for systemd. */
export const makeDeb: MakeFiles = (release) => {
  const architecture = architectures[release.arch];
  if (!architecture)
    throw new Error(`The Debian name for the architecture ${release.arch} is unknown.`);
  const version = debianVersion(release.version);
  const root = path.join(path.dirname(release.tree), 'deb');
  process.umask(0o022);
  layPackage(root, release, version);
  describePackage(root, version, architecture);
  const name = `deal-hub_${version}_${architecture}.deb`;
  const words = ['--build', '--root-owner-group', '-Zgzip'];
  execFileSync('dpkg-deb', [...words, root, path.join(release.out, name)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(release.epoch) },
  });
  return [name];
};

/**
 * A hyphen would begin Debian's part of a version. A tilde sorts before the release, as npm's
 * hyphen does.
 */
function debianVersion(version: string): string {
  return version.replace('-', '~').replaceAll('-', '.');
}

function layPackage(root: string, { tree, epoch }: Release, version: string): void {
  const folder = (name: string) => fs.mkdirSync(path.join(root, name), { recursive: true });
  const put = (file: string, to: string, mode: number) => {
    folder(path.dirname(to));
    fs.copyFileSync(path.join(sources, file), path.join(root, to));
    fs.chmodSync(path.join(root, to), mode);
  };
  folder('usr/lib');
  // The files are hard-linked, because a copy would need another 330 MB.
  execFileSync('cp', ['--archive', '--link', tree, path.join(root, 'usr/lib/deal-hub')]);
  put('deals', 'usr/bin/deals', 0o755);
  put('env', 'etc/deal-hub/env', 0o644); // postinst restricts access once the user exists
  put('lintian-overrides', 'usr/share/lintian/overrides/deal-hub', 0o644);
  for (const unit of ['deal-hub.service', 'deal-hub.socket', 'deal-hub-database.service']) {
    put(unit, `lib/systemd/system/${unit}`, 0o644);
  }
  folder('var/lib/deal-hub');
  fs.symlinkSync('/etc/deal-hub/env', path.join(root, 'var/lib/deal-hub/.env'));
  for (const script of ['postinst', 'prerm', 'postrm']) put(script, `DEBIAN/${script}`, 0o755);
  writeDocuments(root, tree, epoch, version);
}

/** Documents that Debian's policy (chapter 12) requires in every package. */
function writeDocuments(root: string, tree: string, epoch: number, version: string): void {
  const documents = path.join(root, 'usr/share/doc/deal-hub');
  const manual = path.join(root, 'usr/share/man/man1');
  for (const folder of [documents, manual]) fs.mkdirSync(folder, { recursive: true });
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  const changes = `deal-hub (${version}) stable; urgency=medium\n\n  * Version ${version}.\n\n -- ${maintainer}  ${date}\n`;
  write(path.join(documents, 'changelog.gz'), zip(changes));
  write(path.join(manual, 'deals.1.gz'), zip(fs.readFileSync(path.join(sources, 'deals.1'))));
  const read = (file: string) => fs.readFileSync(path.join(tree, file), 'utf8');
  const common = 'Debian has the LGPL and the GPL in /usr/share/common-licenses.';
  const texts = [read('LICENSE'), common, read('THIRD-PARTY.md')];
  write(path.join(documents, 'copyright'), texts.join('\n\n'));
  for (const name of ['README.md', 'docs/operations.md', 'docs/settings.md']) {
    const link = path.join(documents, path.basename(name));
    fs.symlinkSync(`../../../lib/deal-hub/${name}`, link);
  }
}

function describePackage(root: string, version: string, architecture: string): void {
  const description = [
    'deal site where every claim on the page shows its evidence',
    ' A self-hosted site for deals and their price histories, with alerts,',
    ' feed imports and an admin area. It brings its own Node.js and its own',
    ' PostgreSQL, and runs as a user of its own.',
  ];
  const fields: Record<string, string> = {
    Package: 'deal-hub',
    Version: version,
    Architecture: architecture,
    Maintainer: maintainer,
    'Installed-Size': String(kilobytesIn(root)),
    Depends:
      'adduser, init-system-helpers (>= 1.54), libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 6)',
    Section: 'web',
    Priority: 'optional',
    Description: description.join('\n'),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  write(path.join(root, 'DEBIAN/control'), lines.join(''));
  write(path.join(root, 'DEBIAN/conffiles'), '/etc/deal-hub/env\n');
}

/**
 * Adds up the sizes of files rather than disk blocks, so that the result is the same on every disk.
 */
function kilobytesIn(folder: string): number {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => {
    return sum + Math.ceil(fs.statSync(path.join(parentPath, name)).size / 1024);
  }, entries.length - files.length);
}

function zip(text: string | Buffer): Buffer {
  return gzipSync(text, { level: 9 });
}

function write(file: string, content: string | Buffer): void {
  fs.writeFileSync(file, content);
  fs.chmodSync(file, 0o644);
}

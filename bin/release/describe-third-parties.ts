// Writes the third-party notices of a release: every package in its folder, with its license text.
import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

/**
 * The libraries in PostgreSQL's package, by the beginning of their file names. `license` names a
 * file in `licenses/`.
 */
export const postgresLibraries = [
  { library: 'PostgreSQL', license: 'postgresql', files: ['libecpg', 'libpgtypes', 'libpq'] },
  { library: 'OpenSSL 1.1', license: 'openssl', files: ['libcrypto', 'libssl'] },
  { library: 'libxml2', license: 'libxml2', files: ['libxml2'] },
  { library: 'libxslt', license: 'libxslt', files: ['libxslt'] },
  { library: 'OSSP uuid', license: 'ossp-uuid', files: ['libossp-uuid'] },
  { library: 'zlib', license: 'zlib', files: ['libz'] },
  { library: 'ICU', said: 'The notices of ICU are in `node/LICENSE`.', files: ['libicu'] },
  { library: 'liblzma', said: 'liblzma is in the public domain.', files: ['liblzma'] },
];

/** Returns the notices as Markdown. `tree` is the finished folder of a release with its `sbom.json`. */
export function describeThirdParties(tree: string): string {
  const packages = placesOfPackages(tree).map((place) => describePackage(tree, place));
  const ofScripts = fs.readFileSync(path.join(tree, 'build/client/third-party.md'), 'utf8');
  return [
    readHere('third-party.md'),
    '\n# PostgreSQL and its libraries\n',
    ...postgresLibraries.map(describeLibrary),
    '\n# npm packages\n',
    ...packages,
    '\n# LGPL and GPL\n',
    fenced(readHere('licenses/LGPL-3.0.txt')),
    fenced(readHere('licenses/GPL-3.0.txt')),
    '\n# Packages inside the scripts of browsers\n',
    ofScripts.replace(/^# Licenses\s+/, ''),
  ].join('\n');
}

/** Returns the folders of all npm packages, sorted, as in `node_modules/pg`. */
function placesOfPackages(tree: string, at = 'node_modules'): string[] {
  const names = fs.readdirSync(path.join(tree, at)).flatMap((name) => {
    if (!name.startsWith('@')) return [name];
    return fs.readdirSync(path.join(tree, at, name)).map((inner) => `${name}/${inner}`);
  });
  return names.toSorted().flatMap((name) => {
    const place = `${at}/${name}`;
    if (!fs.existsSync(path.join(tree, place, 'package.json'))) return [];
    const nested = `${place}/node_modules`;
    const within = fs.existsSync(path.join(tree, nested)) ? placesOfPackages(tree, nested) : [];
    return [place, ...within];
  });
}

function describePackage(tree: string, place: string): string {
  const folder = path.join(tree, place);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license = manifest.licenses?.[0]?.type } = manifest;
  const texts = licenseTexts(folder, name);
  if (texts.length === 0) {
    throw new Error(`${place} has no license text. Put one into bin/release/licenses.`);
  }
  return [`## ${name} ${version} (${license})\n`, ...texts.map(fenced)].join('\n');
}

/**
 * Returns the package's license files, or else the end of its README or a license text from
 * elsewhere.
 */
function licenseTexts(folder: string, name: string): string[] {
  const files = fs.readdirSync(folder);
  const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8');
  const own = files.filter((file) => /^(?:licen[cs]e|copying|notice|copyright)/i.test(file));
  if (own.length > 0) return own.toSorted().map(read);
  const readme = files.find((file) => /^readme/i.test(file));
  const chapter = readme && /^##+ *licen[cs](?:e|ing)\b.*$/im.exec(read(readme));
  const text = chapter ? chapter.input.slice(chapter.index + chapter[0].length) : '';
  if (/copyright|terms of/i.test(text)) return [text];
  const found = path.join(here, 'licenses', `${name.replace('/', '+')}.txt`);
  return fs.existsSync(found) ? [fs.readFileSync(found, 'utf8')] : [];
}

function describeLibrary(one: (typeof postgresLibraries)[number]): string {
  const text = 'license' in one ? fenced(readHere(`licenses/${one.license}.txt`)) : `${one.said}\n`;
  return `## ${one.library}\n\n${text}`;
}

/** The fence around license texts, none of which contains it. */
function fenced(text: string): string {
  return `~~~~text\n${text.replaceAll('\r', '').trim()}\n~~~~\n`;
}

function readHere(file: string): string {
  return fs.readFileSync(path.join(here, file), 'utf8');
}

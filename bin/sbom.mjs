// Prints the packages that the site runs with as a CycloneDX 1.5 bill of materials, from the lock
// file alone. The command `npm sbom` omits required packages (11.19.1:
// @remix-run/node-fetch-server), and fails with those for development. With a folder, only packages
// inside it are listed: a release contains the packages of one platform.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const readJson = (name) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8'));

/** Packages whose license is in their LICENSE file, but not where npm reads it. */
const unread = { ssh2: 'MIT', buildcheck: 'MIT', 'cpu-features': 'MIT' };

const { name, version } = readJson('package.json');
const { packages } = readJson('package-lock.json');

const [folder] = process.argv.slice(2);
const components = Object.entries(packages)
  .filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
  .filter(([place]) => !folder || isIn(folder, place))
  .map(([place, entry]) => ({ ...entry, name: place.replace(/^.*node_modules\//, '') }))
  .map(describe);
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', name, version } },
  components: [...new Map(components.map((one) => [one['bom-ref'], one])).values()],
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

/** Node is in a folder of its own there, without its installer. */
function isIn(release, place) {
  return existsSync(path.join(release, place === 'node_modules/node' ? 'node' : place));
}

function describe({ name: full, version: exact, integrity, license: named, optional }) {
  const license = named ?? unread[full];
  const purl = `pkg:npm/${full.replace('@', '%40')}@${exact}`;
  const digest = /^sha512-(.+)$/.exec(integrity)[1];
  return {
    type: 'library',
    'bom-ref': purl,
    name: full,
    version: exact,
    // An optional package is, for example, the database's binaries for another platform.
    scope: optional ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    ...(license && { licenses: [{ license: { name: license } }] }),
    purl,
  };
}

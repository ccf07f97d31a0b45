// Prints the packages that run the site as a CycloneDX 1.5 bill of materials, from the lock file
// alone. `npm sbom` 11.19.1 omits required packages (@remix-run/node-fetch-server) and fails with
// development packages. With a folder, lists only packages inside it, because a release contains
// the packages of one platform.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const readJson = (name) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8'));

/** Packages that state their license in a LICENSE file only, where npm does not read it. */
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

/** A release contains Node in a separate folder, without the package that downloads it. */
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
    // An optional package, for example the database's binaries for another platform.
    scope: optional ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    ...(license && { licenses: [{ license: { name: license } }] }),
    purl,
  };
}

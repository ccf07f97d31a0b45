import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  /** The platforms on which the package is installed, or all if there is no list. */
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

interface Platform {
  os: string;
  cpu: string;
  libc?: string;
}

/** The platforms with an embedded PostgreSQL. */
const platforms: Platform[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
];

function isInstalledOn({ os, cpu, libc = '' }: Platform, entry: LockedPackage): boolean {
  const allows = (list: string[] | undefined, one: string) => !list || list.includes(one);
  return allows(entry.os, os) && allows(entry.cpu, cpu) && allows(entry.libc, libc);
}

interface Sbom {
  bomFormat: string;
  components: { name: string; purl: string; hashes: { content: string }[]; licenses?: object[] }[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = async (file: string) => JSON.parse(await readFile(root + file, 'utf8'));
let manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> & {
  allowScripts: Record<string, boolean>;
};
let locked: [string, LockedPackage][];

beforeAll(async () => {
  manifest = await readJson('package.json');
  const { packages } = await readJson('package-lock.json');
  locked = Object.entries<LockedPackage>(packages).filter(([place]) => place !== '');
});

// Proves R43: packages (package-lock.json)
describe('R43: packages', () => {
  test('R43: pins packages to an exact version', () => {
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
    const loose = Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+/.test(version));
    expect(loose).toEqual([]);
  });

  test('R43: locks packages by a strong digest of their content, and only from npm’s registry', () => {
    const unsafe = locked.filter(
      ([, entry]) =>
        !entry.integrity?.startsWith('sha512-') || /^(?:git|file|http):/.test(entry.resolved ?? ''),
    );
    expect(unsafe.map(([place]) => place)).toEqual([]);
  });

  // The lock file names packages for all platforms: `sharp` alone has 27, of which a server
  // installs five at most. The limit is per platform, because a total limit would forbid small
  // libraries due to files that are never installed.
  test.each(platforms)(
    'R43: installs at most 250 packages where the site runs, on $os $cpu $libc',
    (platform) => {
      const installed = locked.filter(([, entry]) => !entry.dev && isInstalledOn(platform, entry));
      const sharp = installed.filter(([place]) =>
        /@img\/sharp-(?!libvips-|wasm)[\w-]+$/.test(place),
      );
      expect(sharp).toHaveLength(1); // Ignores packages for other platforms.
      expect(installed.length).toBeLessThanOrEqual(250);
    },
  );

  test('R43: runs install scripts only of packages on the list', () => {
    const scripted = locked
      .filter(([, entry]) => entry.hasInstallScript && !entry.dev && !entry.optional)
      .map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(scripted.filter((name) => !manifest.allowScripts[name])).toEqual([]);
  });

  test('R43: includes no React server components, whose protocol deserializes requests into objects', () => {
    const names = locked.map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => /^react-server-dom-|^@vitejs\/plugin-rsc$/.test(name))).toEqual(
      [],
    );
  });

  test('lists exactly the packages that the site uses at run time in `npm run sbom`, with digest and license', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/sbom.mjs'], { cwd: root });
    const { bomFormat, components } = JSON.parse(stdout) as Sbom;
    expect(bomFormat).toBe('CycloneDX');
    const listed = new Set(components.map(({ purl }) => purl));
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      expect(listed).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    }
    const names = new Set(components.map(({ name }) => name));
    const idle = Object.keys(manifest.devDependencies).filter((name) => names.has(name));
    expect(idle.filter((name) => locked.some(([at, { dev }]) => at.endsWith(name) && dev))).toEqual(
      [],
    );
    const unclear = components.filter(
      ({ hashes, licenses }) => !/^[\da-f]{128}$/.test(hashes[0]?.content ?? '') || !licenses,
    );
    expect(unclear.map(({ name }) => name)).toEqual([]);
  });
});

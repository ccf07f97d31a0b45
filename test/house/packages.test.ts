import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
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

describe('R43: packages', () => {
  test('are named by their exact version', () => {
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
    const loose = Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+/.test(version));
    expect(loose).toEqual([]);
  });

  test('are locked with a strong digest of what they hold, and come from no other place', () => {
    const unsafe = locked.filter(
      ([, entry]) =>
        !entry.integrity?.startsWith('sha512-') || /^(?:git|file|http):/.test(entry.resolved ?? ''),
    );
    expect(unsafe.map(([place]) => place)).toEqual([]);
  });

  test('are at most 250 where the site runs', () => {
    const production = locked.filter(([, entry]) => !entry.dev);
    expect(production.length).toBeGreaterThan(10);
    expect(production.length).toBeLessThanOrEqual(250);
  });

  test('run a script at installation only if they are on the list', () => {
    const scripted = locked
      .filter(([, entry]) => entry.hasInstallScript && !entry.dev && !entry.optional)
      .map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(scripted.filter((name) => !manifest.allowScripts[name])).toEqual([]);
  });

  test('hold no React server components, whose protocol turns requests into objects', () => {
    const names = locked.map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => /^react-server-dom-|^@vitejs\/plugin-rsc$/.test(name))).toEqual(
      [],
    );
  });
});

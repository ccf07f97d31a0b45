import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PostgresBinaries, findPostgresBinaries } from './postgres-binaries.ts';
import { type Place, choosePlace, leaveNote } from './cluster-place.ts';
import { canRun, chooseAccount } from './run-unprivileged.ts';

const isRoot = process.getuid?.() === 0;
const nothing = () => {};
let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-place-')));
  fs.chmodSync(folder, 0o755);
});

afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('choosePlace', () => {
  it('keeps the database in the data folder', () => {
    const place = choose(folder);
    expect(place.cluster).toBe(path.join(folder, 'postgres'));
    expect(place.binaries).toEqual(packaged());
  });

  it('rejects a copied data folder whose note names the database of the original', () => {
    const original = newFolder('original');
    const copy = newFolder('copy');
    const cluster = newFolder('cluster');
    fs.writeFileSync(path.join(cluster, 'PG_VERSION'), '18\n');
    leaveNote(original, cluster);
    fs.cpSync(original, copy, { recursive: true });
    expect(choose(original).cluster).toBe(cluster);
    expect(() => choose(copy)).toThrow(/is a copy of .*two sites must not share it/);
    fs.rmSync(original, { recursive: true });
    expect(choose(copy).cluster).toBe(cluster); // The folder was moved instead of copied.
  });
});

describe.skipIf(!isRoot)('root without user namespaces (needs root to try)', () => {
  it('copies PostgreSQL’s binaries to a folder in which an unprivileged user can run them', () => {
    vi.stubEnv('DEALS_NO_USER_NAMESPACES', '1');
    const home = path.join(folder, 'home');
    vi.stubEnv('DEALS_EMBEDDED_HOME', home);
    const site = newFolder('site');
    const binaries = copiedInto(path.join(site, 'native'));
    fs.chmodSync(site, 0o700);
    const account = chooseAccount();
    expect(canRun(account, binaries.postgres)).toBe(false);

    const place = choosePlace(site, binaries, account, nothing);
    expect(path.dirname(path.dirname(place.cluster))).toBe(home);
    expect(path.dirname(place.binaries.root)).toBe(path.dirname(place.cluster));
    expect(canRun(account, place.binaries.postgres)).toBe(true);
    // The unprivileged user must not be able to change the binaries.
    expect(fs.statSync(place.binaries.postgres).uid).toBe(0);

    fs.rmSync(path.join(site, 'native', 'share'), { recursive: true });
    expect(choosePlace(site, binaries, account, nothing)).toMatchObject({
      cluster: place.cluster,
      binaries: place.binaries,
    });
  });
});

function choose(dataDir: string): Place {
  return choosePlace(dataDir, packaged(), chooseAccount(), nothing);
}

function newFolder(name: string): string {
  const made = path.join(folder, name);
  fs.mkdirSync(made);
  return made;
}

function packaged(): PostgresBinaries {
  const found = findPostgresBinaries();
  if (typeof found === 'string') throw new Error(found);
  return found;
}

function copiedInto(root: string): PostgresBinaries {
  const binaries = packaged();
  fs.cpSync(binaries.root, root, { recursive: true, verbatimSymlinks: true });
  const moved = (file: string) => path.join(root, path.relative(binaries.root, file));
  return { ...binaries, root, postgres: moved(binaries.postgres), initdb: moved(binaries.initdb) };
}

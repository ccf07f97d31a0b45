import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { findPostgresBinaries, keepBinaries } from '#database/embedded/postgres-binaries.ts';
import { chooseAccount } from '#database/embedded/run-unprivileged.ts';
import { olderPostgres } from '#test/older-postgres.ts';
import { examineDataVersion } from './examine-data-version.ts';

const older = olderPostgres();
let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deal-hub-version-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

const examine = (more: Record<string, string> = {}) =>
  examineDataVersion(readEnv({ DATA_DIR: folder, ...more }));

/** Writes the files that the check reads, for a cluster with a 200 MB table. */
function haveDataOf(major: number): void {
  const base = path.join(folder, 'postgres/base/5');
  fs.mkdirSync(base, { recursive: true });
  fs.writeFileSync(path.join(folder, 'postgres/PG_VERSION'), `${major}\n`);
  fs.writeFileSync(path.join(base, '16384'), '');
  fs.truncateSync(path.join(base, '16384'), 200 * 2 ** 20);
}

function keep(binaries = older): void {
  keepBinaries(binaries, folder, chooseAccount(), []);
}

describe('R55: doctor before a PostgreSQL upgrade', () => {
  it('R55: shows versions, binaries and free space before a PostgreSQL upgrade, and suggests a backup', () => {
    haveDataOf(17);
    keep();
    const [result] = examine();
    expect(result).toMatchObject({ name: 'PostgreSQL version', state: 'warning' });
    expect(result?.detail).toMatch(
      /^the data is from 17, and this release includes 18\.\d+; the bin/,
    );
    expect(result?.detail).toContain(path.join(folder, `postgresql-${older.version}`));
    expect(result?.detail).toMatch(/needs up to 600 MB of space, and [\d,]+ MB are free$/);
    expect(result?.fix).toContain('`deals backup`');
  });

  it('R55: reports insufficient space for a PostgreSQL upgrade as a problem', () => {
    haveDataOf(17);
    keep();
    const real = fs.statfsSync;
    vi.spyOn(fs, 'statfsSync').mockImplementation((...args: Parameters<typeof real>) =>
      Object.assign(real(...args), { bavail: 10 }),
    );
    expect(examine()).toMatchObject([
      { state: 'problem', fix: expect.stringMatching(/^Free up space/) },
    ]);
  });

  it('R55: reports missing binaries for a PostgreSQL upgrade as a problem, with a fix', () => {
    haveDataOf(14); // The version is too old for any installed server.
    const [result] = examine();
    expect(result).toMatchObject({ state: 'problem' });
    expect(result?.detail).toContain('the binaries of 14 are missing');
    expect(result?.fix).toContain('install PostgreSQL 14');
  });
});

describe('R55: doctor without a PostgreSQL upgrade', () => {
  it('R55: shows that binaries are kept for the next upgrade, and when the old data will be deleted', () => {
    const binaries = findPostgresBinaries();
    if (typeof binaries === 'string') throw new Error(binaries);
    haveDataOf(binaries.major);
    expect(examine()).toMatchObject([{ state: 'warning', fix: expect.stringContaining('Start') }]);
    keep(binaries);
    const old = path.join(folder, 'postgres.17-until-2026-05-31');
    fs.mkdirSync(old);
    const [result] = examine();
    expect(result).toMatchObject({ state: 'ok' });
    expect(result?.detail).toMatch(
      /^18\.\d+; its binaries are stored .* kept in .* until 2026-05-31$/,
    );
  });

  it('R55: reports nothing about an upgrade before the first start or with DATABASE_URL', () => {
    expect(examine()).toEqual([]);
    haveDataOf(17);
    expect(examine({ DATABASE_URL: 'postgres://shop@127.0.0.1/shop' })).toEqual([]);
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { keepMigrated } from '#test/keep-migrated.ts';
import { markAsApplied } from '#test/mark-as-applied.ts';
import { olderPostgres } from '#test/older-postgres.ts';
import { runInitdbOnce } from '#test/run-initdb-once.ts';
import { keepServersSmall } from '#test/small-servers.ts';
import { writeBackup } from '#database/backups/backup.ts';
import { type Connection, connect } from '#database/connect.ts';
import {
  type PostgresBinaries,
  findStoredBinaries,
  findOlderBinaries,
  findPostgresBinaries,
  keepBinaries,
} from './postgres-binaries.ts';
import { superuserUrl } from './local-client.ts';
import { ensureCluster, readPassword } from './make-cluster.ts';
import type { Place } from './cluster-place.ts';
import { isServerOf, readPidFile } from './server-process.ts';
import { startServer, stopServer } from './run-server.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { insertDeal, insertDeals, insertUser } from '#test/factories/insert.ts';
import { earlierJobs } from '#test/earlier-jobs.ts';
import { migrate } from '#database/migrate.ts';
import { chooseAccount } from './run-unprivileged.ts';

const isRoot = process.getuid?.() === 0;
const fixture = path.resolve(import.meta.dirname, '../../test/fixtures/move-until-killed.ts');
const older = olderPostgres();
const keptOlder = `postgresql-${older.version}`;
const keptNewer = `postgresql-${packaged().version}`;
/** The data of a release with the older PostgreSQL. Each test works on a copy. */
let filled = '';
/** Clusters as `initdb` creates them. */
let oldClusters = '';
/** The older binaries on the disk of the tests' folders, where they can be linked. */
let near = older;
/** Every row of the original data, by table. */
let expected: Record<string, unknown[]> = {};
let folder = '';
let said: string[] = [];
let atLine: { part: string; act: () => void } | null = null;
let toClose: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  filled = path.join(newFolder(), 'data');
  oldClusters = path.join(path.dirname(filled), 'clusters');
  runInitdbOnce(oldClusters);
  keepServersSmall();
  const programs = path.join(path.dirname(filled), 'programs');
  fs.mkdirSync(programs);
  keepBinaries(older, programs, chooseAccount(), []);
  near = findStoredBinaries(programs, older.major, chooseAccount()) ?? older;
  expected = await fillShop(placeIn(filled, older));
});
afterAll(() => fs.rmSync(path.dirname(filled), { recursive: true, force: true }));

beforeEach(() => {
  folder = path.join(newFolder(), 'data');
  execFileSync('cp', ['-a', filled, folder]);
  keepBinaries(near, folder, chooseAccount(), []);
  [said, atLine] = [[], null];
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const close of toClose.toReversed()) await close();
  toClose = [];
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
});

// Proves R05: data of an older PostgreSQL
describe('R05: data of an older PostgreSQL, at the start of the site', () => {
  it('moves older data to the new PostgreSQL with every row and id, and keeps the old data for a while', async () => {
    const server = await start();
    expect(await versionOf(server)).toBe(18);
    await expectAllData(server);
    expect(said.map((line) => line.slice(0, 31))).toEqual([
      'moving the database, 1 of 3: re',
      'moving the database, 2 of 3: wr',
      'moving the database, 3 of 3: co',
      'the database was moved to Postg',
    ]);
    const until = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
    expect(beside()).toEqual(['postgres', `postgres.17-until-${until}`, keptOlder, keptNewer]);
    await server.stop();
    said = [];
    const again = await start();
    expect(await versionOf(again)).toBe(18);
    expect(said).toEqual([]);
  });

  // Proves R06: durability (server/examine-site.ts)
  it('R06: keeps password, checksums, sort order, ALTER SYSTEM settings, and ids of deleted rows in a move', async () => {
    const password = fs.readFileSync(inCluster('deals-password'), 'utf8');
    const old = await startOld();
    await old.pool.query(`alter system set work_mem = '7MB'`);
    const { id } = await insertDeal(old.db, {});
    await old.db.deleteFrom('deals').where('id', '=', id).execute();
    await old.stop();
    const server = await start();
    expect(fs.readFileSync(inCluster('deals-password'), 'utf8')).toBe(password);
    expect(fs.statSync(inCluster('deals-password')).mode & 0o777).toBe(0o600);
    expect(await ask(server, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
    expect(await ask(server, 'show work_mem')).toEqual([{ work_mem: '7MB' }]);
    expect(
      await ask(
        server,
        `select datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding
           from pg_database where datname = current_database()`,
      ),
    ).toEqual([{ provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8' }]);
    expect(await ask(server, `select rolname from pg_roles where rolname !~ '^pg_'`)).toEqual([
      { rolname: 'postgres' },
      { rolname: 'deal_hub' },
    ]);
    expect((await insertDeal(open(server).db, {})).id).toBe(id + 1);
  });

  it("does not move the functions of an older release, and the next migration creates this release's", async () => {
    const old = await startOld();
    await old.pool.query(`
      create function only_then() returns int language sql as 'select 1';
      create or replace function announce_pages() returns trigger language plpgsql as 'begin return null; end'`);
    for (const name of ['only_then', 'announce_pages']) await markAsApplied(old.pool, name);
    await old.stop();
    const server = await start();
    expect(await versionOf(server)).toBe(18);
    const { db, pool } = open(server);
    await migrate(db);
    const { rows } = await pool.query(
      `select to_regproc('only_then') as gone, prosrc like '%pg_notify%' as "isOurs"
         from pg_proc where proname = 'announce_pages'`,
    );
    expect(rows).toEqual([{ gone: null, isOurs: true }]);
  });

  const installed = installedOlder();
  it.skipIf(installed === null)(
    `moves data from the server’s own PostgreSQL ${installed?.major ?? '(none older than 18: apt-get install postgresql)'}`,
    async () => {
      fs.rmSync(folder, { recursive: true });
      const rows = await fillShop(placeIn(folder, installed ?? older));
      const server = await start();
      expect(await versionOf(server)).toBe(18);
      expect(await rowsOf(open(server))).toEqual(rows);
    },
  );

  it('does not move data for a command, but uses the old binaries', async () => {
    const server = await start({ mayMove: false });
    expect(await versionOf(server)).toBe(17);
    await expectAllData(server);
    expect(said).toEqual([]);
  });

  it('keeps the old server while a process uses it, and moves the data when all have stopped', async () => {
    const first = await start({ mayMove: false });
    const second = await start();
    expect(second).toMatchObject({ pid: first.pid, started: false });
    expect(said.join()).toContain('still in use with PostgreSQL 17');
    await first.stop();
    await second.stop();
    const third = await start();
    expect(await versionOf(third)).toBe(18);
    await expectAllData(third);
  });

  it('moves data only once for two simultaneous starts', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(two.pid).toBe(one.pid);
    expect(said.filter((line) => line.includes('was moved'))).toHaveLength(1);
    await expectAllData(two);
  });

  it('moves data even if a dead process left the old server running', async () => {
    const old = await startOld();
    await old.close();
    const server = await start();
    expect(isServerOf(inCluster(), old.pid)).toBe(false);
    expect(await versionOf(server)).toBe(18);
    await expectAllData(server);
  });

  it('does not change data if no binaries can read it', async () => {
    // The data's version is older than any installed server.
    fs.writeFileSync(inCluster('PG_VERSION'), '14\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 14, and this is .*postgresql-14/);
    expect(fs.readFileSync(inCluster('PG_VERSION'), 'utf8')).toBe('14\n');
  });

  it.skipIf(!isRoot)('does not run binaries that another user put in place', () => {
    const found = () => findOlderBinaries(folder, older.major, chooseAccount())?.root;
    expect(found()).toBe(path.join(folder, keptOlder));
    fs.chownSync(path.join(folder, keptOlder), 12345, 12345);
    expect(found()).not.toBe(path.join(folder, keptOlder));
  });

  it.skipIf(!isRoot)('moves data in the folder that a note names (needs root to try)', async () => {
    vi.stubEnv('DEALS_NO_USER_NAMESPACES', '1');
    const home = path.join(path.dirname(folder), 'home');
    vi.stubEnv('DEALS_EMBEDDED_HOME', home);
    fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder, { mode: 0o700 });
    const made = await startEmbeddedPostgres({ dataDir: folder });
    await made.stop();
    fs.rmSync(made.dataDir, { recursive: true });
    const account = chooseAccount();
    keepBinaries(older, path.dirname(made.dataDir), account, [18]);
    const binaries = findOlderBinaries(path.dirname(made.dataDir), older.major, account);
    const rows = await fillShop({ cluster: made.dataDir, binaries: binaries ?? older, account });
    const server = await start();
    expect(server).toMatchObject({ mode: 'other-user', dataDir: made.dataDir });
    expect(await versionOf(server)).toBe(18);
    expect(await rowsOf(open(server))).toEqual(rows);
  });
});

// Proves R40: a move to a newer PostgreSQL leaves the old data
describe('R40: a failed move leaves the data unchanged, served by the old binaries', () => {
  const expectOld = async (reason: RegExp) => {
    const server = await start();
    expect(said.at(-1)).toMatch(reason);
    expect(said.at(-1)).toMatch(/Nothing in it was changed, PostgreSQL 17\S* still serves it/);
    expect(await versionOf(server)).toBe(17);
    await expectAllData(server);
    expect(beside()).toEqual(['postgres', keptOlder]);
  };

  it.each([
    [
      'roles, rights and publications',
      'create role mine; grant select on deals to mine; create publication mine',
      ['role mine', 'rights on deals', 'publication mine'],
    ],
    [
      'schemas, tables, indexes and views',
      'create schema mine; create table mine (id int); create index mine_too on deals (title); create view mine_all as select 1 as one',
      ['schema mine', 'relation mine r', 'relation mine_too i', 'relation mine_all v'],
    ],
    [
      'functions',
      `create function mine() returns int language sql as 'select 1';
       create or replace function announce_pages() returns trigger language plpgsql as 'begin return new; end'`,
      ['function mine()', 'function announce_pages()'],
    ],
  ])(
    'R39: keeps the old data when a move fails because of %s that the site did not create',
    async (_what, statements, names) => {
      const old = await startOld();
      await old.pool.query(statements);
      await old.stop();
      await expectOld(/did not create and cannot move/);
      for (const name of names) expect(said.at(-1)).toContain(name);
    },
  );

  it('R36: keeps the old data when a move fails for lack of space', async () => {
    const real = fs.statfsSync;
    vi.spyOn(fs, 'statfsSync').mockImplementation((...args: Parameters<typeof real>) =>
      Object.assign(real(...args), { bavail: 10 }),
    );
    await expectOld(/needs up to 1\d\d MB of free space in .*, and only 1 MB is free/);
  });

  it('keeps the old data when the dump of a move is truncated', async () => {
    onLine('2 of 3', () => fs.truncateSync(dumpFile(), 3000));
    await expectOld(/damaged|cut/);
  });

  it('keeps the old data when the copy differs from the original', async () => {
    const another = await createTestDatabase();
    toClose.push(() => another.close());
    await insertDeals(another.db, 3);
    const other = path.join(path.dirname(folder), 'other.backup');
    await writeBackup(another.pool, { file: other, media: null, now: new Date() });
    onLine('2 of 3', () => fs.copyFileSync(other, dumpFile()));
    await expectOld(/the copy differs from the original: .*deals: 2\d\d rows, checksum/);
  });

  it('keeps the old data when the new server dies in the middle of a move', async () => {
    onLine('2 of 3', () => {
      const cluster = path.join(path.dirname(dumpFile()), 'cluster');
      process.kill(readPidFile(cluster)?.pid ?? 0, 'SIGKILL');
    });
    await expectOld(/was not moved/);
  });

  it('keeps the old data when the old server dies in the middle of a move', async () => {
    onLine('3 of 3', () => process.kill(readPidFile(inCluster())?.pid ?? 0, 'SIGKILL'));
    await expectOld(/was not moved/);
  });

  it('keeps the old data when a setting works only in the old version', async () => {
    const libraries = path.join(folder, keptOlder, 'lib/postgresql');
    fs.copyFileSync(path.join(libraries, 'auto_explain.so'), path.join(libraries, 'gone.so'));
    const setting = "shared_preload_libraries = 'gone'\n";
    fs.appendFileSync(inCluster('postgresql.auto.conf'), setting);
    await expectOld(/could not access file "gone"/);
  });
});

// Proves R05: data of an older PostgreSQL
it('R05: loses nothing when a move is killed at any step, and never serves a partial database', async () => {
  const killedAt: string[] = [];
  const migrated = path.join(path.dirname(folder), 'migrated');
  await keepMigrated(migrated, readPassword(inCluster()));
  for (let step = 1; ; step++) {
    const hasMigrated = killedAt.includes('commit\n');
    const kept = hasMigrated ? migrated : oldClusters;
    const child = spawn(process.execPath, [fixture, folder, String(step), kept], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => killedAt.push(text));
    const [code, signal] = await once(child, 'close');
    if (code === 0) break;
    expect(signal).toBe('SIGKILL');
    const server = await start({ mayMove: false });
    await expectAllData(server);
    const version = await versionOf(server);
    await server.stop();
    toClose = [];
    expect(beside().filter((name) => /init-|moved/.test(name))).toEqual([]);
    if (version === 18) goBack();
  }
  const all = killedAt.join('');
  for (const name of ['1 of 3', '2 of 3', '3 of 3', 'commit', 'analyze', '.moved', '-until-']) {
    expect(all).toContain(name);
  }
  const server = await start({ mayMove: false });
  expect(await versionOf(server)).toBe(18);
  await expectAllData(server);
}, 900_000); // ms; the test starts the server about thirty times in a row

describe('the data from before a move', () => {
  it('keeps the data from before a move if the new database is missing', async () => {
    const moved = await start();
    await moved.stop();
    fs.rmSync(inCluster(), { recursive: true });
    await expect(start()).rejects.toThrow(/There is no database in .*17-until-/);
    fs.mkdirSync(inCluster());
    goBack();
    const server = await start({ mayMove: false });
    expect(await versionOf(server)).toBe(17);
    await expectAllData(server);
  });

  it('removes the old data and binaries of a move only once they expire', async () => {
    fs.rmSync(inCluster(), { recursive: true });
    const fresh = await start();
    await fresh.stop();
    const [kept, over] = ['9999-12-31', '2026-01-01'].map((day) => `postgres.17-until-${day}`);
    keepBinaries(older, folder, chooseAccount(), [18]);
    for (const name of [kept, over]) fs.mkdirSync(path.join(folder, name ?? ''));
    await (await start()).stop();
    expect(said.at(-1)).toContain(`removed ${folder}/${over}`);
    expect(beside()).toEqual(['postgres', kept, keptOlder, keptNewer]);
    fs.rmdirSync(path.join(folder, kept ?? ''));
    await start();
    expect(beside()).toEqual(['postgres', keptNewer]);
  });
});

function newFolder(): string {
  const made = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-move-')));
  // Without this file mode, root without user namespaces would use another folder.
  fs.chmodSync(made, 0o755);
  return made;
}

async function start(options: { mayMove?: boolean } = {}): Promise<EmbeddedPostgres> {
  const log = (line: string) => {
    said.push(line);
    if (atLine !== null && line.includes(atLine.part)) atLine.act();
  };
  const server = await startEmbeddedPostgres({ dataDir: folder, mayMove: true, log, ...options });
  toClose.push(() => server.stop());
  return server;
}

/** Calls `act` when the start logs this line. */
function onLine(part: string, act: () => void): void {
  atLine = { part, act };
}

function open(server: { url: string }): Connection {
  const connection = connect(server.url);
  toClose.push(() => connection.close());
  return connection;
}

async function ask(server: EmbeddedPostgres, query: string): Promise<unknown[]> {
  const connection = connect(server.url);
  return (await connection.pool.query(query).finally(() => connection.close())).rows;
}

async function versionOf(server: EmbeddedPostgres): Promise<number> {
  const [row] = await ask(server, `select current_setting('server_version_num')::int / 10000 as v`);
  return (row as { v: number }).v;
}

async function expectAllData(server: EmbeddedPostgres): Promise<void> {
  const connection = connect(server.url);
  expect(await rowsOf(connection).finally(() => connection.close())).toMatchObject(expected);
}

/**
 * Returns rows without generated columns, which each version derives by its own text search rules.
 */
async function rowsOf({ pool }: Connection): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await pool.query<{ name: string; columns: string }>(
    `select quote_ident(relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
       from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
        and not attisdropped and attgenerated = ''
      group by 1 order by 1`,
  );
  const all: Record<string, unknown[]> = {};
  for (const { name, columns } of tables) {
    const { rows } = await pool.query(
      `select t::text as row from (select ${columns} from ${name}) t order by 1`,
    );
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

function placeIn(dataDir: string, binaries: PostgresBinaries): Place {
  fs.mkdirSync(dataDir, { recursive: true });
  return { cluster: path.join(dataDir, 'postgres'), binaries, account: chooseAccount() };
}

/** Fills the database and returns every row. */
async function fillShop(place: Place): Promise<Record<string, unknown[]>> {
  await ensureCluster(place);
  const old = await startOld(place);
  const { pool, db, stop } = old;
  await migrate(db);
  await pool.query(earlierJobs);
  await insertUser(db, { email: 'maria@shop.example' });
  const ids = await insertDeals(db, 200);
  await insertDeal(db, { title: 'Drill\twith\nodd \\ signs, ä and 😀' });
  await db
    .updateTable('deals')
    .set({ sale_price: 4_000 })
    .where('id', '=', ids[7] ?? 0)
    .execute();
  await db
    .deleteFrom('deals')
    .where('id', '=', ids[8] ?? 0)
    .execute();
  const rows = await rowsOf(old);
  await stop();
  return rows;
}

/** Starts the server of the older release as that release did. */
async function startOld(
  place = placeIn(folder, older),
): Promise<Connection & { pid: number; stop(): Promise<void> }> {
  const logFile = path.join(path.dirname(place.cluster), 'postgres.log');
  const { pid, port } = await startServer({ ...place, logFile, log: () => {} });
  const connection = connect(superuserUrl(place.cluster, port));
  const stop = async () => {
    await connection.close();
    await stopServer(place, pid);
  };
  return { ...connection, pid, stop };
}

/** Downgrades to the older version as docs/operations.md describes. */
function goBack(): void {
  fs.rmSync(inCluster(), { recursive: true });
  fs.renameSync(oldData(), inCluster());
}

function inCluster(file = ''): string {
  return path.join(folder, 'postgres', file);
}

function oldData(): string {
  const name = beside().find((one) => one.includes('-until-'));
  return path.join(folder, name ?? 'there is none');
}

/** Returns the folders in the data folder. */
function beside(): string[] {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

function dumpFile(): string {
  const name = beside().find((one) => one.startsWith('postgres.init-'));
  return path.join(folder, name ?? 'there is none', 'dump');
}

function packaged(): PostgresBinaries {
  const found = findPostgresBinaries();
  if (typeof found === 'string') throw new Error(found);
  return found;
}

/**
 * Returns an installed server that does not come from an npm package, is older than this release's,
 * and has everything that the site needs.
 */
function installedOlder(): PostgresBinaries | null {
  const found = [15, 16, 17].map((major) => findOlderBinaries(os.tmpdir(), major, chooseAccount()));
  return found.find((one) => one !== null) ?? null;
}

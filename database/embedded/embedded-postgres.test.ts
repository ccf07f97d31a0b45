import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asSuperuser } from '#test/as-superuser.ts';
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#database/embedded/embedded-postgres.ts';
import { ensureCluster, readPassword } from './make-cluster.ts';
import { isServerOf } from './server-process.ts';
import { chooseAccount } from './run-unprivileged.ts';

const script = path.resolve(import.meta.dirname, '../../test/fixtures/use-embedded-postgres.ts');
const isRoot = process.getuid?.() === 0;
const toClean: (() => Promise<unknown>)[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  for (const clean of toClean.toReversed()) await clean();
});

describe('a data folder', () => {
  const dataDir = newFolder('with spaces/data');
  let server: EmbeddedPostgres;

  beforeAll(async () => {
    server = await start(dataDir);
  });

  it('creates a missing data folder on the first start, and runs its database', async () => {
    expect(server.started).toBe(true);
    expect(server.dataDir).toBe(path.join(dataDir, 'postgres'));
    expect(await ask(server, 'select 1 + 1 as answer')).toEqual([{ answer: 2 }]);
  });

  it('runs a data folder’s database on this server', () => {
    expect(findPostgresBinaries()).toMatchObject({ major: expect.any(Number) });
  });

  it('joins the running server when started again', async () => {
    const second = await startEmbeddedPostgres({ dataDir });
    expect(second).toMatchObject({ started: false, pid: server.pid, url: server.url });
    await second.stop();
    expect(isServerOf(server.dataDir, server.pid)).toBe(true);
  });

  // Proves R06: durability, and backups read back (examine-site.ts)
  it('R06: writes data durably and checks it when read', async () => {
    expect(
      await settings(server, ['fsync', 'full_page_writes', 'data_checksums', 'synchronous_commit']),
    ).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      synchronous_commit: 'on',
    });
  });

  // Proves R33: first start (app/features/accounts/people/setup-link.server.ts)
  it('R33: listens on loopback only and requires a password', async () => {
    expect(
      await settings(asSuperuser(server), ['listen_addresses', 'unix_socket_directories']),
    ).toEqual({ listen_addresses: '127.0.0.1', unix_socket_directories: '' });
    const { password } = new URL(server.url);
    expect(password.length).toBeGreaterThanOrEqual(32);
    expect(filesWith(server, password)).toEqual([]);
    expect(filesWith(server, readPassword(server.dataDir))).toEqual(['deals-password']);
    expect(fs.statSync(path.join(server.dataDir, 'deals-password')).mode & 0o777).toBe(0o600);
    const stranger = new Client({ connectionString: server.url.replace(password, 'postgres') });
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
  });

  it('sorts text and shows times in the same way on every server', async () => {
    expect(await settings(server, ['TimeZone', 'max_connections', 'jit'])).toEqual({
      TimeZone: 'UTC',
      max_connections: '100',
      jit: 'off',
    });
    const [database] = await ask(
      server,
      `select datlocprovider as provider, datlocale as locale, datcollate as order, datctype as letters
         from pg_database where datname = 'postgres'`,
    );
    expect(database).toEqual({ provider: 'b', locale: 'C.UTF-8', order: 'C', letters: 'C.UTF-8' });
  });

  it('R07: keeps every committed row after a crash of the server', async () => {
    await ask(server, 'create table kept (id int primary key)');
    for (let round = 1; round <= 3; round++) {
      await ask(server, `insert into kept values (${round})`);
      const crashed = server;
      process.kill(crashed.pid, 'SIGKILL');
      server = await start(dataDir);
      await crashed.stop(); // Stopping the old instance leaves the new server running.
      expect(server.started).toBe(true);
      expect(await ask(server, 'select count(*)::int as rows from kept')).toEqual([
        { rows: round },
      ]);
    }
  });

  it('keeps PostgreSQL running while any process uses it, and stops it with the last process', async () => {
    const other = await useInProcess(dataDir);
    expect(await other.said).toMatchObject({ started: false, pid: server.pid });
    await server.stop();
    expect(isServerOf(server.dataDir, server.pid)).toBe(true);
    await other.leave();
    expect(isServerOf(server.dataDir, server.pid)).toBe(false);
  });

  it('keeps PostgreSQL running after Ctrl+C in the terminal of the process that started it', async () => {
    const starter = await useInProcess(dataDir);
    const { pid, started } = await starter.said;
    expect(started).toBe(true);
    await starter.interrupt();
    expect(isServerOf(server.dataDir, pid)).toBe(true);
    server = await start(dataDir);
    expect(server).toMatchObject({ started: false, pid });
    await server.stop();
  });

  it('starts even if another process has the process id in PostgreSQL’s pid file', async () => {
    const pidFile = path.join(server.dataDir, 'postmaster.pid');
    const lines = [process.pid, server.dataDir, 1, 5432, '', '127.0.0.1', '', 'ready'];
    fs.writeFileSync(pidFile, `${lines.join('\n')}\n`, { mode: 0o600 });
    if (isRoot) chownLike(server.dataDir, pidFile);
    server = await start(dataDir);
    expect(server).toMatchObject({ started: true });
    expect(server.pid).not.toBe(process.pid);
  });

  it('rotates PostgreSQL’s log once it is large', async () => {
    await server.stop();
    const logFile = path.join(dataDir, 'postgres.log');
    fs.truncateSync(logFile, 11 * 2 ** 20);
    server = await start(dataDir);
    expect(fs.statSync(logFile).size).toBeLessThan(2 ** 20);
    expect(fs.statSync(`${logFile}.1`).size).toBe(11 * 2 ** 20);
  });

  it('R05: refuses a data folder that a site in another container uses', async () => {
    const user = await startEmbeddedPostgres({ dataDir });
    process.kill(server.pid, 'SIGKILL');
    const holder = path.join(dataDir, 'postgres.holder');
    fs.writeFileSync(holder, 'another container');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/in use by a site in another/);
    await user.stop();
    await server.stop();
    server = await start(dataDir);
    expect(server.started).toBe(true);
  });

  it('R05: refuses a data folder of another version of PostgreSQL, and leaves it unchanged', async () => {
    await server.stop();
    const file = path.join(server.dataDir, 'PG_VERSION');
    const version = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, '9\n');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /made by PostgreSQL 9, and this/,
    );
    expect(fs.readFileSync(file, 'utf8')).toBe('9\n');
    fs.writeFileSync(file, version);
  });

  it("R05: refuses a data folder if another user's server runs on it", async () => {
    server = await start(dataDir);
    const file = path.join(server.dataDir, 'deals-password');
    const password = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, 'changed');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /does not accept the password/,
    );
    fs.writeFileSync(file, password);
  });

  it("reports PostgreSQL's own message if the server does not start", async () => {
    await server.stop();
    const auto = path.join(server.dataDir, 'postgresql.auto.conf');
    fs.appendFileSync(auto, "shared_buffers = 'nonsense'\n");
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /did not start[\s\S]*invalid value for parameter "shared_buffers"/,
    );
  });
});

describe('the first start', () => {
  // Proves R05: one data folder, one server
  it('R05: creates the cluster once if four processes begin at the same time', async () => {
    const dataDir = newFolder('data');
    const users = await Promise.all([1, 2, 3, 4].map(() => useInProcess(dataDir)));
    const said = await Promise.all(users.map((user) => user.said));
    expect(said.filter((one) => one.started)).toHaveLength(1);
    expect(new Set(said.map((one) => one.pid)).size).toBe(1);
    await Promise.all(users.map((user) => user.leave()));
    expect(isServerOf(path.join(dataDir, 'postgres'), said[0]?.pid ?? 0)).toBe(false);
  });

  it('R05: begins again after the first start was killed halfway', async () => {
    const dataDir = newFolder('data');
    const victim = spawnUser(dataDir);
    await vi.waitFor(() => expect(halfMade(dataDir)).toHaveLength(1), {
      timeout: 60_000,
      interval: 2,
    });
    // The signal also ends the initdb of the killed process.
    process.kill(-(victim.pid ?? 0), 'SIGKILL');
    await once(victim, 'exit');
    expect(fs.existsSync(path.join(dataDir, 'postgres'))).toBe(false);
    const server = await start(dataDir);
    expect(server.started).toBe(true);
    expect(fs.readdirSync(dataDir).filter((name) => name.includes('.init-'))).toEqual([]);
  });

  it('creates a database even if the C library lacks the locale', async () => {
    const binaries = findPostgresBinaries();
    if (typeof binaries === 'string') throw new Error(binaries);
    const dataDir = newFolder('data');
    fs.mkdirSync(dataDir, { recursive: true });
    const initdb = path.join(path.dirname(dataDir), 'initdb');
    const refusal = `case "$*" in *--lc-ctype=*) echo 'initdb: error: invalid locale name "C.UTF-8"' >&2; exit 1;; esac`;
    fs.writeFileSync(initdb, `#!/bin/sh\n${refusal}\nexec '${binaries.initdb}' "$@"\n`);
    fs.chmodSync(initdb, 0o755);
    const cluster = path.join(dataDir, 'postgres');
    await ensureCluster({ cluster, binaries: { ...binaries, initdb }, account: chooseAccount() });
    const letters =
      'select datctype as letters from pg_database where datname = current_database()';
    expect(await ask(await start(dataDir), letters)).toEqual([{ letters: 'C' }]);
  });

  it('shows why initdb failed, however much progress it prints', async () => {
    const binaries = findPostgresBinaries();
    if (typeof binaries === 'string') throw new Error(binaries);
    const dataDir = newFolder('data');
    fs.mkdirSync(dataDir, { recursive: true });
    const initdb = path.join(path.dirname(dataDir), 'initdb');
    const reason = 'FATAL:  insufficient file descriptors available to start server process';
    fs.writeFileSync(initdb, `#!/bin/sh\necho '${reason}' >&2\nsleep 0.1\nseq 40\nexit 1\n`);
    fs.chmodSync(initdb, 0o755);
    const cluster = path.join(dataDir, 'postgres');
    await expect(
      ensureCluster({ cluster, binaries: { ...binaries, initdb }, account: chooseAccount() }),
    ).rejects.toThrow(reason);
  });

  it('leaves a folder that is not a cluster unchanged', async () => {
    const dataDir = newFolder('data');
    const foreign = path.join(dataDir, 'postgres', 'somebody.txt');
    fs.mkdirSync(path.dirname(foreign), { recursive: true });
    fs.writeFileSync(foreign, 'mine');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/not a PostgreSQL cluster/);
    expect(fs.readFileSync(foreign, 'utf8')).toBe('mine');
  });
});

describe.skipIf(!isRoot)('root without user namespaces (needs root to try)', () => {
  it('uses the data folder when root starts the server if another user may enter the folder', async () => {
    vi.stubEnv('DEALS_NO_USER_NAMESPACES', '1');
    const dataDir = newFolder('data');
    const server = await start(dataDir);
    expect(server).toMatchObject({
      mode: 'other-user',
      dataDir: path.join(dataDir, 'postgres'),
      started: true,
    });
    expect(fs.statSync(server.dataDir).uid).not.toBe(0);
  });

  it('stores the database outside a closed folder, and logs its location', async () => {
    vi.stubEnv('DEALS_NO_USER_NAMESPACES', '1');
    const home = newFolder('home');
    vi.stubEnv('DEALS_EMBEDDED_HOME', home);
    const dataDir = newFolder('data', 0o700);
    const log = vi.fn<(line: string) => void>();
    const server = await start(dataDir, log);
    expect(server).toMatchObject({ mode: 'other-user', started: true });
    expect(path.dirname(path.dirname(server.dataDir))).toBe(home);
    expect(fs.readdirSync(dataDir)).not.toContain('postgres');
    expect(log.mock.calls.join('\n')).toContain(`the database is kept in ${server.dataDir}`);
    await ask(server, 'create table kept (id int)');
    await server.stop();

    vi.stubEnv('DEALS_EMBEDDED_HOME', newFolder('elsewhere'));
    vi.stubEnv('DEALS_NO_USER_NAMESPACES', '0');
    const again = await start(dataDir);
    expect(again.dataDir).toBe(server.dataDir); // The note in the folder takes precedence.
    expect(await ask(again, 'select * from kept')).toEqual([]);
    await again.stop();

    fs.rmSync(home, { recursive: true });
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/but there is none/);
  });

  it('fails instead of starting with an empty database if the existing one has become inaccessible', async () => {
    const dataDir = newFolder('data', 0o700);
    vi.stubEnv('DEALS_NO_USER_NAMESPACES', '1');
    fs.mkdirSync(path.join(dataDir, 'postgres'), { recursive: true });
    fs.writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/may not enter/);
  });
});

/**
 * Returns a path in a new temporary folder, which other users may enter unless `mode` forbids that.
 */
function newFolder(name: string, mode = 0o755): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-')));
  fs.chmodSync(folder, mode);
  toClean.push(async () => fs.rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, name);
}

async function start(dataDir: string, log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(log ? { dataDir, log } : { dataDir });
  toClean.push(() => server.stop());
  return server;
}

async function ask(server: EmbeddedPostgres, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

async function settings(server: EmbeddedPostgres, names: string[]): Promise<object> {
  const rows = await ask(
    server,
    `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`).join()})`,
  );
  return Object.fromEntries(rows.map((row) => [row['name'], row['setting']]));
}

interface Said {
  pid: number;
  started: boolean;
}

async function useInProcess(
  dataDir: string,
): Promise<{ said: Promise<Said>; leave(): Promise<void>; interrupt(): Promise<void> }> {
  const child = spawnUser(dataDir);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const line = once(lines, 'line').then(([text]): Said => JSON.parse(String(text)));
  const ending = once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended: ${code}`)));
  // If the start succeeds, this promise rejects as well, but after the message.
  ending.catch(() => {});
  return {
    said: Promise.race([line, ending]),
    async interrupt() {
      const ended = once(child, 'exit');
      // Signals the whole process group, as a terminal does.
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
    },
    async leave() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      expect(await ended).toEqual([0, null]);
    },
  };
}

function spawnUser(dataDir: string): ChildProcess {
  const stdio: ('pipe' | 'inherit')[] = ['pipe', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [script, dataDir], { stdio, detached: true });
  toClean.push(async () => child.kill());
  return child;
}

function halfMade(dataDir: string): string[] {
  if (!fs.existsSync(dataDir)) return [];
  return fs
    .readdirSync(dataDir)
    .filter((name) => fs.existsSync(path.join(dataDir, name, 'cluster', 'PG_VERSION')));
}

/** Returns names of the files at the top of the cluster that contain `text`. */
function filesWith({ dataDir }: EmbeddedPostgres, text: string): string[] {
  return fs
    .readdirSync(dataDir)
    .filter((name) => fs.statSync(path.join(dataDir, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(dataDir, name), 'utf8').includes(text));
}

function chownLike(model: string, file: string): void {
  const { uid, gid } = fs.statSync(model);
  fs.chownSync(file, uid, gid);
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asSuperuser } from '#test/as-superuser.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { keepMigrated } from '#test/keep-migrated.ts';
import { runInitdbOnce } from '#test/run-initdb-once.ts';
import { keepServersSmall } from '#test/small-servers.ts';
import { connect } from './connect.ts';
import { findPostgresBinaries } from './embedded-postgres-binaries.ts';
import { ensureCluster, readPassword } from './embedded-postgres-cluster.ts';
import { type EmbeddedPostgres, mendLocale, startEmbeddedPostgres } from './embedded-postgres.ts';
import { knowsLetters } from './knows-letters.ts';
import { migrate } from './migrate.ts';
import { chooseAccount } from './run-unprivileged.ts';

const fixture = path.resolve(import.meta.dirname, '../test/fixtures/move-until-killed.ts');
/** With marks that count as letters where letters are ASCII. */
const title = 'Беспроводные【наушники】größe M';
/** A shop that a release with LC_CTYPE C left: copied for each test. */
let old = '';
let folder = '';

beforeAll(async () => {
  old = path.join(newFolder(), 'data');
  runInitdbOnce(clusters());
  keepServersSmall();
  await withServer(old, async ({ url }) => {
    const { db, close } = connect(url);
    await migrate(db);
    await insertDeal(db, { title, description: '' });
    await close();
  });
  await withServer(old, async (server) => {
    const { pool, close } = connect(asSuperuser(server).url);
    await pool.query(`update pg_database set datctype = 'C'`);
    await close();
  });
});
afterAll(() => fs.rmSync(path.dirname(old), { recursive: true, force: true }));

beforeEach(() => {
  folder = path.join(newFolder(), 'data');
  execFileSync('cp', ['-a', old, folder]);
});
afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true, force: true }));

describe('a private database that takes only ASCII for letters', () => {
  it('is moved into one that knows those of every alphabet, once, and kept for a while', async () => {
    expect(await look()).toEqual({ knows: false, titles: [title] });
    const password = readPassword(path.join(folder, 'postgres'));
    const said: string[] = [];
    const moved = await mendLocale({ dataDir: folder, log: (line) => said.push(line) });
    const until = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
    expect(moved).toMatchObject({ folder: path.join(folder, `postgres.18-until-${until}`), until });
    expect(said.map((line) => line.slice(0, 27))).toEqual([
      'moving the database, 1 of 3',
      'moving the database, 2 of 3',
      'moving the database, 3 of 3',
    ]);
    expect(await look()).toEqual({ knows: true, titles: [title] });
    expect(await wordsKept()).toEqual(['gross', 'm', 'беспроводн', 'наушник']);
    expect(readPassword(path.join(folder, 'postgres'))).toBe(password);
    expect(await mendLocale({ dataDir: folder, log: () => {} })).toBeNull();
    fs.rmSync(path.join(folder, 'postgres'), { recursive: true });
    fs.renameSync(moved?.folder ?? '', path.join(folder, 'postgres')); // the way back
    expect(await look()).toEqual({ knows: false, titles: [title] });
  });

  it('takes the rows of stores’ pictures along, whose files stay where they are, and what they weigh', async () => {
    const read = () =>
      ask(`select source, name, bytes, (select value from site_counters where name = 'picture_bytes')
             from pictures`);
    await ask(`
      insert into pictures (source, source_key, merchant_id)
      select 'https://a.test/b', gen_random_uuid(), min(id) from merchants;
      update pictures set name = 'pictures-0/1-ab-160', bytes = 7`);
    const before = await read();
    expect(before).toMatchObject([{ bytes: 7, value: 7 }]);
    await mendLocale({ dataDir: folder, log: () => {} });
    expect(await look()).toMatchObject({ knows: true });
    expect(await read()).toEqual(before);
  });

  it('is not touched while the site runs', async () => {
    await withServer(folder, async () => {
      const mending = mendLocale({ dataDir: folder, log: () => {} });
      await expect(mending).rejects.toThrow('Stop all its processes first');
    });
    expect(await look()).toMatchObject({ knows: false });
  });

  it('is there whole, old or new, wherever the move is killed', async () => {
    const places = [
      'mkdtempSync',
      '1 of 3',
      '2 of 3',
      'copy deals ',
      'commit',
      '3 of 3',
      'analyze',
      '/cluster',
      '.moved',
      '-until-',
      'postgres.moved /',
    ];
    const migrated = path.join(path.dirname(folder), 'migrated');
    await keepMigrated(migrated, readPassword(path.join(folder, 'postgres')));
    for (const place of places) {
      // The first commit is that of the migrations.
      const kept = place === 'commit' ? clusters() : migrated;
      const child = spawn(process.execPath, [fixture, folder, place, kept, 'mend'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let last = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (last += text));
      expect([place, ...(await once(child, 'close'))]).toEqual([place, null, 'SIGKILL']);
      expect(last).toContain(place);
      expect([place, (await look()).titles]).toEqual([place, [title]]);
      const left = fs.readdirSync(folder).filter((name) => /init-|moved/.test(name));
      expect([place, left]).toEqual([place, []]);
    }
    await mendLocale({ dataDir: folder, log: () => {} });
    expect(await look()).toEqual({ knows: true, titles: [title] });
  }, 300_000); // ten starts in a row
});

it('a machine whose C library has no such locale gets a cluster all the same', async () => {
  const binaries = findPostgresBinaries();
  if (typeof binaries === 'string') throw new Error(binaries);
  const initdb = path.join(path.dirname(folder), 'initdb');
  const refusal = `case "$*" in *--lc-ctype=*) echo 'initdb: error: invalid locale name "C.UTF-8"' >&2; exit 1;; esac`;
  fs.writeFileSync(initdb, `#!/bin/sh\n${refusal}\nexec '${binaries.initdb}' "$@"\n`);
  fs.chmodSync(initdb, 0o755);
  const cluster = path.join(path.dirname(folder), 'fresh', 'postgres');
  fs.mkdirSync(path.dirname(cluster));
  await ensureCluster({ cluster, binaries: { ...binaries, initdb }, account: chooseAccount() });
  await withServer(path.dirname(cluster), async ({ url }) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const asked = client.query(
      'select datctype as letters from pg_database where datname = current_database()',
    );
    expect((await asked.finally(() => client.end())).rows).toEqual([{ letters: 'C' }]);
  });
});

/** Of the deal in the data folder. */
async function wordsKept(): Promise<string[]> {
  return (await ask('select tsvector_to_array(search) as words from deal_texts'))[0]?.words;
}

async function ask(statement: string) {
  return withServer(folder, async ({ url }) => {
    const { pool, close } = connect(url);
    const { rows } = await pool.query(statement).finally(close);
    return rows;
  });
}

/** What is in the data folder. */
async function look(): Promise<{ knows: boolean; titles: string[] }> {
  return withServer(folder, async ({ url }) => {
    const { db, pool, close } = connect(url);
    const titles = await db.selectFrom('deals').select('title').execute();
    const knows = await knowsLetters(pool);
    await close();
    return { knows, titles: titles.map((deal) => deal.title) };
  });
}

async function withServer<T>(dataDir: string, work: (server: EmbeddedPostgres) => Promise<T>) {
  const server = await startEmbeddedPostgres({ dataDir });
  return work(server).finally(() => server.stop());
}

/** Clusters as `initdb` makes them. */
function clusters(): string {
  return path.join(path.dirname(old), 'clusters');
}

function newFolder(): string {
  const made = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mend-locale-')));
  fs.chmodSync(made, 0o755); // else root without user namespaces goes elsewhere
  return made;
}

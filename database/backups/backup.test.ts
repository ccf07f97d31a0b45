import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { checkBackup, restoreBackup, writeBackup } from './backup.ts';
import { type Part, writeBackupFile } from './backup-file.ts';
import { describeSchema } from '#database/describe-schema.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { migrate } from '#database/migrate.ts';

let from: TestDatabase;
let to: TestDatabase;
let folder = '';
const now = new Date('2026-05-01T00:00:00Z');
const file = () => path.join(folder, 'shop.backup');
const mediaOf = (name: string) => path.join(folder, name, 'media');

beforeAll(async () => {
  [from, to] = [await createTestDatabase(), await createTestDatabase()];
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-backup-'));
  await mkdir(path.join(mediaOf('from'), 'shop'), { recursive: true });
  await writeFile(path.join(mediaOf('from'), 'shop/drill-ab12.webp'), 'picture');
  await insertUser(from.db, { email: 'maria@shop.example' });
  const deal = await insertDeal(from.db, { title: 'Drill\twith\nodd \\ signs', sale_price: 5000 });
  await from.db.updateTable('deals').set({ sale_price: 4000 }).where('id', '=', deal.id).execute();
});
afterEach(async () => {
  await from.reset();
  await to.close();
  to = await createTestDatabase();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => Promise.all([from.close(), to.close()]));

const backup = () =>
  writeBackup(from.pool, { file: file(), media: openFolderMedia(mediaOf('from')), now });
const restore = (replace = false) =>
  restoreBackup(to.pool, { file: file(), media: openFolderMedia(mediaOf('to')), replace });

/** Inserts a favorite into a table that never had a row. */
async function insertUserFavorite({ db }: TestDatabase): Promise<{ id: number }> {
  const user = await insertUser(db);
  const deal = await insertDeal(db, {});
  return db
    .insertInto('user_favorites')
    .values({ user_id: user.id, deal_id: deal.id })
    .returning('id')
    .executeTakeFirstOrThrow();
}

async function insertMany(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await insertDeal(from.db, {});
}

/** Returns every row of every table, as text. */
async function rowsOf({ db }: TestDatabase): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`.execute(
    db,
  );
  const all: Record<string, string[]> = {};
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`
      select t::text as row from ${sql.raw(name)} t order by 1`.execute(db);
    all[name] = found.rows.map(({ row }) => row);
  }
  return all;
}

describe('R40: a backup', () => {
  it('restores the same site from a backup, with every row and picture, and no repeated log lines or counts', async () => {
    const content = await backup();
    expect(content.weights.find(({ name }) => name === 'table price_log')?.rows).toBe(2);
    expect(await restore()).toMatchObject({ ok: true });
    const [before, after] = [await rowsOf(from), await rowsOf(to)];
    expect(after).toEqual(before);
    expect(await readFile(path.join(mediaOf('to'), 'shop/drill-ab12.webp'), 'utf8')).toBe(
      'picture',
    );
    expect(await migrate(to.db)).toEqual([]);
    expect(await describeSchema(to.pool)).toBe(await describeSchema(from.pool));
  });

  it('leaves out copies of stores’ pictures, which can be created again', async () => {
    const { id } = await insertMerchant(from.db);
    await sql`
      insert into pictures (source, source_key, merchant_id) values ('https://a.test/b', gen_random_uuid(), ${id})`.execute(
      from.db,
    );
    await sql`update pictures set name = 'pictures-0/1-ab-160', bytes = 7`.execute(from.db);
    const copy = 'pictures-0/1-ab-160.avif';
    await mkdir(path.join(mediaOf('from'), 'pictures-0'), { recursive: true });
    await writeFile(path.join(mediaOf('from'), copy), 'a copy');
    const { weights } = await backup();
    const names = weights.map(({ name }) => name);
    expect(names).not.toContain('table pictures');
    expect(names).not.toContain(`media ${copy}`);
    expect(names).toContain('media shop/drill-ab12.webp');
    expect(await restore()).toMatchObject({ ok: true });
    const { pictures, site_counters } = await rowsOf(to);
    expect(pictures).toEqual([]);
    expect(site_counters).toContain('(picture_bytes,0)');
  });

  it('continues the sequences after a restore, and enables the triggers again', async () => {
    await backup();
    await restore();
    const deal = await insertDeal(to.db, { sale_price: 900 });
    expect(deal.id).toBeGreaterThan(1);
    const log = await to.db
      .selectFrom('price_log')
      .selectAll()
      .where('deal_id', '=', deal.id)
      .execute();
    expect(log).toHaveLength(1);
  });

  // Proves R40: numbers go on, pictures before the commit, older backups
  it('never reuses the id of a deleted row after a restore, since links and audit entries may refer to it', async () => {
    const last = await insertDeal(from.db, {});
    await from.db.deleteFrom('deals').where('id', '=', last.id).execute();
    await backup();
    await restore();
    expect((await insertDeal(to.db, {})).id).toBe(last.id + 1);
    expect((await insertUserFavorite(to)).id).toBe(1);
  });

  it('backs up a single point in time, whatever the site writes meanwhile', async () => {
    const [{ weights }] = await Promise.all([backup(), insertMany(50)]);
    const rows = (table: string) =>
      weights.find(({ name }) => name === `table ${table}`)?.rows ?? 0;
    // A deal and its first price are written together. The test's deal has had two prices.
    expect(rows('price_log')).toBe(rows('deals') + 1);
  });

  it('writes a backup that only its owner can read, and leaves no temporary file', async () => {
    await backup();
    expect((await stat(file())).mode & 0o077).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(['from', 'shop.backup']);
  });
});

// Proves R40: backup and restore (backup-command.ts)
describe('R40: a restore', () => {
  it.each([
    ['truncated', async (bytes: Buffer) => bytes.subarray(0, bytes.length - 200)],
    [
      'truncated after a complete part',
      async (bytes: Buffer) => gzipSync(gunzipSync(bytes).subarray(0, 900)),
    ],
    [
      'changed',
      async (bytes: Buffer) =>
        gzipSync(
          Buffer.from(gunzipSync(bytes).toString('latin1').replace('maria@', 'mario@'), 'latin1'),
        ),
    ],
    ['not a backup', async () => Buffer.from('hello')],
  ])('rejects a backup that is %s before anything is changed', async (_how, damage) => {
    await backup();
    await writeFile(file(), await damage(await readFile(file())));
    await insertUser(to.db, { email: 'here@shop.example' });
    const before = await rowsOf(to);
    await expect(restore(true)).rejects.toThrow(/damaged|truncated/);
    expect(await rowsOf(to)).toEqual(before);
  });

  it('keeps existing data in a restore unless `replace` is given', async () => {
    await backup();
    await insertUser(to.db, { email: 'here@shop.example' });
    expect(await restore()).toEqual({ ok: false, reason: 'not-empty' });
    expect(await restore(true)).toMatchObject({ ok: true });
    expect(await rowsOf(to)).toEqual(await rowsOf(from));
  });

  it('keeps the old data when a restore fails halfway', async () => {
    await backup();
    await insertUser(to.db, { email: 'here@shop.example' });
    const before = await rowsOf(to);
    // A file in place of the folder prevents storing pictures.
    await writeFile(path.join(folder, 'to'), 'in the way');
    await expect(restore(true)).rejects.toThrow('ENOTDIR');
    expect(await rowsOf(to)).toEqual(before);
  });

  it('keeps the old data when a restore’s pictures cannot be stored', async () => {
    await backup();
    await insertUser(to.db, { email: 'here@shop.example' });
    const before = await rowsOf(to);
    await mkdir(mediaOf('to'), { recursive: true });
    await writeFile(path.join(mediaOf('to'), 'shop'), 'in the way');
    await expect(restore(true)).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await rowsOf(to)).toEqual(before);
    expect(await readdir(mediaOf('to'))).toEqual(['shop']);
  });

  it('rejects a newer version’s backup', async () => {
    await sql`insert into kysely_migration values ('9999_later', '')`.execute(from.db);
    await backup();
    await sql`delete from kysely_migration where name = '9999_later'`.execute(from.db);
    expect(await restore()).toEqual({ ok: false, reason: 'newer' });
  });
});

describe('a backup that cannot be written', () => {
  const left = async () => (await readdir(folder)).toSorted();

  it('fails a backup at once if its folder is missing, and keeps the site running', async () => {
    const lost = path.join(folder, 'not/there.backup');
    const before = await left();
    await expect(writeBackup(from.pool, { file: lost, media: null, now })).rejects.toThrow(
      'ENOENT',
    );
    expect(await left()).toEqual(before);
    expect((await from.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it.runIf(existsSync('/dev/full'))(
    'R36: fails a backup with a message if the disk fills up in the middle of a table, and releases the connection',
    async () => {
      await from.pool.query(
        `insert into slug_redirects (kind, slug, target_id)
         select 'deal', md5(n::text) || md5((-n)::text), n from generate_series(1, 20000) n`,
      );
      await symlink('/dev/full', `${file()}.part`);
      await expect(backup()).rejects.toThrow('ENOSPC');
      expect(await left()).not.toContain('shop.backup');
      expect(await left()).not.toContain('shop.backup.part');
      await expect(backup()).resolves.toMatchObject({ start: { format: 1 } });
    },
  );

  it('keeps an existing file when a backup cannot be written, and leaves no temporary file', async () => {
    await mkdir(path.join(file(), 'in the way'), { recursive: true });
    await expect(backup()).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await left()).not.toContain('shop.backup.part');
    expect(await readdir(file())).toEqual(['in the way']);
  });
});

it('rejects a missing backup before anything is changed', async () => {
  await insertUser(to.db, { email: 'here@shop.example' });
  const before = await rowsOf(to);
  await expect(restore(true)).rejects.toThrow('ENOENT');
  expect(await rowsOf(to)).toEqual(before);
});

// Proves R06: durability, and backups read back (examine-site.ts)
it('R06: detects a backup that was truncated on the disk by reading it back', async () => {
  await backup();
  await expect(checkBackup(file())).resolves.toMatchObject({ start: { format: 1 } });
  await truncate(file(), 300);
  await expect(checkBackup(file())).rejects.toThrow(/damaged|cut/);
});

describe('a forged backup', () => {
  async function forge(table: object): Promise<void> {
    const { start } = await backup();
    const parts = [start, { kind: 'table', ...table }].map((one): Part => {
      return { head: one as Part['head'], body: Readable.from([]) };
    });
    await writeBackupFile(file(), Readable.from(parts), null);
  }

  it.each([
    [
      'a command for a table',
      (touched: string) => ({
        name: `users (id) from program 'touch ${touched}' --`,
        columns: ['id'],
      }),
    ],
    [
      'a command for a column',
      (touched: string) => ({ name: 'users', columns: [`id) from program 'touch ${touched}' --`] }),
    ],
    [
      'a statement for a column',
      () => ({ name: 'users', columns: ['id) from stdin; drop table deals; --'] }),
    ],
    ['a table of the server', () => ({ name: 'pg_catalog.pg_authid', columns: ['rolname'] })],
    ['a column twice', () => ({ name: 'users', columns: ['id', 'id'] })],
  ])('executes nothing from a forged backup that names %s', async (_what, table) => {
    const touched = path.join(folder, 'touched');
    await forge(table(touched));
    const before = await rowsOf(to);
    await expect(restore()).rejects.toThrow(
      'The backup names a table or a column that its version does not have.',
    );
    expect(existsSync(touched)).toBe(false);
    expect(await rowsOf(to)).toEqual(before);
  });

  it.each([
    ['nothing', null],
    ['a list', []],
    ['no name', { kind: 'table', columns: ['id'] }],
    ['no columns', { kind: 'table', name: 'users', columns: [] }],
    ['a number in place of a column', { kind: 'table', name: 'users', columns: [7] }],
    [
      'text in place of a number',
      { kind: 'table', name: 'users', columns: ['id'], sequences: { id: 'x' } },
    ],
    ['an unknown kind', { kind: 'program', name: 'ls' }],
  ])('reports a forged backup as damaged if a part contains %s', async (_what, wrong) => {
    const { start } = await backup();
    const pieces = [start, null, wrong, null, { kind: 'end', weights: [] }].map((one, at) => {
      const bytes = Buffer.from(at % 2 === 1 ? '' : JSON.stringify(one));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    });
    await writeFile(file(), gzipSync(Buffer.concat(pieces)));
    await expect(restore()).rejects.toThrow('The backup is damaged or truncated.');
  });
});

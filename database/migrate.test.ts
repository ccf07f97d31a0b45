import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { connect, type Connection } from '#database/connect.ts';
import { migrate, newestMigration } from '#database/migrate.ts';
import { databaseUrl, onServer } from '#test/global-setup.ts';

// The databases are empty, because the template is already migrated.
let name = '';
let first: Connection;
let second: Connection;
const dropped: Error[] = [];

beforeEach(async () => {
  name = `empty_${randomBytes(6).toString('hex')}`;
  await onServer(inject('serverUrl'), `create database ${name}`);
  const url = databaseUrl(inject('serverUrl'), name);
  const open = () => connect(url, { statementTimeout: 0, onError: (error) => dropped.push(error) });
  [first, second] = [open(), open()];
});
afterEach(async () => {
  await first.close();
  await second.close();
  await onServer(inject('serverUrl'), `drop database ${name} with (force)`);
});

async function tables({ pool }: Connection): Promise<string[]> {
  const { rows } = await pool.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'`,
  );
  return rows.map(({ tablename }) => tablename);
}

// Proves R39: migrations
describe('R39: migrations', () => {
  // Proves Storefront 3: deal, merchant, category, post: fields (catalog-tables.ts, site-tables.ts)
  // Proves Back office 3: merchant, user, subscription, blog post (schema.ts)
  it('R39: migrates an empty database to the newest version, once', async () => {
    expect((await migrate(first.db)).at(-1)).toBe(await newestMigration());
    expect(await tables(first)).toContain('deals');
    expect(await migrate(first.db)).toEqual([]);
  });

  it('R39: migrates once when two processes start at the same time', async () => {
    const done = await Promise.all([migrate(first.db), migrate(second.db)]);
    expect(done.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await tables(first)).toContain('deals');
  });

  it('R39: rolls back interrupted migrations, and completes them in the next run', async () => {
    const blocker = await second.pool.connect();
    // The migration waits for this lock, so its connection is cut halfway in every run.
    await blocker.query('begin');
    await blocker.query('create table deals (id int)');
    try {
      const cut = expect(migrate(first.db)).rejects.toThrow(/terminat|discarded|ECONNRESET/);
      const cutWaiting = async () => {
        const { rows } = await second.pool.query<{ ended: boolean }>(
          `select pg_terminate_backend(pid) as ended from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length;
      };
      await expect.poll(cutWaiting).toBe(1);
      await cut;
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    expect(await tables(second)).toEqual([]);
    expect((await migrate(second.db)).at(-1)).toBe(await newestMigration());
  });

  it('R39: reports the file and a fix if a migration fails, and changes nothing', async () => {
    await first.pool.query('create table deals (id int)');
    await expect(migrate(second.db)).rejects.toThrow(
      /^database\/migrations\/0001_initial\.sql failed: relation "deals" already exists\. The database is as it was before\. Fix the error, or go back to the previous version/,
    );
    expect(await tables(first)).toEqual(['deals']);
  });

  it('R39: reports that a migration waits for another connection', async () => {
    await migrate(first.db, '0030_refused_addresses');
    const blocker = await first.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table sessions');
      await expect(migrate(second.db)).rejects.toThrow(
        /^database\/migrations\/0031_staff_second_factor\.sql failed: .*lock timeout.* Stop the other processes of the site/,
      );
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  });

  it("R39: waits while an older release runs migrations with Kysely's migrator", async () => {
    const old = await first.pool.connect();
    await old.query('select pg_advisory_lock(3853314791062309107)');
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const done = migrate(second.db);
    try {
      await expect.poll(async () => (await first.pool.query(waiting)).rowCount).toBe(1);
      expect(await tables(first)).toEqual([]);
    } finally {
      await old.query('select pg_advisory_unlock_all()');
      old.release();
    }
    expect((await done).at(-1)).toBe(await newestMigration());
  });

  it('R39: rejects a migration numbered below those that have run', async () => {
    await migrate(first.db);
    await first.pool.query(`delete from kysely_migration where name like '0035%'`);
    await expect(migrate(second.db)).rejects.toThrow(
      'database/migrations/0035_pictures_by_https.sql comes before a migration that has already run here',
    );
  });

  it('R39: rejects a database migrated by a newer version, and leaves it unchanged', async () => {
    await migrate(first.db);
    await first.pool.query(
      `insert into kysely_migration (name, timestamp) values ('9999_later', '2030-01-01')`,
    );
    await expect(migrate(second.db)).rejects.toThrow('by a newer version of Deal Hub');
    expect(await tables(first)).toContain('deals');
  });
});

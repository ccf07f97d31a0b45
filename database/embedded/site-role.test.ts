import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asSuperuser } from '#test/as-superuser.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { keepServersSmall } from '#test/small-servers.ts';
import { earlierJobs } from '#test/earlier-jobs.ts';
import { restoreBackup, writeBackup } from '#database/backups/backup.ts';
import { connect } from '#database/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from '#database/migrate.ts';

const notAllowed = '42501';
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-role-')));
const dataDir = path.join(folder, 'data');

/** Selects tables, functions, types, schemas and databases that do not belong to the site. */
const othersThings = `
  select relname::text as thing from pg_class
   where relnamespace::regnamespace::text in ('public', 'jobs') and relowner <> 'deal_hub'::regrole
  union all
  select proname::text from pg_proc p
   where pronamespace::regnamespace::text in ('public', 'jobs') and proowner <> 'deal_hub'::regrole
     and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all
  select typname::text from pg_type t
   where typnamespace::regnamespace::text in ('public', 'jobs') and typowner <> 'deal_hub'::regrole
     and not exists (select from pg_depend where objid in (t.oid, t.typelem) and deptype = 'e')
  union all
  select stxname::text from pg_statistic_ext where stxowner <> 'deal_hub'::regrole
  union all
  select nspname::text from pg_namespace where nspname = 'jobs' and nspowner <> 'deal_hub'::regrole
  union all
  select datname::text from pg_database where datname = 'postgres' and datdba <> 'deal_hub'::regrole`;

beforeAll(() => {
  keepServersSmall();
  // Without this file mode, root without user namespaces would use another folder.
  fs.chmodSync(folder, 0o755);
});
afterAll(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('the role of the site in the private database', () => {
  it('prevents the site’s role from running programs, reading files and creating roles, but lets it migrate a database', async () => {
    await withServer(async ({ url }) => {
      const { db, pool, close } = connect(url, { statementTimeout: 0 });
      await migrate(db);
      for (const statement of [
        `copy kysely_migration from program 'true'`,
        `copy kysely_migration to program 'cat'`,
        `copy kysely_migration to '/tmp/never-written'`,
        `select pg_read_file('postgresql.conf')`,
        `select pg_ls_dir('.')`,
        `select lo_import('/etc/hostname')`,
        'create role another superuser',
        'alter role deal_hub superuser',
        'grant pg_execute_server_program to deal_hub',
        'set session authorization postgres',
        `alter system set work_mem = '1GB'`,
        'select rolpassword from pg_authid',
      ]) {
        await expect(pool.query(statement), statement).rejects.toMatchObject({ code: notAllowed });
      }
      await close();
    });
  });

  it('takes ownership of everything that an earlier release created as superuser, even if killed in between', async () => {
    await withServer(async (server) => {
      const old = connect(asSuperuser(server).url, { statementTimeout: 0 });
      await old.pool.query('drop schema public cascade; create schema public');
      await old.pool.query('alter schema public owner to pg_database_owner');
      await old.pool.query('alter database postgres owner to postgres');
      await migrate(old.db);
      await old.pool.query(earlierJobs);
      await insertDeal(old.db, { title: 'Drill' });
      await old.pool.query('drop role deal_hub');
      await old.close();
    });
    const kill = await killTakeover();
    expect(kill).toBe('57P01');
    await withServer(async ({ url }) => {
      const { db, pool, close } = connect(url, { statementTimeout: 0 });
      expect((await pool.query(othersThings)).rows).toEqual([]);
      expect(await db.selectFrom('deals').select('title').execute()).toEqual([{ title: 'Drill' }]);
      const file = path.join(folder, 'one.backup');
      await writeBackup(pool, { file, media: null, now: new Date() });
      expect(await restoreBackup(pool, { file, media: null, replace: true })).toMatchObject({
        ok: true,
      });
      await pool.query('create database deal_hub_drill');
      await pool.query('drop database deal_hub_drill with (force)');
      await close();
    });
    await withServer(async (server) => {
      // An earlier release connects after a downgrade.
      const older = connect(asSuperuser(server).url);
      await insertDeal(older.db, { title: 'Saw' });
      await older.pool.query('create table made_by_it (id int)');
      await older.close();
    });
    await withServer(async ({ url }) => {
      const { pool, close } = connect(url);
      expect((await pool.query(othersThings)).rows).toEqual([]);
      await pool.query('drop table made_by_it');
      await close();
    });
  });
});

/**
 * Cuts the connection after owners were changed but before the commit. Returns the resulting error
 * code.
 */
async function killTakeover(): Promise<unknown> {
  const query: (...args: never[]) => unknown = Client.prototype.query;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...args: unknown[]
  ) {
    const [text] = args;
    const cut =
      typeof text === 'string' && text.includes('alter database %I owner')
        ? text.replace(
            /end \$\$$/,
            'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(9); end $$$$',
          )
        : text;
    return query.apply(this, [cut, ...args.slice(1)] as never[]);
  });
  try {
    return await startEmbeddedPostgres({ dataDir }).then(
      async (server) => server.stop(),
      (error: { code?: string }) => error.code,
    );
  } finally {
    spy.mockRestore();
  }
}

async function withServer(work: (server: EmbeddedPostgres) => Promise<void>): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir });
  await work(server).finally(() => server.stop());
}

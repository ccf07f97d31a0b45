import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeSchema } from '#database/describe-schema.ts';
import { migrate } from '#database/migrate.ts';
import { readSqlFiles } from '#database/sql-files.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { markAsApplied } from '#test/mark-as-applied.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const run = (statements: string) => database.pool.query(statements);

async function functionNames(): Promise<string[]> {
  const { rows } = await run(`
    select proname as name from pg_proc p
     where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`);
  return rows.map(({ name }) => name);
}

describe('the functions of the database', () => {
  // Proves R39: functions are those of the release
  it('installs the functions of database/functions/, one per file', async () => {
    const files = await readSqlFiles('functions');
    const made = await functionNames();
    const strange = made.filter((name) => !files.has(name));
    expect(
      strange.map((name) => `${name}() is in no file: write it to database/functions/${name}.sql`),
    ).toEqual([]);
    expect(made).toEqual([...files.keys()]);
    for (const [name, text] of files) {
      const defined = [...text.matchAll(/^create or replace function (\w+)\(/gm)].map(([, n]) => n);
      expect(defined, `database/functions/${name}.sql`).toEqual([name]);
    }
  });

  it('never changes a database function in a migration', async () => {
    const changing = [...(await readSqlFiles('migrations'))]
      .filter(([name, text]) => name >= '0037' && /create or replace function/i.test(text))
      .map(([name]) => `database/migrations/${name}.sql: change database/functions/ instead`);
    expect(changing).toEqual([]);
  });

  it.each([
    [
      'an older release left others',
      async () => {
        await run(`create or replace function announce_pages() returns trigger language plpgsql as
          $$ begin return null; end $$`);
        await markAsApplied(database.pool, 'announce_pages');
      },
    ],
    [
      'they were changed by hand',
      () => run(`alter function announce_pages() security definer set search_path to public`),
    ],
    ['a restore brought old ones', () => run('comment on function announce_pages() is null')],
  ])('creates the database functions again if %s', async (_how, change) => {
    const before = await functionNames();
    const made = () =>
      run(
        `select pg_get_functiondef('announce_pages'::regproc), obj_description('announce_pages'::regproc)`,
      );
    const { rows } = await made();
    await change();
    expect(await migrate(database.db)).toEqual([]);
    expect(await functionNames()).toEqual(before);
    expect((await made()).rows).toEqual(rows);
  });

  it('leaves database functions unchanged if they match their files', async () => {
    const versions = () =>
      run(
        'select oid, xmin from pg_proc union all select objoid, xmin from pg_description order by 1',
      );
    const before = (await versions()).rows;
    await migrate(database.db);
    expect((await versions()).rows).toEqual(before);
  });

  it('rolls back the migrations before a function that cannot be created, and names its file', async () => {
    await run('drop schema public cascade; create schema public');
    await migrate(database.db, '0035_pictures_by_https');
    // A function with another return type, as if the migration that drops the old version were
    // missing.
    await run(
      `drop function words_of(text[]); create function words_of(text[]) returns integer language sql as 'select 1'`,
    );
    const before = await describeSchema(database.pool);
    await expect(migrate(database.db)).rejects.toThrow(
      /^database\/functions\/words_of\.sql failed: cannot change return type of existing function\. The database is as it was before\. Fix/,
    );
    expect(await describeSchema(database.pool)).toBe(before);
  });
});

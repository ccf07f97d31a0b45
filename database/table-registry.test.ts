import { describe, expect, test } from 'vitest';
import { listTables } from '#database/backups/backup.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
  insertUser,
} from '#test/factories/insert.ts';
import { removeDemo } from '#database/seed/remove-demo.ts';
import { tableRules } from '#database/table-registry.ts';
import type { TableRules } from '#database/table-rules.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { jobs } from '#app/jobs.server.ts';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();
const rules = new Map<string, TableRules>(Object.entries(tableRules));

async function column(query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(query, values);
  return rows.map(({ name }) => name);
}

const entries = (pick: (rule: TableRules) => unknown) =>
  [...rules].flatMap(([name, rule]) => (pick(rule) ? [name] : [])).toSorted();

describe('database/table-registry.ts', () => {
  test('defines what happens to each table’s rows, and backs all of them up', async () => {
    const backedUp = (await listTables(database.pool)).map(({ name }) => name);
    const there = backedUp.filter((name) => name !== 'kysely_migration').toSorted();
    const forgotten = there.filter((name) => !rules.has(name));
    expect(
      forgotten.map((name) => `${name} has no entry in database/table-registry.ts: write one`),
    ).toEqual([]);
    expect(there).toEqual([...rules.keys()].toSorted());
  });

  test.each([
    ['person', 'users'],
    ['deal', 'deals'],
    ['merchant', 'merchants'],
  ] as const)("describes the foreign keys' actions when a %s is deleted", async (what, root) => {
    const found = await column(
      `with recursive hit (oid, kind) as (
         select $1::regclass::oid, 'c'
         union select conrelid, confdeltype::text from pg_constraint join hit on confrelid = hit.oid and kind = 'c'
          where contype = 'f'
       )
       -- if there are several ways, the strongest one
       select distinct on (oid) oid::regclass || ': ' ||
              case kind when 'c' then 'go' when 'n' then 'stay without it' else 'forbid it' end as name
         from hit order by oid, position(kind in 'arcn')`,
      [root],
    );
    const told = [...rules].flatMap(([name, rule]) =>
      rule[what] && rule[what] !== 'go by trigger'
        ? [`${name}: ${rule[what] === 'made again' ? 'go' : rule[what]}`]
        : [],
    );
    expect(told.toSorted()).toEqual(found.toSorted());
  });

  test("R45: lists every column that may contain a person's email or id without a foreign key", async () => {
    const found = await column(
      `select relname || '.' || attname as name from pg_attribute join pg_class c on c.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
          and attname ~ '(^|_)(by|actor|user|user_id|email|recipient)$' and relname <> 'users'
          and not exists (select from pg_constraint where conrelid = c.oid and contype = 'f' and conkey[1] = attnum)`,
    );
    const told = [...rules].flatMap(([name, { keepsIdIn = [], hasIdIn = [], erasedByAddress }]) =>
      [...keepsIdIn, ...hasIdIn, ...(erasedByAddress ? [erasedByAddress] : [])].map(
        (one) => `${name}.${one}`,
      ),
    );
    expect(told.toSorted()).toEqual(found.toSorted());
  });

  // Proves R45: no table is forgotten when a person goes
  test('R45: names each table in a person’s download, or the reason for leaving it out', async () => {
    const theirs = (rule: TableRules) => rule.person ?? rule.erasedByAddress ?? rule.erasedById;
    expect(entries((rule) => rule.download)).toEqual(entries(theirs));
    const { id } = await insertUser(database.db);
    const told = [...rules.values()].flatMap(({ download }) =>
      download && 'as' in download ? [download.as] : [],
    );
    expect(told.toSorted()).toEqual(Object.keys(await exportAccount(database.db, id)).toSorted());
  });

  test('lists everything that an undo restores: all rows deleted with a deal', async () => {
    const [text = ''] = await column(
      `select prosrc as name from pg_proc where proname = 'delete_deals'`,
    );
    const kept = [...text.matchAll(/^ +'(\w+)', /gm)].map(([, name = '']) => name);
    expect(kept.toSorted()).toEqual(entries(({ deal }) => deal?.startsWith('go')));
  });

  test('lists the tables with demo rows, and removes all of these rows', async () => {
    const marked = await column(
      `select relname as name from pg_attribute join pg_class c on c.oid = attrelid
        where attname = 'is_demo' and relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    expect(entries(({ isDemo }) => isDemo)).toEqual(marked.toSorted());
    const { db } = database;
    await insertBlogPost(db, { is_demo: true });
    const category_id = (await insertCategory(db, { is_demo: true })).id;
    const merchant_id = (await insertMerchant(db, { is_demo: true })).id;
    await insertDeal(db, { is_demo: true, category_id, merchant_id });
    await removeDemo(db);
    for (const name of marked) {
      expect(await column(`select id as name from ${name} where is_demo`), name).toEqual([]);
    }
  });

  test('names a job that deletes old rows, with a valid SQL condition', async () => {
    for (const [name, { old }] of rules) {
      if (typeof old === 'string') continue;
      expect(
        jobs.map((job) => job.name),
        name,
      ).toContain(old.job);
      await database.pool.query(`select from ${name} where ${old.where}`);
    }
  });
});

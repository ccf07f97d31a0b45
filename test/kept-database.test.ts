import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { createTestDatabase, useTestDatabase } from '#test/database.ts';
import { describeSchema } from '#database/describe-schema.ts';

const database = useTestDatabase();

async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select tablename as name, (xpath('/row/count/text()', query_to_xml(
             format('select count(*) from public.%I', tablename), false, true, '')))[1]::text::int as count
      from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'`.execute(
    database.db,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const expectedDeals = async () => {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from deals`.execute(database.db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'];
};

describe('a test’s database', () => {
  test.each([1, 2])(
    'resets the database for each test, with empty tables and restarted sequences (run %i)',
    async () => {
      const filled = Object.entries(await rowCounts()).flatMap(([name, count]) =>
        count ? name : [],
      );
      expect(
        filled.filter((name) => !/^(?:site_counters|site_secrets|newsletter_lists)$/.test(name)),
      ).toEqual([]);
      const deal = await insertDeal(database.db, { sale_price: 1000 });
      await sql`update deals set sale_price = 900 where id = ${deal.id}`.execute(database.db);
      expect(deal.id).toBe(1);
      expect((await rowCounts()).price_log).toBe(2); // append-only, except in tests
    },
  );

  test.each([1, 2])("resets the planner's estimates for each test (run %i)", async () => {
    const before = await expectedDeals();
    for (let n = 0; n < 300; n++) await insertDeal(database.db, { slug: `deal-${n}` });
    await sql`analyze`.execute(database.db);
    expect(await expectedDeals()).toBe(300);
    expect(before).not.toBe(300);
    await database.reset();
    expect(await expectedDeals()).toBe(before);
  });
});

describe('schema comparison', () => {
  test.each([
    ['a column', 'alter table deals add column extra text'],
    ['a default', `alter table deals alter column title set default 'x'`],
    ['an index', 'create index extra on deals (id)'],
    ['a constraint', 'alter table deals add constraint extra check (id > 0)'],
    ['a disabled trigger', 'alter table deals disable trigger deals_after_update'],
    [
      'the text of a function',
      'create or replace function refuse_update() returns trigger language plpgsql as $$ begin return new; end $$',
    ],
    ['a schema', 'create schema extra'],
    ['a migration', `insert into kysely_migration values ('9999_later', '')`],
  ])('distinguishes schemas that differ by %s', async (_name, change) => {
    const own = await createTestDatabase();
    try {
      const before = await describeSchema(own.pool);
      await own.pool.query(change);
      expect(await describeSchema(own.pool)).not.toBe(before);
    } finally {
      await own.close();
    }
  });

  test('treats two equal databases as the same schema', async () => {
    const own = await createTestDatabase();
    expect(await describeSchema(own.pool)).toBe(await describeSchema(database.pool));
    await own.close();
  });
});

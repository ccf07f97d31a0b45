import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { connect, type Connection } from '#database/connect.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertDeals } from '#test/factories/insert.ts';

const database = useTestDatabase();

async function withOneConnection<T>(
  work: (connection: Connection) => Promise<T>,
  options: Parameters<typeof connect>[1] = {},
): Promise<T> {
  const connection = connect(database.url, { ...options, maxConnections: 1 });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function plansOf({ pool }: Connection) {
  const { rows } = await pool.query<{ statement: string; uses: number }>(
    'select statement, custom_plans + generic_plans as uses from pg_prepared_statements',
  );
  return rows;
}

it('plans only marked statements once per connection', async () => {
  await withOneConnection(async (connection) => {
    for (const wanted of [1, 2, 3]) {
      const { rows } = await sql`/* often */ select ${wanted}::int as found`.execute(connection.db);
      expect(rows).toEqual([{ found: wanted }]);
      await sql`select ${wanted}::int as found`.execute(connection.db);
    }
    expect(await plansOf(connection)).toEqual([
      { statement: '/* often */ select $1::int as found', uses: 3 },
    ]);
  });
});

it('does not prepare statements behind a pooler, where each may use another connection', async () => {
  await withOneConnection(
    async (connection) => {
      await sql`/* often */ select ${1}::int as found`.execute(connection.db);
      expect(await plansOf(connection)).toEqual([]);
    },
    { directUrl: database.url },
  );
});

it('prepares a statement again when a migration changes its result or the connection loses it', async () => {
  await withOneConnection(async (connection) => {
    const { db, pool } = connection;
    await pool.query('create table changed (value int); insert into changed values (1)');
    const ask = async () => (await sql`/* often */ select value from changed`.execute(db)).rows;
    expect(await ask()).toEqual([{ value: 1 }]);
    await pool.query('alter table changed alter value type text');
    expect(await ask()).toEqual([{ value: '1' }]);
    expect(await ask()).toEqual([{ value: '1' }]);
    await pool.query('deallocate all');
    expect(await ask()).toEqual([{ value: '1' }]);
    await pool.query('drop table changed');
    await expect(ask()).rejects.toThrow('relation "changed" does not exist');
  });
});

it('finds the deals on a page by their keys, even with the generic plan', async () => {
  const deals = await Promise.all([insertDeal(database.db), insertDeal(database.db)]);
  // In a small table, the planner may prefer a full index scan to a few key lookups.
  await insertDeals(database.db, 2_000);
  await database.pool.query('analyze deals');
  await withOneConnection(async (connection) => {
    const { db, pool } = connection;
    await pool.query('set plan_cache_mode = force_generic_plan');
    for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material']) {
      await pool.query(`set enable_${way} = off`);
    }
    const ids = deals.map(({ id }) => id);
    expect((await listDealsByIds(db, ids)).map(({ id }) => id)).toEqual(ids);
    await findPriceProofs(db, deals);
    const { rows: named } = await pool.query<{ name: string; types: number }>(
      'select name, cardinality(parameter_types) as types from pg_prepared_statements',
    );
    expect(named).toHaveLength(2);
    for (const { name, types } of named) {
      const nulls = Array.from({ length: types }, () => 'null').join(', ');
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
        `explain execute "${name}" (${nulls})`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Scan using deals_pkey on deals d');
      expect(plan).not.toContain('Seq Scan on deals');
    }
  });
});

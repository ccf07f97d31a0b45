import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { connect, type Connection } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import { readSqlFiles } from '#database/sql-files.ts';
import { generateDeals } from '#bench/generate-deals.ts';

/** To be raised when `generate-deals.ts` makes other deals than before. */
const generatorVersion = 2;

/**
 * The database `bench_<count>` on this server with that many deals: kept from an earlier run, or made now (three
 * minutes for a million). One of an older schema is made anew.
 */
export async function openShop(
  serverUrl: string,
  count: number,
  report: (line: string) => void,
  limits: { maxConnections?: number; statementTimeout?: number } = { maxConnections: 4 },
): Promise<Connection> {
  const name = `bench_${count}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const server = connect(serverUrl, { maxConnections: 1, statementTimeout: 0 });
  try {
    const wanted = `generator ${generatorVersion}, schema ${await schemaName()}`;
    const { rows } = await sql<{ made: string | null }>`
      select shobj_description(oid, 'pg_database') as made from pg_database where datname = ${name}`.execute(
      server.db,
    );
    if (rows[0]?.made !== wanted) {
      await sql`drop database if exists ${sql.ref(name)} with (force)`.execute(server.db);
      await sql`create database ${sql.ref(name)}`.execute(server.db);
      await fill(url.href, count, (line) => report(`${name}: ${line}`));
      await sql`comment on database ${sql.ref(name)} is ${sql.lit(wanted)}`.execute(server.db);
    }
  } finally {
    await server.close();
  }
  return connect(url.href, limits);
}

async function fill(url: string, count: number, report: (line: string) => void): Promise<void> {
  const shop = connect(url, { maxConnections: 3, statementTimeout: 0 });
  try {
    await migrate(shop.db);
    await generateDeals(shop.db, count, report);
  } finally {
    await shop.close();
  }
}

/** Another one for each change of a migration or function. */
async function schemaName(): Promise<string> {
  const texts = [...(await readSqlFiles('migrations')), ...(await readSqlFiles('functions'))];
  return createHash('md5').update(JSON.stringify(texts)).digest('hex');
}

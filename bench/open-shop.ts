import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { connect, type Connection, type Db } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import { readSqlFiles } from '#database/sql-files.ts';
import { generateDeals, withoutTriggers } from '#bench/generate-deals.ts';

/** Increase this number if `generate-deals.ts` creates different deals. */
const generatorVersion = 7;

/**
 * Opens the database `bench_<count>` on this server with that many deals. Reuses the database of an
 * earlier run, or creates one (three minutes for a million deals). A database with an older schema
 * is created again. With `isAlone`, the deals have no products, and the database is
 * `bench_<count>_alone`.
 */
export async function openShop(
  serverUrl: string,
  count: number,
  report: (line: string) => void,
  limits: { maxConnections?: number; statementTimeout?: number } = { maxConnections: 4 },
  { isAlone = false } = {},
): Promise<Connection> {
  const name = `bench_${count}${isAlone ? '_alone' : ''}`;
  const wanted = `generator ${generatorVersion}, schema ${await schemaName()}`;
  const { rows } = await onServer(
    serverUrl,
    sql<{ made: string | null }>`
    select shobj_description(oid, 'pg_database') as made from pg_database where datname = ${name}`,
  );
  if (rows[0]?.made !== wanted) {
    const url = await remakeDatabase(serverUrl, name);
    await fill(url, count, (line) => report(`${name}: ${line}`), isAlone);
    const mark = sql`comment on database ${sql.ref(name)} is ${sql.lit(wanted)}`;
    await onServer(serverUrl, mark);
  }
  await letSomeEndSoon(urlOf(serverUrl, name));
  return connect(urlOf(serverUrl, name), limits);
}

/** Creates an empty database of this name, or a copy of another database. Returns its address. */
export async function remakeDatabase(
  serverUrl: string,
  name: string,
  like = 'template1',
): Promise<string> {
  await onServer(serverUrl, sql`drop database if exists ${sql.ref(name)} with (force)`);
  await onServer(serverUrl, sql`create database ${sql.ref(name)} template ${sql.ref(like)}`);
  return urlOf(serverUrl, name);
}

export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

function onServer<Row>(serverUrl: string, statement: RawBuilder<Row>) {
  const { db, close } = connect(serverUrl, { maxConnections: 1, statementTimeout: 0 });
  return statement.execute(db).finally(close);
}

async function fill(
  url: string,
  count: number,
  report: (line: string) => void,
  isAlone: boolean,
): Promise<void> {
  const { db, close } = connect(url, { maxConnections: 3, statementTimeout: 0 });
  try {
    await migrate(db);
    await generateDeals(db, count, report, { isAlone });
    report('a year of clicks');
    await generateClicks(db, count);
  } finally {
    await close();
  }
}

/**
 * Sets one deal in a hundred to expire within six days. Half of these expire within the 72 hours of
 * "expiring soon". Only these deals depend on the clock, so a reused shop gets new ones.
 */
async function letSomeEndSoon(url: string): Promise<void> {
  const { db, close } = connect(url, { maxConnections: 1, statementTimeout: 0 });
  try {
    await withoutTriggers(db, async (tx) => {
      await sql`
        with ending as (
          update deals set expires_at = now() + interval '2 hours' + id % 8640 * interval '1 minute'
           where abs(hashint8(id) % 100) = 7 and not is_expired
          returning id, expires_at
        )
        update deal_texts t set expires_at = e.expires_at from ending e where t.deal_id = e.id`.execute(
        tx,
      );
    });
    await sql`vacuum analyze deals, deal_texts`.execute(db);
  } finally {
    await close();
  }
}

/**
 * Generates a year of clicks, with 15 of 1,000 deals clicked each day, some repeatedly and most
 * never.
 */
async function generateClicks(db: Db, count: number): Promise<void> {
  const perDay = Math.ceil(count * 0.015);
  await sql`select setseed(0.5)`.execute(db);
  for (let ago = 364; ago >= 0; ago -= 1) {
    await sql`
      insert into clicks (deal_id, day, count)
      select d.id, (now() at time zone 'UTC')::date - ${ago}::integer, picked.count
        from (select 1 + floor(power(random(), 3) * ${count})::bigint as id, count(*) as count
                from generate_series(1, ${perDay}::integer) group by 1) picked
        join deals d on d.id = picked.id`.execute(db);
  }
  await sql`
    insert into click_days (kind, place_id, day, count)
    select place.kind, place.id, c.day, sum(c.count)
      from clicks c join deals d on d.id = c.deal_id,
           lateral (values ('site', 0), ('category', d.category_id), ('merchant', d.merchant_id),
                           ('feed', coalesce(d.feed_source_id, 0))) place (kind, id)
     group by 1, 2, 3`.execute(db);
  await sql`vacuum analyze clicks, click_days, recent_clicks`.execute(db);
}

/** Returns a name that changes with each migration or function. */
async function schemaName(): Promise<string> {
  const texts = [...(await readSqlFiles('migrations')), ...(await readSqlFiles('functions'))];
  return createHash('md5').update(JSON.stringify(texts)).digest('hex');
}

import { readFile } from 'node:fs/promises';
import { type RawBuilder, sql } from 'kysely';
import { connect, type Db } from '#database/connect.ts';
import { durationOf, type Measured, table } from '#bench/measure.ts';
import { remakeDatabase } from '#bench/open-shop.ts';
import { clockOfBackend } from '#bench/search-cost.ts';

const months = 48;
const linesPerDeal = 200;
const firstMonth = '2022-12-01';
const reads = 400;
const newLines = 20_000;

type Report = (line: string) => void;
interface Figure {
  what: string;
  unit: string;
  value: number;
}
interface Filled {
  db: Db;
  deals: number;
  rows: number;
  processorMs(): Promise<number>;
}

interface Column {
  name: string;
  figures: Figure[];
}

/**
 * Measures a price log of this many lines over four years in three layouts: as one table, with the
 * partitions of docs/price-log-in-years.sql, and with partitions of several months. Each layout is
 * measured and dropped before the next. A line takes about 160 bytes on disk.
 */
export async function benchLogSize(
  serverUrl: string,
  rows: number,
  partitions: readonly number[],
  report: Report,
): Promise<Measured> {
  const columns = await measureLayout(serverUrl, null, rows, report);
  for (const each of partitions) {
    columns.push(...(await measureLayout(serverUrl, each, rows, report)));
  }
  const [plain, ...others] = columns;
  const lines = plain?.figures.map(({ what, unit, value }, n) => {
    const cells = others.map(({ figures }) => {
      const other = figures[n]?.value ?? Number.NaN;
      return `${shown(other)} (${(other / value).toFixed(2)})`;
    });
    return [`${what}, ${unit}`, shown(value), ...cells];
  });
  const heading = [`${rows.toLocaleString('en-US')} lines`, ...columns.map(({ name }) => name)];
  return { results: columns, text: table([heading, ...(lines ?? [])]), isMet: true };
}

const shown = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** The one-table layout is measured twice: before and after the script. */
async function measureLayout(
  serverUrl: string,
  monthsEach: number | null,
  rows: number,
  report: Report,
): Promise<Column[]> {
  const name = monthsEach === null ? 'one table' : `${monthsEach} months each`;
  const url = await remakeDatabase(serverUrl, 'bench_log');
  const { db, close } = connect(url, { maxConnections: 1, statementTimeout: 0 });
  try {
    const processorMs = await clockOfBackend(db);
    const log = { db, deals: Math.ceil(rows / linesPerDeal), rows, processorMs };
    await fill(log, monthsEach, (line) => report(`${name}: ${line}`));
    const columns = [{ name, figures: await measureAll(log, endOfLog) }];
    if (monthsEach === null) {
      await runScript(log, report);
      columns.push({ name: 'by the script', figures: await measureAll(log, nextYear) });
    }
    for (const column of columns) {
      for (const { what, unit, value } of column.figures)
        report(`${column.name}: ${what} ${shown(value)} ${unit}`);
    }
    return columns;
  } finally {
    await close();
    await remakeDatabase(serverUrl, 'bench_log');
  }
}

/** Returns the beginning of the n-th month. */
const begins = (month: number) =>
  sql`(timestamptz ${sql.lit(`${firstMonth}T00:00:00Z`)} + ${sql.lit(month)} * interval '1 month')`;
const endOfLog = begins(months);
/** The time is in the first partition that the script creates for future lines. */
const nextYear = sql`(date_trunc('year', now() + interval '1 month', 'UTC') + interval '1 year 1 day')`;

async function measureAll(log: Filled, newest: RawBuilder<unknown>): Promise<Figure[]> {
  return [
    ...(await measureSize(log)),
    ...(await measureReads(log)),
    ...(await measureNewPrices(log, newest)),
  ];
}

async function runScript({ db, processorMs }: Filled, report: Report): Promise<void> {
  const script = await readFile(new URL('../docs/price-log-in-years.sql', import.meta.url), 'utf8');
  for (const step of script.split(/^-- Step /m).slice(1)) {
    const before = await processorMs();
    const ms = await durationOf(() => sql.raw(`-- ${step}`).execute(db));
    const seconds = [ms, (await processorMs()) - before].map((one) => (one / 1_000).toFixed(2));
    report(`step ${step[0]}: ${seconds.join(' s, of the processor ')} s`);
  }
}

const columns = sql.raw(`
  id bigint not null, deal_id bigint not null, at timestamptz not null default now(),
  sale_price integer not null check (sale_price > 0), original_price integer check (original_price > 0),
  availability text not null, source text not null check (source in ('admin', 'import', 'feed', 'demo')), import_run_id bigint`);

/** The price log as the migrations create it, without its functions. */
const likeTheSite = `
  alter table price_log add foreign key (deal_id) references deals (id) on delete cascade;
  alter table price_log alter id add generated always as identity;
  create function refuse_update() returns trigger language plpgsql as $$ begin return null; end $$;
  create function price_log_keep_lines() returns trigger language plpgsql as $$ begin return null; end $$;
  create function price_log_keep_proofs() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger price_log_append_only before update on price_log for each row execute function refuse_update();
  create trigger price_log_keep_lines after delete on price_log
    referencing old table as old_rows for each statement execute function price_log_keep_lines();
  create trigger price_log_keep_proofs after insert on price_log
    referencing new table as new_rows for each statement execute function price_log_keep_proofs();`;

async function fill(
  { db, deals, rows }: Filled,
  monthsEach: number | null,
  report: Report,
): Promise<void> {
  await sql`set timezone = 'UTC'`.execute(db);
  await sql`set maintenance_work_mem = '1GB'`.execute(db);
  await sql`create table deals (id bigint primary key)`.execute(db);
  await sql`insert into deals select generate_series(1, ${deals}::bigint)`.execute(db);
  await db.transaction().execute(async (tx) => {
    const how = monthsEach === null ? sql`` : sql`partition by range (at)`;
    await sql`create table price_log (${columns}) ${how}`.execute(tx);
    for (let month = 0; month < months; month++) {
      if (monthsEach && month % monthsEach === 0) await addPartition(tx, month, monthsEach);
      await insertMonth(tx, month, Math.ceil(rows / months), deals);
      if (month % 12 === 11) report(`${month + 1} months of lines`);
    }
  });
  report('indexes');
  const key = monthsEach === null ? sql`(id)` : sql`(id, at)`;
  await sql`alter table price_log add primary key ${key}`.execute(db);
  await sql`create index price_log_deal on price_log (deal_id, at desc, id desc)`.execute(db);
  report('vacuum');
  await sql`vacuum (freeze, analyze) deals, price_log`.execute(db);
  report('what the script expects');
  await sql.raw(likeTheSite).execute(db);
  await sql`checkpoint`.execute(db);
}

async function addPartition(db: Db, month: number, each: number): Promise<void> {
  const { rows } = await sql<{ from: string; to: string }>`
    select ${begins(month)}::text as from, ${begins(month + each)}::text as to`.execute(db);
  await sql`create table ${sql.ref(`price_log_${month}`)} partition of price_log
    for values from (${sql.lit(rows[0]?.from)}) to (${sql.lit(rows[0]?.to)})`.execute(db);
}

/** Inserts the lines of a month in order of time, for random deals. */
async function insertMonth(db: Db, month: number, count: number, deals: number): Promise<void> {
  await sql`
    insert into price_log (id, deal_id, at, sale_price, original_price, availability, source, import_run_id)
      select n, 1 + (hashint8extended(n, 1) & 9223372036854775807) % ${deals}::bigint,
             ${begins(month)} + (n - ${month * count}::bigint)::float8 / ${count + 1}::bigint * interval '28 days',
             500 + (hashint8extended(n, 2) & 65535)::integer, 90000, 'in_stock', 'feed', ${month}::bigint
        from generate_series(${month * count}::bigint + 1, ${(month + 1) * count}::bigint) n`.execute(
    db,
  );
}

async function measureSize({ db, rows }: Filled): Promise<Figure[]> {
  const { rows: sizes } = await sql<{ heap: number; indexes: number }>`
    select sum(pg_table_size(oid))::float8 as heap, sum(pg_indexes_size(oid))::float8 as indexes
      from pg_class where relname like 'price_log%' and relkind = 'r'`.execute(db);
  const { heap = 0, indexes = 0 } = sizes[0] ?? {};
  return [
    { what: 'a line', unit: 'bytes', value: heap / rows },
    { what: 'its indexes', unit: 'bytes', value: indexes / rows },
  ];
}

async function measureReads({ db, deals, processorMs }: Filled): Promise<Figure[]> {
  const end = endOfLog;
  const history = (deal: number, days: number | null) => sql`
    select at, sale_price, availability, source from (
      select id, at, sale_price, availability, source from price_log
       where deal_id = ${deal}
         and (${days}::integer is null or at >= coalesce(
           (select max(at) from price_log
             where deal_id = ${deal} and at < ${end} - make_interval(days => ${days}::integer)), '-infinity'))
       order by at desc, id desc limit 1000) newest
     order by at, id`;
  const works = {
    "a deal's chart of 90 days": (deal: number) => history(deal, 90),
    "a deal's whole chart": (deal: number) => history(deal, null),
    'the price at a moment': (deal: number) => sql`
      select sale_price from price_log where deal_id = ${deal} and at <= ${end} - interval '200 days' and availability <> 'out_of_stock'
       order by at desc, id desc limit 1`,
  };
  const figures: Figure[] = [];
  for (const [what, work] of Object.entries(works)) {
    const spent = async (seed: number) => {
      const before = await processorMs();
      for (let n = 1; n <= reads; n++) await work(1 + ((n * 7919 + seed) % deals)).execute(db);
      return ((await processorMs()) - before) / reads;
    };
    await spent(0); // warms up
    figures.push({ what, unit: 'ms', value: await spent(0) });
  }
  const before = await processorMs();
  await readForForecasts(db, Math.min(1_000, deals));
  figures.push({
    what: 'two years of 1,000 deals, for forecasts',
    unit: 'ms',
    value: (await processorMs()) - before,
  });
  return figures;
}

/** Runs the queries of `forecast-prices`. */
async function readForForecasts(db: Db, count: number): Promise<void> {
  const from = sql`(${endOfLog} - interval '730 days')`;
  await sql`
    select d.id, log.steps from deals d
      cross join lateral (
        select json_agg(json_build_array(extract(epoch from greatest(l.at, ${from})), l.sale_price) order by l.at, l.id) as steps
          from price_log l
         where l.deal_id = d.id and l.at <= ${endOfLog}
           and l.at >= coalesce((select o.at from price_log o where o.deal_id = d.id and o.at < ${from}
                                  order by o.at desc, o.id desc limit 1), '-infinity')) log
     where d.id <= ${count}`.execute(db);
}

interface Plan {
  Plan: { 'WAL Bytes': number; 'Shared Read Blocks': number };
}

/**
 * Measures new prices, a thousand per statement, for random deals, as imports write them. A
 * checkpoint comes first, so that PostgreSQL logs each changed page completely.
 */
async function measureNewPrices(
  { db, deals, rows, processorMs }: Filled,
  newest: RawBuilder<unknown>,
): Promise<Figure[]> {
  await sql`checkpoint`.execute(db);
  const begun = await processorMs();
  let [log, read] = [0, 0];
  for (let n = 0; n < newLines; n += 1_000) {
    const { rows: plans } = await sql<{ 'QUERY PLAN': [Plan] }>`
      explain (analyze, wal, buffers, timing off, format json)
      insert into price_log (id, deal_id, at, sale_price, original_price, availability, source) overriding system value
        select n, 1 + (hashint8extended(n, 1) & 9223372036854775807) % ${deals}::bigint,
               ${newest} - interval '1 hour', 700, 900, 'in_stock', 'feed'
          from generate_series(${rows + 1_000 + n}::bigint, ${rows + 1_999 + n}::bigint) n`.execute(
      db,
    );
    const plan = plans[0]?.['QUERY PLAN'][0].Plan;
    log += plan?.['WAL Bytes'] ?? 0;
    read += plan?.['Shared Read Blocks'] ?? 0;
  }
  return [
    { what: 'a new price', unit: 'us', value: (((await processorMs()) - begun) * 1000) / newLines },
    { what: 'a new price after a checkpoint', unit: 'bytes of WAL', value: log / newLines },
    { what: 'a new price', unit: 'blocks read', value: read / newLines },
  ];
}

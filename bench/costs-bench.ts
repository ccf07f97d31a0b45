import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { request } from 'undici';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { smtpTransport } from '#app/platform/mail/smtp-transport.server.ts';
import { writeBackup } from '#database/backup.ts';
import { connect, type Connection, type Db } from '#database/connect.ts';
import { load, type Running, startSite, statOf } from '#bench/measured-site.ts';
import { type Measured, table } from '#bench/measure.ts';
import { openShop, remakeDatabase } from '#bench/open-shop.ts';
import { searches } from '#bench/search-mix.ts';
import { loadEntry } from '#server/site-sources.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';

const asked = 400;
const atOnce = 4;
const prices = 4_000;
const alerts = 400;

/** Milliseconds of processor for one of them: in the site's process, and in all of the database's. */
interface Cost {
  what: string;
  site: number;
  database: number;
}

/**
 * What each thing that a site does costs the processor, for `scaling`: of the site and of the database apart, on a copy of the shop.
 * Needs the build, Linux, and the database on this machine.
 */
export async function measureCosts(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  await (await openShop(serverUrl, deals, report)).close();
  const url = await remakeDatabase(serverUrl, 'bench_costs', `bench_${deals}`);
  const connection = connect(url, { maxConnections: 6, statementTimeout: 0 });
  const databaseMs = await clockOfServer(connection.db);
  const costs: Cost[] = [];
  try {
    const limits = 'page=0,search=0,search-burst=0,api-address=0'; // all visitors have one address
    const settings = { DATABASE_URL: url, ROLE: 'web', RATE_LIMITS: limits };
    costs.push(...(await costsOfPages(connection.db, settings, databaseMs)));
    costs.push(await costOfPrices(connection.db, databaseMs));
    costs.push(...(await costsOfAlerts(connection, databaseMs)));
    const sizes = await sizesOf(connection.db, deals);
    costs.push(await costOfBackup(connection, databaseMs));
    const rows = costs.map(({ what, site, database }) => [what, shown(site), shown(database)]);
    const text = [
      table([['ms of processor for each', 'site', 'database'], ...rows]),
      table([['bytes for each', ''], ...sizes.map(({ what, bytes }) => [what, bytes.toFixed(0)])]),
    ].join('\n\n');
    return { results: { costs, sizes }, text, isMet: true };
  } finally {
    await connection.close();
    await remakeDatabase(serverUrl, 'bench_costs');
  }
}

const shown = (ms: number) => ms.toFixed(ms < 1 ? 3 : 1);

async function costsOfPages(
  db: Db,
  settings: Record<string, string>,
  databaseMs: () => Promise<number>,
): Promise<Cost[]> {
  const { rows } = await sql<{ id: number; slug: string }>`
    select id, slug from deals where is_active and not is_expired order by hashint8(id) limit ${asked}`.execute(
    db,
  );
  const picture = 'pictures/0123456789abcdef.webp';
  await sql`insert into stored_pictures (name, content) values (${picture}, decode(repeat('a7', 6000), 'hex'))`.execute(
    db,
  );
  const words = searches.flatMap(({ query }) => (query ? [encodeURIComponent(query)] : []));
  const addresses = {
    'a list made anew': rows.map((_, n) => `/deals?page=${1 + (n % 20)}`),
    "a deal's page made anew": rows.map(({ slug }) => `/deals/${slug}`),
    'a search': rows.map((_, n) => `/deals?search=${words[n % words.length]}`),
    suggestions: rows.map((_, n) => `/api/suggest?q=${words[n % words.length]}`),
    'an answer of the API': rows.map((_, n) => `/api/v1/deals?min_price=${n}`),
    'a picture of 6 kB': rows.map((_, n) => `/media/${picture}?${n}`),
    'a click': rows.map(({ id }) => `/out/${id}`),
  };
  const made = await startSite('/deals', { ...settings, PAGE_CACHE_MB: '0' });
  const costs: Cost[] = [];
  try {
    for (const [what, list] of Object.entries(addresses)) {
      if (what !== 'a click') await askAll(made, list.slice(0, 200)); // compiled and planned by then
      const spent = await spending(made, databaseMs, () => askAll(made, list));
      costs.push({ what, site: spent.site / list.length, database: spent.database / list.length });
    }
  } finally {
    await made.stop();
  }
  const kept = await startSite('/deals', { ...settings, PAGE_CACHE_MB: '64' });
  try {
    await load(`${kept.origin}/deals`, 16, 1, 'stored');
    let requests = 0;
    const spent = await spending(kept, databaseMs, async () => {
      ({ requests } = await load(`${kept.origin}/deals`, 16, 3, 'stored'));
    });
    return [{ what: 'a page in memory', site: spent.site / requests, database: 0 }, ...costs];
  } finally {
    await kept.stop();
  }
}

async function askAll({ origin }: Running, addresses: readonly string[]): Promise<void> {
  const headers = {
    'accept-encoding': 'gzip, deflate, br, zstd',
    accept: '*/*',
    'user-agent': 'Mozilla/5.0 bench',
  };
  const waiting = addresses.values();
  const ask = async () => {
    for (const address of waiting) {
      const { statusCode, body } = await request(origin + address, { headers });
      await body.dump();
      if (statusCode >= 400) throw new Error(`${address} answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
}

async function spending(
  site: Running,
  databaseMs: () => Promise<number>,
  work: () => Promise<void>,
) {
  const siteMs = async () => {
    const fields = (await statOf(site.pid)) ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  const before = [await siteMs(), await databaseMs()] as const;
  await work();
  return { site: (await siteMs()) - before[0], database: (await databaseMs()) - before[1] };
}

/** As imports change them, a thousand in a statement; nobody has an alert. */
async function costOfPrices(db: Db, databaseMs: () => Promise<number>): Promise<Cost> {
  const change = (from: number) =>
    sql`
    update deals d set sale_price = sale_price + 100, price_source = 'feed'
      from (select id from deals order by hashint8(id) limit 1000 offset ${from}) picked where d.id = picked.id`.execute(
      db,
    );
  await change(0);
  const before = await databaseMs();
  for (let n = 0; n < prices; n += 1_000) await change(1_000 + n);
  return { what: 'a changed price', site: 0, database: ((await databaseMs()) - before) / prices };
}

/** Each of its own deal and account, and fired by the one change of its price: that change, and the mail. */
async function costsOfAlerts(
  { db }: Connection,
  databaseMs: () => Promise<number>,
): Promise<Cost[]> {
  await insertAlerts(db);
  let before = await databaseMs();
  const picked = sql`select deal_id from price_alerts where user_id like 'bench-%'`;
  await sql`update deals set sale_price = greatest(1, sale_price / 2) where id in (${picked})`.execute(
    db,
  );
  const fired = ((await databaseMs()) - before) / alerts;
  const stand = await startSmtpStandIn();
  const env = readEnv({
    NODE_ENV: 'test',
    ORIGIN: 'https://deals.test',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(stand.port),
  });
  const transport = smtpTransport(env.mail);
  process.env.NODE_ENV ??= 'production'; // the React of the templates
  const { mails: kinds } = await loadEntry();
  try {
    before = await databaseMs();
    const own = process.cpuUsage();
    const worker = { kinds, readSite: readMailSite, transport };
    await sendDueMails({ db, env, log: createLog('silent') }, worker);
    const { user, system } = process.cpuUsage(own);
    const { length } = stand.accepted;
    // Of some the deal ended meanwhile.
    if (length < alerts * 0.9) throw new Error(`${length} of ${alerts} mails were sent`);
    const mail = {
      site: (user + system) / 1000 / length,
      database: ((await databaseMs()) - before) / length,
    };
    return [
      { what: 'a price that fires an alert', site: 0, database: fired },
      { what: 'a mail of an alert', ...mail },
    ];
  } finally {
    transport.close();
    await stand.close();
  }
}

async function insertAlerts(db: Db): Promise<void> {
  await sql`insert into users (id, email, email_verified)
    select 'bench-' || n, 'bench-' || n || '@mail.example', true from generate_series(1, ${alerts}::int) n`.execute(
    db,
  );
  await sql`
    insert into price_alerts (user_id, deal_id, target_price, base_price)
      select 'bench-' || row_number() over (), id, greatest(1, sale_price * 8 / 10), sale_price
        from (select id, sale_price from deals
               where is_active and not is_expired and sale_price > 100 order by hashint8(id) desc limit ${alerts}::int) d`.execute(
    db,
  );
}

/** Of the whole database, for each GB that it takes on the disk. */
async function costOfBackup(
  { db, pool }: Connection,
  databaseMs: () => Promise<number>,
): Promise<Cost> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-backup-'));
  try {
    const { rows } = await sql<{ gb: number }>`
      select pg_database_size(current_database())::float8 / 1e9 as gb`.execute(db);
    const gb = rows[0]?.gb ?? 1;
    const before = await databaseMs();
    const own = process.cpuUsage();
    const place = { file: path.join(folder, 'shop.backup'), media: null };
    await writeBackup(pool, { ...place, now: new Date() });
    const { user, system } = process.cpuUsage(own);
    const database = ((await databaseMs()) - before) / gb;
    return { what: 'a backup, a GB of the database', site: (user + system) / 1_000 / gb, database };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sizesOf(db: Db, deals: number) {
  const { rows } = await sql<Record<'deal' | 'line' | 'click', number>>`
    select (pg_total_relation_size('deals') + pg_total_relation_size('deal_texts') + pg_total_relation_size('price_proofs'))::float8
             / ${deals}::bigint as deal,
           pg_total_relation_size('price_log')::float8 / (select count(*) from price_log) as line,
           pg_total_relation_size('clicks')::float8 / (select count(*) from clicks) as click`.execute(
    db,
  );
  const { deal = 0, line = 0, click = 0 } = rows[0] ?? {};
  return [
    { what: 'a deal with its texts and proofs', bytes: deal },
    { what: 'a logged price with its indexes', bytes: line },
    { what: 'the clicks of a deal on a day', bytes: click },
  ];
}

/** Processor of the whole server: of those that ended as well, so a worker that comes and goes is counted once. */
async function clockOfServer(db: Db): Promise<() => Promise<number>> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const master = (await statOf(rows[0]?.pid ?? 0))?.[1] ?? '';
  return async () => {
    const ended = (await statOf(Number(master))) ?? [];
    let ms = ended.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid) || (await statOf(Number(pid)))?.[1] !== master) continue;
      const schedule = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0');
      ms += Number(schedule.split(' ')[0]) / 1e6;
    }
    return ms;
  };
}

import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { sql } from 'kysely';
import { findLists } from '#bench/list-mix.ts';
import { type Measured, table, timingOf, verdictOn } from '#bench/measure.ts';
import { pin, type Running, startSite, statOf } from '#bench/measured-site.ts';
import { openShop, urlOf } from '#bench/open-shop.ts';
import { cores } from '#bench/take-turns.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { signIn } from '#test/staff.ts';

const rounds = 5;
/**
 * Warm-up rounds. V8 still compiles after the first 120 lists, mostly the code that only signed-in
 * visitors need.
 */
const warmUps = 5;
const connections = 4;

export interface ListTarget {
  name: string;
  server: Running;
  /** The cookies of a signed-in visitor. */
  cookie?: string;
  /** The target's database, if the targets have different databases. */
  db?: Db;
}

/** CPU milliseconds per list, the median of the rounds. */
interface ListCost {
  node: number;
  database: number;
}

interface ListCosts {
  costs: Partial<Record<string, ListCost>>;
  failures: number;
}

/**
 * Requests different lists from each target in turn, so that other load affects all of them.
 * Measures the CPU time of the server and of PostgreSQL's backends. Rounds up to 0 are warm-ups.
 */
export async function measureLists(
  db: Db,
  targets: ListTarget[],
  addresses: string[],
  report: (line: string) => void,
): Promise<ListCosts> {
  const measured = targets.map((target) => {
    const cost: Record<'node' | 'database', number[]> = { node: [], database: [] };
    return { target, ...cost };
  });
  let failures = 0;
  for (let round = 1 - warmUps; round <= rounds; round++) {
    for (const { target, node, database } of measured) {
      const own = target.db ?? db;
      const before = await processorMs(own, target.server.pid);
      failures += await requestAll(target, addresses);
      const after = await processorMs(own, target.server.pid);
      if (round <= 0) continue;
      node.push((after.node - before.node) / addresses.length);
      database.push(usedBetween(before.database, after.database) / addresses.length);
    }
    report(`${addresses.length} lists, round ${round} of ${rounds}`);
  }
  const costs: ListCosts['costs'] = {};
  for (const { target, node, database } of measured) {
    costs[target.name] = { node: timingOf(node).median, database: timingOf(database).median };
  }
  return { costs, failures };
}

/**
 * Requests pages one at a time, twice, and measures the second time. Returns the mean milliseconds
 * of Node, and those of PostgreSQL for each page.
 */
export async function measureEach(db: Db, target: ListTarget, addresses: string[]) {
  await requestAll(target, addresses);
  const first = await processorMs(db, target.server.pid);
  const database: number[] = [];
  let before = first;
  for (const address of addresses) {
    const failures = await requestAll(target, [address]);
    if (failures > 0) throw new Error(`${address} failed.`);
    const after = await processorMs(db, target.server.pid);
    database.push(usedBetween(before.database, after.database));
    before = after;
  }
  return { node: (before.node - first.node) / addresses.length, database };
}

async function requestAll({ server, cookie }: ListTarget, addresses: string[]): Promise<number> {
  const dispatcher = new Agent({ connections });
  const headers = {
    'accept-encoding': 'gzip, deflate, br, zstd',
    accept: 'text/html',
    'user-agent': 'Mozilla/5.0 bench',
    ...(cookie && { cookie }),
  };
  const next = addresses.values();
  let failures = 0;
  const work = async () => {
    for (const address of next) {
      const { statusCode, body } = await request(server.origin + address, { headers, dispatcher });
      await body.dump({ limit: Infinity });
      if (statusCode !== 200) failures++;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  await dispatcher.close();
  return failures;
}

/** Returns the CPU milliseconds used so far, for PostgreSQL by backend. Requires Linux. */
async function processorMs(db: Db, pid: number) {
  const fields = await statOf(pid);
  const backends = await ask(db).column<number>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const database = new Map<number, number>();
  for (const backend of backends) {
    const line = await readFile(`/proc/${backend}/schedstat`, 'utf8').catch(() => null);
    if (line) database.set(backend, Number(line.split(' ')[0]) / 1e6);
  }
  return { node: (Number(fields?.[11]) + Number(fields?.[12])) * 10, database };
}

function usedBetween(before: Map<number, number>, after: Map<number, number>): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

/** Signs in a visitor with 60 favorites, 20 alerts and 5 watched searches. Returns the cookies. */
export async function signInVisitor(db: Db, origin: string): Promise<string> {
  const id = 'bench-visitor';
  await db.deleteFrom('users').where('id', '=', id).execute();
  const { cookie } = await signIn({ db }, { id, email: 'visitor@bench.test' }, origin);
  const some = (count: number) => sql`
    select id, sale_price, currency from deals where is_active and not is_expired
     order by id * 7919 % 10007 limit ${count}::int`;
  await sql`insert into user_favorites (user_id, deal_id) select ${id}, id from (${some(60)}) picked`.execute(
    db,
  );
  await sql`
    insert into price_alerts (user_id, deal_id, kind, target_price, currency)
    select ${id}, id, 'target', greatest(1, sale_price / 2), currency from (${some(20)}) picked`.execute(
    db,
  );
  await sql`
    insert into watched_searches (user_id, address, name, cadence)
    select ${id}, '/categories/' || slug, name, 'daily' from categories order by id limit 5`.execute(
    db,
  );
  return `${cookie}; own=aaaaaaaa`;
}

/**
 * The maximum CPU time of a signed-in visitor's list, divided by that of a signed-out visitor's.
 */
const bound = 1.3;
export const listCounts = [120, 400];

/**
 * Compares uncached lists of a signed-in and a signed-out visitor. Each has a separate site, so
 * that neither uses values cached for the other. `before` is another checkout.
 */
export async function benchLists(
  serverUrl: string,
  deals: number,
  before: string | undefined,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  const url = urlOf(serverUrl, `bench_${deals}`);
  const settings = { DATABASE_URL: url, LOG_LEVEL: 'info', PAGE_CACHE_MB: '0' };
  const servers: Running[] = [];
  try {
    const start = async (name: string, folder?: string): Promise<ListTarget> => {
      const server = await startSite('/deals', settings, { folder });
      pin(server.pid, cores.server);
      servers.push(server);
      return { name, server };
    };
    const targets: ListTarget[] = [];
    const cookie = await signInVisitor(shop.db, 'http://127.0.0.1');
    for (const [version, folder] of [['now', undefined], ...(before ? [['before', before]] : [])]) {
      targets.push(await start(`${version}, signed out`, folder));
      targets.push({ ...(await start(`${version}, signed in`, folder)), cookie });
    }
    const rows = [['', 'Node ms', 'PostgreSQL ms', 'beside signed out', 'target']];
    const results = [];
    let isMet = true;
    for (const count of listCounts) {
      const addresses = await findLists(shop.db, count, servers[0]?.origin ?? '');
      const { costs, failures } = await measureLists(shop.db, targets, addresses, report);
      isMet &&= failures === 0;
      for (const { name, cookie: isSignedIn } of targets) {
        const cost = costs[name];
        const out = costs[name.replace('signed in', 'signed out')];
        if (!cost || !out) continue;
        const ratio = sumOf(cost) / sumOf(out);
        const isBound = Boolean(isSignedIn) && name.startsWith('now');
        if (isBound) isMet &&= ratio <= bound;
        rows.push([
          `${count} lists, ${name}`,
          cost.node.toFixed(2),
          cost.database.toFixed(2),
          ratio.toFixed(2),
          isBound ? `at most ${bound}, ${verdictOn(ratio <= bound)}` : '',
        ]);
        results.push({ count, name, ...cost, ratio });
      }
    }
    return { results, text: table(rows), isMet };
  } finally {
    for (const server of servers) await server.stop();
    await shop.close();
  }
}

export function sumOf({ node, database }: ListCost): number {
  return node + database;
}

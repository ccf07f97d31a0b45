import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '#database/connect.ts';
import { asSuperuser } from '#test/as-superuser.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { generateDeals } from '#bench/generate-deals.ts';
import { type Measured, table } from '#bench/measure.ts';
import { type AnswerKind, load, startSite, statOf } from '#bench/measured-site.ts';
import { siteEnvironment } from '../bin/site-flags.mjs';

const sampleEveryMs = 200;
const pagesOfDeals = 1_500;
const secondsOfLoad = 20;
const connections = 16;
/** The limit in MB for the site alone, from the start until the first response. */
const mostAtStart = 250;

/**
 * The peak memory in MB during a phase: of the site, of the private database, and of both together.
 */
interface Megabytes {
  site: number;
  database: number;
  together: number;
}

/**
 * Measures the memory of the built site and its private database after the start and under load.
 * The shop has `deals` deals, and the site is limited to `memoryMb`. Uses the proportional share of
 * each process (PSS), so memory that PostgreSQL's processes share counts once. Linux only.
 */
export async function benchMemory(
  memoryMb: number,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'deal-hub-memory-'));
  await chmod(dataDir, 0o755); // as root without user namespaces, PostgreSQL runs as another user
  const results: (Megabytes & { phase: string })[] = [];
  const site = await startSite(
    '/health/ready',
    {
      ...siteEnvironment(memoryMb),
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      MEMORY_MB: String(memoryMb),
      OVERLOAD_DELAY_MS: '0',
    },
    { memoryMb },
  );
  const atStart = await mostResidentOf(site.pid);
  const [listed, found] = [`${site.origin}/deals`, `${site.origin}/deals?search=wireless`];
  // Refused requests cost memory, too, so failed requests are counted as well.
  const ask = (url: string, kind: AnswerKind) => load(url, connections, secondsOfLoad, kind);
  try {
    const slugs = await fill(dataDir, deals, report);
    const during = async (phase: string, work: () => Promise<unknown>) => {
      const most = await mostDuring(site.pid, dataDir, work);
      results.push({ phase, ...most });
      report(`${phase}: ${most.together.toFixed(0)} MB`);
    };
    await during('started, at rest', () => wait(10_000));
    await during(`${slugs.length} pages, each once`, () => visit(site.origin, slugs));
    await during('the list from memory', () => ask(listed, 'stored'));
    await during('searches, each rendered anew', () => ask(found, 'rendered'));
    await during('all of it at once', () =>
      Promise.all([visit(site.origin, slugs), ask(listed, 'stored'), ask(found, 'rendered')]),
    );
    await wait(30_000);
    await during('half a minute later', () => wait(1_000));
    const head = [`MB at most, MEMORY_MB=${memoryMb}`, 'site', 'database', 'together'];
    const rows = results.map(({ phase, ...most }) => [
      phase,
      ...[most.site, most.database, most.together].map((value) => value.toFixed(0)),
    ]);
    const isMet = atStart <= mostAtStart && results.every(({ together }) => together <= memoryMb);
    const starting = `While starting the site had ${atStart.toFixed(0)} MB at most, of ${mostAtStart}.`;
    return { results: { atStart, results }, text: `${table([head, ...rows])}\n${starting}`, isMet };
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Fills the shop through the site's own database server. Returns the URLs of cacheable pages. */
async function fill(
  dataDir: string,
  deals: number,
  report: (line: string) => void,
): Promise<string[]> {
  const server = asSuperuser(await startEmbeddedPostgres({ dataDir }));
  const shop = connect(server.url, { maxConnections: 2, statementTimeout: 0 });
  try {
    await generateDeals(shop.db, deals, report);
    const rows = await shop.db
      .selectFrom('deals')
      .select('slug')
      .where('is_active', '=', true)
      .orderBy('id')
      .limit(pagesOfDeals)
      .execute();
    return ['/', '/categories', '/merchants', ...rows.map(({ slug }) => `/deals/${slug}`)];
  } finally {
    await shop.close();
    await server.stop();
  }
}

async function visit(origin: string, pages: readonly string[]): Promise<void> {
  const left = [...pages];
  const walk = async () => {
    for (let page = left.pop(); page !== undefined; page = left.pop()) {
      const response = await fetch(origin + page, { headers: { 'accept-encoding': 'br' } });
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 4 }, walk));
}

async function mostDuring(
  pid: number,
  dataDir: string,
  work: () => Promise<unknown>,
): Promise<Megabytes> {
  const most = { site: 0, database: 0, together: 0 };
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const site = await shareOf([pid]);
      const database = await shareOf(await databaseProcesses(dataDir));
      most.site = Math.max(most.site, site);
      most.database = Math.max(most.database, database);
      most.together = Math.max(most.together, site + database);
      await wait(sampleEveryMs);
    }
  })();
  try {
    await work();
  } finally {
    stop.abort();
    await watching;
  }
  return most;
}

/** Returns the PostgreSQL server of this data folder and all child processes. */
async function databaseProcesses(dataDir: string): Promise<number[]> {
  const text = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  const server = Number(text.split('\n')[0]);
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(all.map(statOf));
  return [server, ...all.filter((_, n) => Number(stats[n]?.[1]) === server)];
}

/** Returns the peak memory of a process so far, in megabytes. */
async function mostResidentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/**
 * Returns the megabytes of these processes, with shared memory divided among them. A process that
 * has just exited counts as 0.
 */
async function shareOf(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const kilobytes = texts.map((text) => Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0));
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024;
}

import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '#database/connect.ts';
import { startEmbeddedPostgres } from '#database/embedded-postgres.ts';
import { generateDeals } from '#bench/generate-deals.ts';
import { type Measured, table } from '#bench/measure.ts';
import { load, startSite } from '#bench/measured-site.ts';
import { siteEnvironment } from '../bin/site-flags.mjs';

const sampleEveryMs = 200;
const pagesOfDeals = 1_500;
const secondsOfLoad = 20;
const connections = 16;

interface MemoryResult {
  phase: string;
  /** Megabytes at most during the phase: of the site, of its private database, of both at the same moment. */
  site: number;
  database: number;
  together: number;
}

/**
 * The built site with its private database and a shop of `deals`, told that it has `memoryMb`: what both hold, after
 * the start and under load. Counted is the proportional share of each process (PSS), so that what PostgreSQL's
 * processes share counts once. Linux only.
 */
export async function benchMemory(
  memoryMb: number,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'deal-hub-memory-'));
  await chmod(dataDir, 0o755); // root without user namespaces runs PostgreSQL as another user
  const results: MemoryResult[] = [];
  const site = await startSite(
    '/health/ready',
    {
      ...siteEnvironment(memoryMb),
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      MEMORY_MB: String(memoryMb),
      OVERLOAD_DELAY_MS: '0',
    },
    memoryMb,
  );
  const [listed, found] = [`${site.origin}/deals`, `${site.origin}/deals?search=wireless`];
  // Who is turned away costs memory too.
  const ask = (url: string, kind: 'stored' | 'rendered') =>
    load(url, connections, secondsOfLoad, kind);
  try {
    const slugs = await fill(dataDir, deals, report);
    const during = async (phase: string, work: () => Promise<unknown>) => {
      results.push({ phase, ...(await mostDuring(site.pid, dataDir, work)) });
      report(`${phase}: ${results.at(-1)?.together.toFixed(0)} MB`);
    };
    await during('started, at rest', () => wait(10_000));
    await during(`${slugs.length} pages, each once`, () => visit(site.origin, slugs));
    await during('the list from memory', () => ask(listed, 'stored'));
    await during('searches, each made anew', () => ask(found, 'rendered'));
    await during('all of it at once', () =>
      Promise.all([visit(site.origin, slugs), ask(listed, 'stored'), ask(found, 'rendered')]),
    );
    await wait(30_000);
    await during('half a minute later', () => wait(1_000));
    return {
      results,
      text: describe(results, memoryMb),
      isMet: results.every(({ together }) => together <= memoryMb),
    };
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function describe(results: readonly MemoryResult[], memoryMb: number): string {
  const rows = results.map(({ phase, site, database, together }) => [
    phase,
    ...[site, database, together].map((value) => value.toFixed(0)),
  ]);
  return table([[`MB at most, MEMORY_MB=${memoryMb}`, 'site', 'database', 'together'], ...rows]);
}

/** Joins the site's own server for it. Answers addresses of pages that the cache keeps. */
async function fill(
  dataDir: string,
  deals: number,
  report: (line: string) => void,
): Promise<string[]> {
  const server = await startEmbeddedPostgres({ dataDir });
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
): Promise<Omit<MemoryResult, 'phase'>> {
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

/** The server of this data folder and all its children. */
async function databaseProcesses(dataDir: string): Promise<number[]> {
  const text = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  const server = Number(text.split('\n')[0]);
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(all.map(parentOf));
  return [server, ...all.filter((_, n) => parents[n] === server)];
}

async function parentOf(pid: number): Promise<number | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return line === null ? null : Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Megabytes of these processes, what several share divided among them. One that has just ended counts nothing. */
async function shareOf(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const kilobytes = texts.map((text) => Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0));
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024;
}

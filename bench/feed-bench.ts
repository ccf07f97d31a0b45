import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { listDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import { saveFeedSource } from '#app/features/feeds/sources/save-feed-source.server.ts';
import { queueDueImports } from '#app/features/feeds/runs/queue-import.server.ts';
import { noteLostImport } from '#app/features/feeds/runs/run-queued-imports-job.server.ts';
import { ask } from '#database/ask.ts';
import { connect, type Connection } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import { durationOf, type Measured, ms, timingOf } from '#bench/measure.ts';
import { remakeDatabase } from '#bench/open-shop.ts';

const feedWriter = fileURLToPath(new URL('./write-feed.ts', import.meta.url));
const cli = fileURLToPath(new URL('../server/cli.ts', import.meta.url));
const mostMegabytes = 600;
const mostMsForPage = 300;

/**
 * Imports a feed of `rows` products from a scheduled source over HTTP. The import process is killed
 * once while it writes, and the schedule starts the run again.
 */
export async function benchFeed(
  serverUrl: string,
  rows: number,
  report: (line: string) => void,
): Promise<Measured> {
  const url = await remakeDatabase(serverUrl, 'bench_feed');
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-feed-'));
  const pages = connect(url, { maxConnections: 3 });
  const file = path.join(folder, 'feed.csv');
  const shop = createServer((_request, response) => {
    createReadStream(file).pipe(response);
  });
  try {
    await migrate(pages.db);
    await promisify(execFile)(process.execPath, [feedWriter, file, String(rows), '0']);
    const { size } = await stat(file);
    report(`${(size / 1e6).toFixed(0)} MB written`);
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const location = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/feed.csv`;
    await addSource(pages, location);
    const settings = {
      DATABASE_URL: url,
      DATA_DIR: folder,
      FEED_PRIVATE_HOSTS: '127.0.0.1',
      ORIGIN: 'http://127.0.0.1:1',
    };
    const measured = await measure(pages, settings, rows, report);
    const disk = await ask(pages.db).value<number>`select pg_database_size(current_database())`;
    const bytesPerByte = Number(disk) / size;
    const { megabytes, p99, seconds } = measured;
    const isMet = measured.deals === rows && megabytes < mostMegabytes && p99 < mostMsForPage;
    const text =
      `${rows.toLocaleString('en-US')} rows, ${(size / 1e6).toFixed(0)} MB over HTTP, killed once: ${seconds.toFixed(0)} s, ` +
      `${megabytes} MB at most, ${measured.deals.toLocaleString('en-US')} deals; the database has ${bytesPerByte.toFixed(1)} times the feed's bytes; ` +
      `a list page meanwhile ${ms(measured.median)} ms, p99 ${ms(p99)} ms`;
    return { results: { ...measured, size, bytesPerByte }, text, isMet };
  } finally {
    shop.close();
    await pages.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function addSource({ db }: Connection, location: string): Promise<void> {
  const merchant = { name: 'Bench Shop', slug: 'bench-shop' };
  await db.insertInto('merchants').values(merchant).execute();
  const source = { merchant: merchant.name, name: 'Feed', kind: 'url', location };
  const input = feedSourceInput.parse({ ...source, schedule_minutes: '1440', is_active: 'on' });
  await saveFeedSource(db, 'bench', input);
  await sql`update feed_sources set next_run_at = now()`.execute(db);
}

async function measure(
  pages: Connection,
  settings: Record<string, string>,
  rows: number,
  report: (line: string) => void,
) {
  const { db } = pages;
  const stop = new AbortController();
  const asked: number[] = [];
  const asking = (async () => {
    while (!stop.signal.aborted) {
      asked.push(await durationOf(() => listDeals(pages, { filter: {}, sort: 'newest', page: 1 })));
      await sleep(100);
    }
  })();
  const since = performance.now();
  let megabytes = 0;
  await queueDueImports(db);
  for (const isKilled of [true, false]) {
    const peak = await runJob(settings, async () => {
      const done = await ask(db).value<number>`select max(rows_done) from import_runs`;
      return isKilled && Number(done) > rows / 4;
    });
    megabytes = Math.max(megabytes, peak);
    report(`${((performance.now() - since) / 1_000).toFixed(0)} s, ${peak} MB`);
    if (!isKilled) break;
    await noteLostImport({ db }, 'died');
    // The schedule starts the run again by itself.
    await queueDueImports(db);
  }
  const seconds = (performance.now() - since) / 1_000;
  stop.abort();
  await asking;
  const deals = Number(await ask(db).value`select count(*) from deals`);
  return { rows, deals, seconds, megabytes, ...timingOf(asked) };
}

/**
 * Runs the job in a process as the site does, and kills that process on request. Returns its peak
 * memory in MB.
 */
async function runJob(
  settings: Record<string, string>,
  mustDie: () => Promise<boolean>,
): Promise<number> {
  const child = spawn(process.execPath, [cli, 'jobs', 'run', 'run-imports'], {
    env: { ...process.env, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    if (await mustDie()) child.kill('SIGKILL');
    await Promise.race([ended, sleep(500)]);
  }
  return Math.round(peak / 1024);
}

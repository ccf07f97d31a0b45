import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { importFeed } from '#app/features/feeds/runs/import-feed.server.ts';
import { connect, type Connection } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import { durationOf, type Measured, ms, timingOf } from '#bench/measure.ts';
import { remakeDatabase } from '#bench/open-shop.ts';

const feedWriter = fileURLToPath(new URL('./write-feed.ts', import.meta.url));
const mostSeconds = 45;
const mostMegabytes = 220;
const mostMsForPage = 300;

/**
 * Imports the same hundred thousand products three times: all new, all the same, and a tenth of
 * them changed.
 */
export async function benchImport(
  serverUrl: string,
  rows: number,
  report: (line: string) => void,
): Promise<Measured> {
  const url = await remakeDatabase(serverUrl, 'bench_import');
  const pages = connect(url, { maxConnections: 3 });
  const jobs = connect(url, { maxConnections: 1, statementTimeout: 60_000 });
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-import-'));
  const results = [];
  try {
    await migrate(jobs.db);
    for (const [feed, changed] of [
      ['all new', 0],
      ['all the same', 0],
      ['a tenth changed', 10],
    ] as const) {
      report(feed);
      const file = path.join(folder, 'feed.csv');
      // The feed is written in a separate process, so that its garbage does not count as the
      // import's memory.
      const args = [feedWriter, file, String(rows), String(changed)];
      await promisify(execFile)(process.execPath, args);
      results.push(await measure(feed, rows, file, pages, jobs));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await pages.close();
    await jobs.close();
  }
  const text = results.map(describe).join('\n');
  return { results, text, isMet: results.every((one) => one.isMet) };
}

async function measure(
  feed: string,
  rows: number,
  file: string,
  pages: Connection,
  jobs: Connection,
) {
  const stop = new AbortController();
  const asked: number[] = [];
  let most = 0;
  // Runs a list page's queries ten times a second during the import.
  const list = () => listDeals(pages, { filter: {}, sort: 'newest', page: 1 });
  const asking = (async () => {
    while (!stop.signal.aborted) {
      asked.push(await durationOf(list));
      most = Math.max(most, process.memoryUsage().rss);
      await sleep(100);
    }
  })();
  const since = performance.now();
  const outcome = await importFeed(jobs.db, { file }, { merchant: 'Bench Shop', limit: rows });
  const seconds = (performance.now() - since) / 1_000;
  stop.abort();
  await asking;
  if (outcome.state !== 'done') throw new Error(outcome.error ?? outcome.state);
  const { timing } = await jobs.db
    .selectFrom('import_runs')
    .select('timing')
    .where('id', '=', outcome.runId ?? 0)
    .executeTakeFirstOrThrow();
  const { median, p99 } = timingOf(asked);
  const megabytes = Math.round(most / 1024 / 1024);
  return {
    feed,
    rows,
    seconds,
    /** Each phase's share of the total time. */
    shares: Object.fromEntries(
      Object.entries(timing).map(([phase, spent]) => [phase, spent / 1_000 / seconds]),
    ),
    mostMegabytes: megabytes,
    pageMedianMs: median,
    pageP99Ms: p99,
    isMet: seconds <= mostSeconds && megabytes < mostMegabytes && p99 < mostMsForPage,
  };
}

function describe(one: Awaited<ReturnType<typeof measure>>): string {
  const shares = Object.entries(one.shares).map(
    ([phase, share]) => `${phase} ${Math.round(share * 100)} %`,
  );
  return (
    `${one.rows.toLocaleString('en-US')} rows, ${one.feed}: ${one.seconds.toFixed(1)} s (${shares.join(', ')}), ` +
    `${one.mostMegabytes} MB at most; a list page meanwhile ${ms(one.pageMedianMs)} ms, p99 ${ms(one.pageP99Ms)} ms`
  );
}

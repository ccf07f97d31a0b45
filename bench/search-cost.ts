import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { searchCatalog } from '#app/features/search/search-queries.server.ts';
import { suggest } from '#app/features/search/suggestion-queries.server.ts';
import { durationOf, type Measured, table, timingOf } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';
import { prefixes, searches } from '#bench/search-mix.ts';

const rounds = 3;
const targets = { search: 80, suggestions: 20 };

/**
 * Measures searches and suggestions in the database itself, in CPU milliseconds of the responding
 * backend, as counted by Linux. Unlike wall-clock time, CPU time hardly depends on other load.
 */
export async function measureSearchCost(
  serverUrl: string,
  sizes: number[],
  report: (line: string) => void,
): Promise<Measured> {
  const rows = [['', 'median', 'p99', 'longest', 'p99 on the clock', 'target']];
  let isMet = true;
  for (const size of sizes) {
    const oneLine = { maxConnections: 1, statementTimeout: 0 };
    const shop = await openShop(serverUrl, size, report, oneLine);
    const processorMs = await clockOfBackend(shop.db);
    const works = {
      search: searches.map((input) => () => searchCatalog(shop.db, input)),
      suggestions: prefixes.map((text) => () => suggest(shop.db, text)),
    };
    for (const what of ['search', 'suggestions'] as const) {
      for (const work of works[what]) await work(); // warm
      const processor: number[] = [];
      const clock: number[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const work of works[what]) {
          const before = await processorMs();
          clock.push(await durationOf(work));
          processor.push((await processorMs()) - before);
        }
      }
      const { median, p99 } = timingOf(processor);
      isMet &&= p99 < targets[what];
      const name = `${works[what].length} ${what} among ${size.toLocaleString('en-US')}`;
      const longest = Math.max(...processor);
      const cells = [median, p99, longest, timingOf(clock).p99].map((ms) => ms.toFixed(1));
      rows.push([name, ...cells, `${targets[what]}`]);
    }
    await shop.close();
  }
  return { results: rows, text: table(rows), isMet };
}

/** Requires Linux, and the database server on this host. */
export async function clockOfBackend(db: Db): Promise<() => Promise<number>> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const file = `/proc/${rows[0]?.pid}/schedstat`;
  return async () => Number((await readFile(file, 'utf8')).split(' ')[0]) / 1e6;
}

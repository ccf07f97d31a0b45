import type { Db } from '#database/connect.ts';
import {
  countDealFigures,
  listManagedDeals,
} from '#app/features/deals/managed-deal-queries.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { parseTableQuery, rowsPerPage } from '#app/platform/table-query.ts';
import { durationOf, type Measured, ms, table, timingOf, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';

const mostMilliseconds = 100;

/** The back office's list of deals: count and page together, as its screen asks for them. */
export async function benchAdmin(
  serverUrl: string,
  deals: number,
  rounds: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  try {
    const results = [];
    for (const { what, work } of tasks(deals)) {
      report(what);
      await work(shop.db);
      const durations: number[] = [];
      for (let round = 0; round < rounds; round++) {
        durations.push(await durationOf(() => work(shop.db)));
      }
      const timing = timingOf(durations);
      results.push({ what, ...timing, isMet: timing.median < mostMilliseconds });
    }
    const head = ['ms', 'median', 'p99', `target: median < ${mostMilliseconds}`];
    const rows = results.map(({ what, median, p99, isMet }) => {
      return [what, ms(median), ms(p99), verdictOn(isMet)];
    });
    return { results, text: table([head, ...rows]), isMet: results.every((one) => one.isMet) };
  } finally {
    await shop.close();
  }
}

function tasks(deals: number): { what: string; work: (db: Db) => Promise<unknown> }[] {
  const lastPage = Math.ceil(deals / rowsPerPage);
  const sorts = dealsTable.sorts.map((sort) => `sort=-${sort}`);
  const states = 'status=inactive stock=out seller=verified seller=unverified'.split(' ');
  const shown = ['expired', 'no-picture', 'held', 'demo'].map((state) => `show=${state}`);
  const searches = ['a', 'go', 'wireless', 'store', 'oak table', 'no such thing'];
  const queries = [
    ...sorts,
    ...sorts.map((sort) => `${sort}&page=${lastPage}`),
    ...sorts.map((sort) => `${sort}&page=${Math.ceil(lastPage / 2)}`),
    ...states,
    'category=3',
    'merchant=5',
    ...shown,
    ...searches.map((text) => `q=${text}`),
    'q=wireless&sort=title',
    'q=store&sort=merchant',
  ];
  return [
    { what: 'stat cards', work: countDealFigures },
    ...queries.map((query) => ({
      what: query,
      work: (db: Db) =>
        listManagedDeals(db, parseTableQuery(dealsTable, new URLSearchParams(query))),
    })),
  ];
}

import {
  countDealFigures,
  listManagedDeals,
} from '#app/features/deals/managed-deal-queries.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import type { Db } from '#database/connect.ts';
import { durationOf, type Measured, ms, table, timingOf, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';

const mostMilliseconds = 300;
const places = ['first', 'middle', 'last'] as const;

/**
 * Measures every click in the admin's list of deals: the count, the page and the stat cards, with
 * the screen's own queries.
 */
export async function benchAdmin(
  serverUrl: string,
  sizes: number[],
  rounds: number,
  report: (line: string) => void,
): Promise<Measured> {
  const results = [];
  for (const deals of sizes) results.push(await measureShop(serverUrl, deals, rounds, report));
  const text = results.map(({ deals, clicks }) => `${deals} deals\n${describe(clicks)}`);
  const isMet = results.every(({ clicks }) => clicks.every((click) => click.isMet));
  return { results, text: text.join('\n\n'), isMet };
}

interface Click {
  what: string;
  fastest: number;
  median: number;
  p99: number;
  isMet: boolean;
}

async function measureShop(
  serverUrl: string,
  deals: number,
  rounds: number,
  report: (line: string) => void,
) {
  const shop = await openShop(serverUrl, deals, report);
  const clicks: Click[] = [];
  try {
    for (const query of queries()) {
      const { pageCount } = await open(shop.db, query, 1);
      const pages = { first: 1, middle: Math.ceil(pageCount / 2), last: pageCount };
      for (const place of pageCount > 2 ? places : places.slice(0, 1)) {
        const what = `${query}, ${place} page`;
        report(`${deals} deals: ${what}`);
        const durations: number[] = [];
        for (let round = 0; round <= rounds; round++) {
          durations.push(await durationOf(() => open(shop.db, query, pages[place])));
        }
        const timing = timingOf(durations.slice(1));
        const fastest = Math.min(...durations);
        clicks.push({ what, fastest, ...timing, isMet: timing.median < mostMilliseconds });
      }
    }
  } finally {
    await shop.close();
  }
  return { deals, clicks };
}

async function open(db: Db, query: string, page: number) {
  const asked = parseTableQuery(dealsTable, new URLSearchParams(`${query}&page=${page}`));
  const [shown] = await Promise.all([listManagedDeals(db, asked), countDealFigures(db)]);
  return shown;
}

/** Returns queries for each order, filter and kind of search, and for some combinations. */
function queries(): string[] {
  const sorts = dealsTable.sorts.map((sort) => `sort=-${sort}`);
  const states =
    'status=active status=inactive stock=in stock=out seller=verified seller=unverified';
  const shown = dealsTable.filters.show.map((state) => `show=${state}`);
  const searches = ['a', 'go', 'wireless', 'store', 'oak table', 'no such thing'];
  return [
    ...sorts,
    ...states.split(' '),
    'category=1',
    'category=30',
    'merchant=1',
    'merchant=900',
    ...shown,
    ...searches.map((text) => `q=${text}`),
    ...sorts.map((sort) => `status=active&${sort}`),
    ...sorts.map((sort) => `seller=unverified&${sort}`),
    ...sorts.map((sort) => `q=wireless&${sort}`),
    'q=wireless&status=active&stock=in&category=1',
  ];
}

function describe(clicks: Click[]): string {
  const head = ['ms', 'fastest', 'median', 'p99', `target: median < ${mostMilliseconds}`];
  const rows = clicks.map(({ what, fastest, median, p99, isMet }) => {
    return [what, ms(fastest), ms(median), ms(p99), verdictOn(isMet)];
  });
  return table([head, ...rows]);
}

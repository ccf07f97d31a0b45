import type { Db } from '#database/connect.ts';
import { countDealFacets } from '#app/features/deals/deal-facet-queries.server.ts';
import { type DealFilter } from '#app/features/deals/deal-list-input.ts';
import { listSorts, type ListSort } from '#app/features/deals/deal-sorts.ts';
import { listDeals, listSimilarDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { findDealBySlug } from '#app/features/deals/deal-queries.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { searchCatalog } from '#app/features/search/search-queries.server.ts';
import { suggest } from '#app/features/search/suggestion-queries.server.ts';
import { durationOf, type Measured, table, type Timing, timingOf } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';
import { prefixes, searches } from '#bench/search-mix.ts';

interface CatalogResult {
  what: string;
  small: Timing;
  big: Timing;
  /** Median of the big shop over median of the small one. */
  ratio: number;
  target: string;
  isMet: boolean;
  /** The slowest input on the big shop, where inputs differ. */
  slowest?: string;
}

interface Task {
  what: string;
  /** Work number `n` of a round; the same for both shops. */
  inputs: ((db: Db) => Promise<unknown>)[];
  names?: string[];
  target: { ratio: number } | { p99: number };
}

interface CatalogOptions {
  serverUrl: string;
  small: number;
  big: number;
  rounds: number;
}

/**
 * The real queries on two shops of one server, call by call in turn, so that whatever else this machine does meets
 * both. Each input runs once unmeasured first: the figures are those of a warm server.
 */
export async function benchCatalog(
  options: CatalogOptions,
  report: (line: string) => void,
): Promise<Measured> {
  const small = await openShop(options.serverUrl, options.small, report);
  const big = await openShop(options.serverUrl, options.big, report);
  try {
    const results: CatalogResult[] = [];
    for (const task of await tasks(small.db, options.small)) {
      report(task.what);
      results.push(await measure(task, small.db, big.db, options.rounds));
    }
    return { results, text: describe(results, options), isMet: results.every((one) => one.isMet) };
  } finally {
    await small.close();
    await big.close();
  }
}

function describe(results: CatalogResult[], options: CatalogOptions): string {
  const head = [
    'ms',
    `median ${options.small}`,
    `p99`,
    `median ${options.big}`,
    'p99',
    'ratio',
    'target',
    '',
  ];
  const rows = results.map((result) => [
    result.what,
    ms(result.small.median),
    ms(result.small.p99),
    ms(result.big.median),
    ms(result.big.p99),
    result.ratio.toFixed(2),
    result.target,
    result.isMet ? 'met' : `MISSED${result.slowest ? ` (${result.slowest})` : ''}`,
  ]);
  return table([head, ...rows]);
}

function ms(value: number): string {
  return value.toFixed(1);
}

async function measure(task: Task, small: Db, big: Db, rounds: number): Promise<CatalogResult> {
  const times: { small: number[]; big: number[] } = { small: [], big: [] };
  const worst = { time: 0, name: '' };
  const runs = Math.max(1, Math.ceil(rounds / task.inputs.length));
  for (const [index, work] of task.inputs.entries()) {
    await work(small);
    await work(big);
    await work(big);
    const mine: number[] = [];
    for (let run = 0; run < runs; run++) {
      times.small.push(await durationOf(() => work(small)));
      mine.push(await durationOf(() => work(big)));
    }
    times.big.push(...mine);
    const { median } = timingOf(mine);
    if (median > worst.time)
      Object.assign(worst, { time: median, name: task.names?.[index] ?? '' });
  }
  const [ofSmall, ofBig] = [timingOf(times.small), timingOf(times.big)];
  const ratio = ofBig.median / ofSmall.median;
  const { target } = task;
  return {
    what: task.what,
    small: ofSmall,
    big: ofBig,
    ratio,
    target: 'ratio' in target ? `<= ${target.ratio}x` : `p99 < ${target.p99} ms`,
    isMet: 'ratio' in target ? ratio <= target.ratio : ofBig.p99 < target.p99,
    ...(task.names ? { slowest: `${worst.name}: ${worst.time.toFixed(0)} ms` } : {}),
  };
}

async function tasks(small: Db, count: number): Promise<Task[]> {
  const ratio = { ratio: 1.5 };
  const filters: DealFilter[] = [
    { status: 'used' },
    { sellerType: 'third_party' },
    { dealType: 'coupon' },
    { dealType: 'featured' },
    { minPrice: 2_000, maxPrice: 10_000 },
    { status: 'used', minPrice: 1_000 },
  ];
  // The same deals exist in both shops: the first ones of the generator, among them expired ones.
  const { slugs } = await small
    .selectFrom('deals')
    .select(({ fn }) => fn<string[]>('array_agg', ['slug']).as('slugs'))
    .where('is_active', '=', true)
    .where(
      'id',
      'in',
      Array.from({ length: 40 }, (_, n) => 1 + Math.floor((n * count) / 41)),
    )
    .executeTakeFirstOrThrow();
  return [
    { what: 'list, page 1', inputs: listSorts.map((sort) => list({}, sort)), target: ratio },
    { what: 'list, page 20', inputs: listSorts.map((sort) => list({}, sort, 20)), target: ratio },
    {
      what: 'list with filters',
      inputs: filters.map((filter) => list(filter)),
      names: filters.map((filter) => JSON.stringify(filter)),
      target: ratio,
    },
    {
      what: 'filter options',
      inputs: [(db) => countDealFacets(db, {}), (db) => countDealFacets(db, { categoryId: 3 })],
      target: ratio,
    },
    {
      what: 'category page',
      inputs: [1, 5, 20, 40].flatMap((categoryId) => [
        list({ categoryId }),
        list({ categoryId }, 'price_low'),
      ]),
      target: ratio,
    },
    {
      what: 'merchant page',
      inputs: [1, 2, 5, 20].map((merchantId) => list({ merchantId })),
      target: ratio,
    },
    {
      what: 'deal, proof and similar',
      inputs: slugs.map((slug) => async (db: Db) => {
        const deal = await findDealBySlug(db, slug);
        if (!deal) throw new Error(`The deal ${slug} is not in both shops`);
        const shown = [deal, ...(await listSimilarDeals(db, deal, 3))];
        await priceDeals(db, shown, defaultSettings, new Date());
      }),
      target: ratio,
    },
    {
      what: `search (${searches.length})`,
      inputs: searches.map((input) => (db: Db) => searchCatalog(db, input)),
      names: searches.map((input) => JSON.stringify(input)),
      target: { p99: 50 },
    },
    {
      what: `suggestions (${prefixes.length})`,
      inputs: prefixes.map((text) => (db: Db) => suggest(db, text)),
      names: prefixes,
      target: { p99: 20 },
    },
  ];
}

function list(filter: DealFilter, sort: ListSort = 'newest', page = 1) {
  return async (db: Db): Promise<void> => {
    const { deals } = await listDeals(db, { filter, sort, page });
    await priceDeals(db, deals, defaultSettings, new Date());
  };
}

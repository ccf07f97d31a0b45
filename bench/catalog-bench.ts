import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { countDealFacets } from '#app/features/deals/deal-facet-queries.server.ts';
import { type DealFilter } from '#app/features/deals/deal-list-input.ts';
import { listSorts, type ListSort } from '#app/features/deals/deal-sorts.ts';
import { listDeals, listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { listSimilarDeals } from '#app/features/deals/similar-deals-queries.server.ts';
import { findDealBySlug } from '#app/features/deals/deal-queries.server.ts';
import { findFollowedDeals } from '#app/features/follows/find-followed-deals.server.ts';
import type { Follow } from '#app/features/follows/follow-queries.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { searchCatalog } from '#app/features/search/search-queries.server.ts';
import { suggest } from '#app/features/search/suggestion-queries.server.ts';
import { durationOf, type Measured, ms, table, timingOf, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';
import { prefixes, searches } from '#bench/search-mix.ts';

interface Task {
  what: string;
  /** The calls of a round, the same for both shops. */
  inputs: ((db: Db) => Promise<unknown>)[];
  names?: string[];
  target: { ratio: number } | { p99: number };
}

/**
 * Measures the real queries on two shops of one server. The calls alternate, so that other load
 * affects both. Each input first runs once without being measured, so that the server is warm.
 */
export async function benchCatalog(
  serverUrl: string,
  sizes: { small: number; big: number },
  rounds: number,
  report: (line: string) => void,
): Promise<Measured> {
  const small = await openShop(serverUrl, sizes.small, report);
  const big = await openShop(serverUrl, sizes.big, report);
  try {
    const results = [];
    for (const task of await tasks(small.db, sizes.small)) {
      report(task.what);
      results.push(await measure(task, small.db, big.db, rounds));
    }
    const figures = [`median ${sizes.small}`, 'p99', `median ${sizes.big}`, 'p99'];
    const rows = results.map((one) => [
      one.what,
      ...[one.small.median, one.small.p99, one.big.median, one.big.p99].map(ms),
      one.ratio.toFixed(2),
      one.target,
      verdictOn(one.isMet) + (one.isMet || !one.slowest ? '' : ` (${one.slowest})`),
    ]);
    const text = table([['ms', ...figures, 'ratio', 'target', ''], ...rows]);
    return { results, text, isMet: results.every((one) => one.isMet) };
  } finally {
    await small.close();
    await big.close();
  }
}

async function measure(task: Task, small: Db, big: Db, rounds: number) {
  const times: { small: number[]; big: number[] } = { small: [], big: [] };
  let worst = { median: 0, name: '' };
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
    if (median > worst.median) worst = { median, name: task.names?.[index] ?? '' };
  }
  const [ofSmall, ofBig] = [timingOf(times.small), timingOf(times.big)];
  const ratio = ofBig.median / ofSmall.median;
  const { what, target } = task;
  return {
    what,
    small: ofSmall,
    big: ofBig,
    ratio,
    target: 'ratio' in target ? `<= ${target.ratio}x` : `p99 < ${target.p99} ms`,
    isMet: 'ratio' in target ? ratio <= target.ratio : ofBig.p99 < target.p99,
    /** The slowest input on the big shop, if inputs differ. */
    slowest: task.names ? `${worst.name}: ${worst.median.toFixed(0)} ms` : undefined,
  };
}

async function tasks(small: Db, count: number): Promise<Task[]> {
  const ratio = { ratio: 1.5 };
  const filters: DealFilter[] = [
    { status: 'used' },
    { sellerType: 'third_party' },
    { dealType: 'coupon' },
    { dealType: 'featured' },
    { dealType: 'expiring' },
    { minPrice: 2_000, maxPrice: 10_000 },
    { status: 'used', minPrice: 1_000 },
  ];
  // Returns deals that exist in both shops: the first ones that the generator creates, some of
  // which are expired.
  const ids = Array.from({ length: 40 }, (_, n) => 1 + Math.floor((n * count) / 41));
  const { slugs } = await small
    .selectFrom('deals')
    .select(({ fn }) => fn<string[]>('array_agg', ['slug']).as('slugs'))
    .where('is_active', '=', true)
    .where('id', 'in', ids)
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
      inputs: [{}, { categoryId: 3 }, { merchantId: 1 }].map(
        (filter) => (db) => countDealFacets(db, filter),
      ),
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
    await followsTask(small),
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

/** Reads the first page of `/for-you`. */
async function followsTask(small: Db): Promise<Task> {
  const followed = await listFollowed(small);
  const counts = [1, 2, 20, 200];
  return {
    what: 'deals of follows',
    inputs: counts.map((some) => async (db: Db) => {
      const { ids } = await findFollowedDeals(db, followed.slice(0, some), 1, 'checked');
      await priceDeals(db, await listDealsByIds(db, ids), defaultSettings, new Date());
    }),
    names: counts.map((some) => countNoun(some, 'follow')),
    target: { p99: 50 },
  };
}

/** Returns 200 follows that exist in both shops: the largest first, of each kind in turn. */
async function listFollowed(small: Db): Promise<Follow[]> {
  const rest = { slug: null, dealCount: null };
  const brands = await ask(small).column<string>`
    select brand from deal_texts where brand is not null group by brand order by count(*) desc, brand limit 67`;
  return Array.from({ length: 67 }, (_, n) => [
    ...(n < 40 ? [{ target: { kind: 'category', id: n + 1 } as const, name: '', ...rest }] : []),
    { target: { kind: 'merchant', id: n + 1 } as const, name: '', ...rest },
    { target: { kind: 'merchant', id: n + 68 } as const, name: '', ...rest },
    ...brands.slice(n, n + 1).map((name) => ({
      target: { kind: 'brand', name } as const,
      name,
      ...rest,
    })),
  ])
    .flat()
    .slice(0, 200);
}

function list(filter: DealFilter, sort: ListSort = 'newest', page = 1) {
  return async (db: Db): Promise<void> => {
    const { deals } = await listDeals({ db }, { filter, sort, page });
    await priceDeals(db, deals, defaultSettings, new Date());
  };
}

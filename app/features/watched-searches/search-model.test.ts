import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { conditionOf, liveScope } from '#app/features/deals/deal-conditions.server.ts';
import { filterOf, parseSearchInput } from '#app/features/deals/deal-list-input.ts';
import { readSearchTerms } from '#app/features/search/planner/search-terms.server.ts';
import { hasWords } from '#app/features/search/planner/texts-of.server.ts';
import { ask } from '#database/ask.ts';
import { matchOnce } from './match-searches.server.ts';
import { readWatchable } from './read-watchable.server.ts';
import { saveWatchedSearch } from './watched-search-queries.server.ts';

// Random searches with random deals and prices. The reference reads the list of each search before
// and after each round. A failure prints its seed; TEST_SEED=random uses new sequences.

const database = useTestDatabase();
const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3];

const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const price = fc.constantFrom(2_000, 3_900, 4_000, 5_000, 6_000, 6_100, 9_000);
const search = fc.record({
  search: maybe('lamp', 'lamps', 'brass lamp', 'kettle', 'steel kettle', 'lumo', 'light'),
  category: maybe('place-0', 'place-1'),
  merchant: maybe('place-0', 'place-1'),
  min: maybe('20', '40', '60'),
  max: maybe('39', '40', '61', '95'),
  off: maybe('10', '40', '50', '60'),
  status: maybe('used', 'new'),
  condition: maybe('good'),
  brand: maybe('Lumo', 'Vela'),
  type: maybe('coupon', 'expiring'),
});
const deal = fc.record({
  title: fc.constantFrom('Brass lamp', 'Steel kettle', 'Lamp and kettle', 'Lumo'),
  place: fc.constantFrom(0, 1),
  sale_price: price,
  original_price: fc.constantFrom(null, 8_000, 10_000),
  status: fc.constantFrom('used', 'new'),
  brand: fc.constantFrom('Lúmo', 'Vela', ''),
  coupon_code: fc.constantFrom(null, 'SAVE'),
  hours: fc.constantFrom(null, 24, 100),
});
const round = fc.record({
  added: fc.array(deal, { maxLength: 3 }),
  changed: fc.uniqueArray(fc.tuple(fc.nat({ max: 9 }), price), {
    maxLength: 5,
    selector: ([at]) => at,
  }),
  numbersPerMatch: fc.constantFrom(1, 2, 3, 1_000),
  searchesPerBatch: fc.constantFrom(1, 2, 5, 2_000),
});
const walk = fc.record({
  searches: fc.array(search, { minLength: 6, maxLength: 12, size: 'max' }),
  rounds: fc.array(round, { minLength: 3, maxLength: 6, size: 'max' }),
});

test.each(seeds)('finds the deals that enter the list of a search, seed %i', async (seed) => {
  const places: { category_id: number; merchant_id: number }[] = [];
  for (const slug of ['place-0', 'place-1']) {
    const category_id = (await insertCategory(database.db, { slug })).id;
    places.push({ category_id, merchant_id: (await insertMerchant(database.db, { slug })).id });
  }
  await fc.assert(
    fc.asyncProperty(walk, async ({ searches, rounds }) => {
      await matchUntilDone(1_000, 2_000);
      const lists = await watchAll(searches);
      const ids: number[] = [];
      for (const { added, changed, numbersPerMatch, searchesPerBatch } of rounds) {
        const before = await readAll(lists);
        const touched = new Set<number>();
        for (const [place, sale_price] of changed) {
          const id = ids[place];
          if (id === undefined) continue;
          touched.add(id);
          await database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
        }
        for (const one of added) ids.push(await addDeal(one, places));
        for (const id of ids.slice(-added.length || ids.length)) touched.add(id);
        const after = await readAll(lists);
        for (const [n, list] of lists.entries()) {
          for (const id of after[n] ?? [])
            if (touched.has(id) && !before[n]?.has(id)) list.found.add(id);
        }
        await matchUntilDone(numbersPerMatch, searchesPerBatch);
        expect(await readFinds()).toEqual(
          Object.fromEntries(
            lists.map(({ address, found }) => [
              address,
              {
                ids: [...found].toSorted((a, b) => a - b),
                unseen: found.size,
                waiting: found.size,
              },
            ]),
          ),
        );
      }
    }),
    { seed, numRuns: 8 },
  );
});

interface List {
  address: string;
  /** Reads the list as the site shows it, with whole words. */
  where: ReturnType<typeof conditionOf>;
  found: Set<number>;
}

async function watchAll(searches: Partial<Record<string, string>>[]): Promise<List[]> {
  const { db } = database;
  await db.deleteFrom('watched_searches').execute();
  const owner = { userId: (await insertUser(db)).id };
  const lists = new Map<string, List>();
  for (const params of searches) {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given as [string, string][]);
    const read = await readWatchable(db, `/deals?${query.toString()}`, 'USD');
    if (!read.ok) throw new Error(read.message);
    expect(await saveWatchedSearch(db, owner, read.watchable, 'daily')).toBe('saved');
    const { address, words, category_id, merchant_id } = read.watchable;
    const filter = {
      ...filterOf(parseSearchInput(query, 'USD')),
      categoryId: category_id ?? undefined,
      merchantId: merchant_id ?? undefined,
    };
    const terms = await readSearchTerms(db, params['search'] ?? '');
    const where = sql<boolean>`${liveScope} and ${conditionOf(filter)} and (${words}::tsquery is null
      or id in (select deal_id from deal_texts where ${hasWords(terms)}))`;
    lists.set(address, { address, where, found: new Set() });
  }
  return [...lists.values()];
}

async function readAll(lists: List[]): Promise<Set<number>[]> {
  const read = lists.map(
    ({ where }) => ask(database.db).column<number>`select id from deals where ${where}`,
  );
  return (await Promise.all(read)).map((ids) => new Set(ids));
}

async function addDeal(
  {
    place,
    hours,
    status,
    ...rest
  }: { place: number; hours: number | null; status: string } & object,
  places: { category_id: number; merchant_id: number }[],
): Promise<number> {
  const { id } = await insertDeal(database.db, {
    ...rest,
    ...places[place],
    status: status === 'used' ? 'used' : 'new',
    condition: status === 'used' ? 'good' : null,
    expires_at: hours === null ? null : new Date(Date.now() + hours * 3_600_000),
  });
  return id;
}

async function matchUntilDone(numbersPerMatch: number, searchesPerBatch: number): Promise<void> {
  const { db } = database;
  const isDone = sql<boolean>`seen_log >= (select coalesce(max(id), 0) from price_log)
    and seen_deal >= (select coalesce(max(id), 0) from deals)`;
  await expect
    .poll(
      async () => {
        await db.updateTable('watch_marks').set({ lot: numbersPerMatch }).execute();
        await matchOnce(db);
        return (await db.selectFrom('watch_marks').select(isDone.as('is')).execute())[0]?.is;
      },
      { interval: 5 },
    )
    .toBe(true);
  while (await ask(db).value<number>`select spread_finds(${searchesPerBatch})`);
}

async function readFinds() {
  const { rows } = await sql<{ address: string; ids: number[]; unseen: number; waiting: number }>`
    select address, unseen, waiting, array(select unnest(waiting_deals) order by 1)::integer[] as ids
      from watched_searches s`.execute(database.db);
  return Object.fromEntries(rows.map(({ address, ...rest }) => [address, rest]));
}

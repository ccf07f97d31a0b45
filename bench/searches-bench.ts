import { sql } from 'kysely';
import { matchOnce, spreadOnce } from '#app/features/watched-searches/match-searches.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type Measured, ms, table, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';
import { clockOfBackend } from '#bench/search-cost.ts';

const deals = 12_500;
const changed = 10_000;
/** CPU ms for price changes of all these deals; a statement of a job may take 60 s */
const most = 30_000;

/**
 * Measures price drops and new deals on a site with watched searches. Four of five searches contain
 * one of ten common words.
 */
export async function benchSearches(
  serverUrl: string,
  searches: number,
  report: (line: string) => void,
): Promise<Measured> {
  const oneLine = { maxConnections: 1, statementTimeout: 0 };
  const { db, close } = await openShop(serverUrl, deals, report, oneLine);
  try {
    const changes = {
      [`${changed} prices fall`]: () =>
        sql`
          update deals set sale_price = greatest(1, sale_price::bigint * (70 + id % 26) / 100), price_source = 'feed'
           where id in (select id from deals where is_active and not is_expired order by id limit ${changed})`.execute(
          db,
        ),
      [`${changed} new deals`]: () =>
        sql`update watch_marks set seen_deal = (
          select min(id) - 1 from (select id from deals order by id desc limit ${changed}) d)`.execute(
          db,
        ),
    };
    const results = [];
    for (const [what, change] of Object.entries(changes)) {
      report(`${searches} watched searches`);
      await fillSearches(db, searches);
      report(what);
      await change();
      results.push({ what, ...(await timeLots(db)) });
    }
    await empty(db);
    const [fall] = results;
    const isMet = fall !== undefined && fall.looks + fall.spreads <= most;
    const text = table([
      [
        `${searches.toLocaleString('en-US')} searches`,
        'looks, ms',
        'spreads, ms',
        'longest',
        'finds',
      ],
      ...results.map((one) => [
        one.what,
        ms(one.looks),
        ms(one.spreads),
        ms(one.longest),
        String(one.finds),
      ]),
      [`at most ${most} ms for prices`, verdictOn(isMet), '', '', ''],
    ]);
    return { results, text, isMet };
  } finally {
    await close();
  }
}

/** The CPU ms of both steps, and the wall-clock ms of the longest statement. */
async function timeLots(db: Db) {
  const clock = await clockOfBackend(db);
  let longest = 0;
  const timed = async (step: () => Promise<number>) => {
    const before = await clock();
    let progress = 1;
    while (progress) {
      const began = performance.now();
      progress = await step();
      longest = Math.max(longest, performance.now() - began);
    }
    return (await clock()) - before;
  };
  const looks = await timed(() => matchOnce(db));
  const spreads = await timed(() => spreadOnce(db));
  const finds = await ask(db).value<number>`select sum(waiting) from watched_searches`;
  return { looks, spreads, longest, finds };
}

async function empty(db: Db): Promise<void> {
  await sql`truncate watched_searches, watched_filters, watched_filter_hits, watched_search_finds, watch_marks cascade`.execute(
    db,
  );
}

/**
 * Each user has twenty searches. Of the searches for a common word, a quarter have no price, and a
 * quarter have a rare price. The others have one of fifty round prices. Searches without a common
 * word are by price, category, store or rare word, each below a price.
 */
export async function fillSearches(db: Db, searches: number): Promise<void> {
  await empty(db);
  await matchOnce(db);
  await sql`
    insert into users (id, email, email_verified)
      select 'bench-' || n, 'bench-' || n || '@mail.example', true from generate_series(0, ${searches}::int / 20) n
    on conflict do nothing`.execute(db);
  const common = await ask(db).column<string>`
    select word from ts_stat('select search from deal_texts', 'a') order by ndoc desc, word limit 10`;
  const rare = await ask(db).column<string>`
    select word from ts_stat('select search from deal_texts') where ndoc < 30 order by word limit 5000`;
  await sql`
    insert into watched_searches (user_id, address, name, words, key_word, category_id, merchant_id, max_price, cadence, created_at)
      select 'bench-' || n / 20, '/deals?n=' || n, 'Search ' || n, quote_literal(word)::tsquery, word,
             case when n % 20 in (1, 2) then 1 + n / 20 % 40 end, case when n % 20 = 3 then 1 + n / 20 % 2000 end,
             case when n % 20 < 4 or n % 4 = 1 then 500 + floor(exp(dice * ln(150000)))::int
                  when n % 4 > 1 then 1000 * (1 + n / 20 % 50) end,
             'daily', '2000-01-01'
        from generate_series(0, ${searches - 1}::int) n
       cross join lateral (
         select (hashint8extended(n, 1) & 9007199254740991)::float8 / 9007199254740992.0 as dice,
                case when n % 20 > 3 then (${common}::text[])[1 + (n / 20 + n) % 10]
                     when n % 20 = 0 then (${rare}::text[])[1 + n / 20 % 5000] end as word) l`.execute(
    db,
  );
  await sql`vacuum analyze watched_searches, watched_filters`.execute(db);
}

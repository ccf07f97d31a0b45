import { sql } from 'kysely';
import { suggestMatches } from '#app/features/products/suggest-matches-job.server.ts';
import { matchProducts } from '#app/features/products/match-offers.server.ts';
import { countEmptied } from '#bench/emptied-pages.ts';
import { withoutTriggers } from '#bench/generate-deals.ts';
import { type ListTarget, measureEach, measureLists, sumOf } from '#bench/list-bench.ts';
import { findLists } from '#bench/list-mix.ts';
import { durationOf, type Measured, ms, table, timingOf, verdictOn } from '#bench/measure.ts';
import { pin, type Running, startSite } from '#bench/measured-site.ts';
import { openShop, urlOf } from '#bench/open-shop.ts';
import { clockOfBackend } from '#bench/search-cost.ts';
import { cores } from '#bench/take-turns.ts';
import { ask } from '#database/ask.ts';
import { connect, type Db } from '#database/connect.ts';

const bounds = { pageMs: 10, lists: 1.1, matchSeconds: 15 };
const pages = 200;
const lists = 120;
const changedRows = 100_000;

interface Line {
  what: string;
  measured: string;
  target: string;
  isMet: boolean;
}

/**
 * Measures a shop whose products have five offers each: product pages, lists compared with the same
 * shop without products, the matching of changed deals, and the cached pages that a price change
 * invalidates. Requires the build and Linux.
 */
export async function benchProducts(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const limits = { maxConnections: 3, statementTimeout: 0 };
  const shop = await openShop(serverUrl, deals, report, limits);
  const alone = await openShop(serverUrl, deals, report, limits, { isAlone: true });
  const name = `bench_${deals}`;
  const servers: Running[] = [];
  const start = async (what: string, database: string, db: Db): Promise<ListTarget> => {
    const settings = { DATABASE_URL: urlOf(serverUrl, database), PAGE_CACHE_MB: '0', ROLE: 'web' };
    const server = await startSite('/deals', settings);
    pin(server.pid, cores.server);
    servers.push(server);
    return { name: what, server, db };
  };
  try {
    const targets = [
      await start('products', name, shop.db),
      await start('alone', `${name}_alone`, alone.db),
    ] as const;
    const lines = [
      ...(await measureProductPages(targets[0], shop.db, report)),
      await compareLists(targets, shop.db, report),
    ];
    for (const { stop } of servers.splice(0)) await stop();
    lines.push(
      await measureEmptied(urlOf(serverUrl, name), shop.db, report),
      await measureMatching(urlOf(serverUrl, name), Math.min(changedRows, deals), 10, report),
      await measureMatching(urlOf(serverUrl, name), Math.min(changedRows, deals), 1, report),
    );
    const rows = lines.map(({ what, measured, target, isMet }) => [
      what,
      measured,
      target && `${target}, ${verdictOn(isMet)}`,
    ]);
    const text = table([['', 'measured', 'target'], ...rows]);
    return { results: lines, text, isMet: lines.every(({ isMet }) => isMet) };
  } finally {
    for (const { stop } of servers) await stop();
    await alone.close();
    await shop.close();
  }
}

async function measureProductPages(
  target: ListTarget,
  db: Db,
  report: (line: string) => void,
): Promise<Line[]> {
  report('product pages');
  const slugs = await ask(db).column<string>`
    select slug from (
      select p.slug, row_number() over (order by p.id) as place, count(*) over () as total
        from products p
       where exists (select from deals d where d.product_id = p.id and d.is_active and not d.is_expired)) p
     where place % greatest(1, total / ${pages}) = 0 order by place limit ${pages}`;
  const addresses = slugs.map((slug) => `/products/${slug}`);
  const { node, database } = await measureEach(db, target, addresses);
  const { median, p99 } = timingOf(database);
  return [
    {
      what: `PostgreSQL for a product page, median and p99 of ${slugs.length}`,
      measured: `${ms(median)} and ${ms(p99)} ms`,
      target: `p99 at most ${bounds.pageMs} ms`,
      isMet: p99 <= bounds.pageMs,
    },
    { what: 'Node for a product page', measured: `${ms(node)} ms`, target: '', isMet: true },
  ];
}

/** Compares lists with the same lists of a shop without products. */
async function compareLists(
  targets: readonly [ListTarget, ListTarget],
  db: Db,
  report: (line: string) => void,
): Promise<Line> {
  const addresses = await findLists(db, lists, targets[0].server.origin);
  const { costs, failures } = await measureLists(db, [...targets], addresses, report);
  const { products, alone } = costs;
  if (!products || !alone) throw new Error('A list was not measured.');
  const ratio = sumOf(products) / sumOf(alone);
  const costOf = ({ node, database }: typeof products) => `${ms(node)} + ${ms(database)}`;
  return {
    what: `${lists} lists, Node + PostgreSQL, beside the shop without products`,
    measured: `${costOf(products)} beside ${costOf(alone)} ms: ${ratio.toFixed(2)} times`,
    target: `at most ${bounds.lists}`,
    isMet: ratio <= bounds.lists && failures === 0,
  };
}

async function measureEmptied(url: string, db: Db, report: (line: string) => void): Promise<Line> {
  report('cached pages that a price empties');
  const { cached, mean, most, needless } = await countEmptied(url, db);
  return {
    what: `of ${cached} cached pages a price empties on average, at most, and needlessly`,
    measured: `${ms(mean)}, ${most} and ${needless}`,
    target: 'none needlessly',
    isMet: needless === 0,
  };
}

/**
 * Unlinks the deals of one product in `joining`, matches `count` deals and looks for suggestions,
 * as after an import that changed every title. The shop is restored afterwards.
 */
async function measureMatching(
  url: string,
  count: number,
  joining: number,
  report: (line: string) => void,
): Promise<Line> {
  const { db, close } = connect(url, { maxConnections: 1, statementTimeout: 0 });
  try {
    const links = await ask(db).value<string>`select to_regclass('bench_links')::text`;
    if (links) await putBack(db); // An earlier run was interrupted.
    await sql`
      create table bench_links as
        select id, gtin, product_id from deals where product_id is not null order by product_id limit ${count}`.execute(
      db,
    );
    await sql`alter table bench_links add primary key (id)`.execute(db);
    await withoutTriggers(db, async (tx) => {
      await sql`
        update deals d set product_id = null
          from bench_links l where l.id = d.id and l.product_id % ${joining} = 0`.execute(tx);
    });
    await sql`vacuum analyze deals, bench_links`.execute(db);
    report(`matching ${count} deals`);
    return await matchAgain(db, count, joining);
  } finally {
    await putBack(db);
    await close();
  }
}

async function matchAgain(db: Db, count: number, joining: number): Promise<Line> {
  const backendMs = await clockOfBackend(db);
  const processorMs = async () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000 + (await backendMs());
  };
  await sql`insert into match_checks (gtin) select distinct gtin from bench_links`.execute(db);
  await sql`insert into suggestion_checks (deal_id) select id from bench_links order by id`.execute(
    db,
  );
  const before = await processorMs();
  const clock = await durationOf(async () => {
    await matchProducts(db);
    await suggestMatches(db);
  });
  const seconds = ((await processorMs()) - before) / 1_000;
  const joined = await ask(db).value<number>`
    select count(*) from bench_links l join deals d on d.id = l.id and d.product_id is not null
     where l.product_id % ${joining} = 0`;
  const isBound = joining > 1;
  return {
    what: `matching ${count.toLocaleString('en-US')} changed deals, ${joined?.toLocaleString('en-US')} of which join, and their suggestions`,
    measured: `${seconds.toFixed(1)} s of processor, ${(clock / 1_000).toFixed(1)} on the clock`,
    target: isBound ? `at most ${bounds.matchSeconds} s of processor` : '',
    isMet: !isBound || seconds <= bounds.matchSeconds,
  };
}

/** Restores the links of the shop as they were, and empties the queues. */
async function putBack(db: Db): Promise<void> {
  await withoutTriggers(db, async (tx) => {
    await sql`
      update deals d set product_id = l.product_id
        from bench_links l where l.id = d.id and d.product_id is distinct from l.product_id`.execute(
      tx,
    );
    await sql`
      delete from product_links p
       where exists (select from product_links e where e.deal_id = p.deal_id and e.id < p.id)`.execute(
      tx,
    );
    await sql`truncate match_checks, suggestion_checks, match_suggestions`.execute(tx);
    await sql`drop table bench_links`.execute(tx);
  });
  await sql`vacuum analyze deals, product_links`.execute(db);
}

import path from 'node:path';
import { parseArgs } from 'node:util';
import { asSuperuser } from '#test/as-superuser.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import type { Measured } from '#bench/measure.ts';

interface Bench {
  says: string;
  /** `serverUrl` is a PostgreSQL server for the shops. */
  measure(serverUrl: string): Promise<Measured>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'string', default: '10000' },
    big: { type: 'string', default: '1000000' },
    deals: { type: 'string', default: '10000' },
    rows: { type: 'string', default: '100000' },
    mails: { type: 'string', default: '5000000' },
    users: { type: 'string', default: '500000' },
    months: { type: 'string', default: '12,1' },
    memory: { type: 'string', default: '512' },
    watchers: { type: 'string', default: '1000000' },
    searches: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '400' },
    data: { type: 'string', default: './data/bench' },
    before: { type: 'string' },
    sets: { type: 'string' },
    lighthouse: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [small, big, deals] = [Number(values.small), Number(values.big), Number(values.deals)];
const report = (line: string) => console.error(line);

const benches: Partial<Record<string, Bench>> = {
  catalog: {
    says: 'queries on a small and a big shop side by side, with their ratio',
    measure: async (serverUrl) =>
      (await import('#bench/catalog-bench.ts')).benchCatalog(
        serverUrl,
        { small, big },
        Number(values.rounds),
        report,
      ),
  },
  prices: {
    says: 'queries for the cards of a list after a year of daily prices, beside a week of them',
    measure: async (serverUrl) =>
      (await import('#bench/price-log-bench.ts')).benchPriceLog(
        serverUrl,
        deals,
        Number(values.rounds),
        report,
      ),
  },
  log: {
    says: 'a price log of --rows lines over four years as one table, and in partitions of --months (Linux)',
    measure: async (serverUrl) =>
      (await import('#bench/log-size-bench.ts')).benchLogSize(
        serverUrl,
        Number(values.rows),
        values.months
          .split(',')
          .map(Number)
          .filter((each) => each > 0),
        report,
      ),
  },
  discounts: {
    says: 'the discount check over a year of prices, and the forecasts: the first pass, and those of a night',
    measure: async (serverUrl) =>
      (await import('#bench/discount-bench.ts')).benchDiscounts(serverUrl, deals, report),
  },
  search: {
    says: 'processor time of searches and suggestions in the database, at both sizes (Linux)',
    measure: async (serverUrl) =>
      (await import('#bench/search-cost.ts')).measureSearchCost(serverUrl, [small, big], report),
  },
  checks: {
    says: 'processor time of price checks, and of the preview of a list of 2,000 links (Linux)',
    measure: async (serverUrl) =>
      (await import('#bench/check-bench.ts')).benchChecks(serverUrl, big, report),
  },
  products: {
    says: 'pages, lists, matching and cached pages of products with five offers each (Linux)',
    measure: async (serverUrl) =>
      (await import('#bench/product-bench.ts')).benchProducts(serverUrl, big, report),
  },
  relevance: {
    says: 'what stands first for 200 searches (search-judgements.txt)',
    measure: async (serverUrl) =>
      (await import('#bench/judge-search.ts')).benchRelevance(serverUrl),
  },
  pages: {
    says: 'the running server beside bare node:http, nginx and React',
    measure: async (serverUrl) =>
      (await import('#bench/page-bench.ts')).benchPages(serverUrl, deals, report),
  },
  lists: {
    says: 'uncached lists, 120 and 400 different ones, of a signed-in visitor beside a signed-out one (Linux)',
    measure: async (serverUrl) =>
      (await import('#bench/list-bench.ts')).benchLists(serverUrl, deals, values.before, report),
  },
  next: {
    says: 'an uncached list beside a dynamic page of Next 16 with the same deals, which is installed for it',
    measure: async (serverUrl) =>
      (await import('#bench/next-bench.ts')).benchNext(serverUrl, deals, report),
  },
  cache: {
    says: 'capacity of a page cache of 64 MB: 1,500 lists, and their reported size',
    measure: async (serverUrl) =>
      (await import('#bench/cache-bench.ts')).benchCache(serverUrl, deals, report),
  },
  'shared-cache': {
    says: 'share of responses from Varnish while prices change, and the delay of a changed price there',
    measure: async (serverUrl) =>
      (await import('#bench/shared-cache-bench.ts')).benchSharedCache(serverUrl, deals, report),
  },
  requests: {
    says: 'the most expensive request of a stranger on each route, in CPU time',
    measure: async (serverUrl) =>
      (await import('#bench/request-cost.ts')).measureRequestCost(serverUrl, deals, report),
  },
  alerts: {
    says: 'cost of price alerts for 100,000 price changes, with 10,000 and 1,000,000 alerts',
    measure: async (serverUrl) =>
      (await import('#bench/alerts-bench.ts')).benchAlerts(serverUrl, [10_000, 1_000_000], report),
  },
  audience: {
    says: 'delays in the admin and at the deletion of an account, with --mails to --users and --searches',
    measure: async (serverUrl) =>
      (await import('#bench/audience-bench.ts')).benchAudience(
        serverUrl,
        {
          mails: Number(values.mails),
          users: Number(values.users),
          searches: Number(values.searches),
        },
        report,
      ),
  },
  watchers: {
    says: 'the price of one deal that --watchers users wait for, and the batches in which their alerts fire',
    measure: async (serverUrl) =>
      (await import('#bench/watchers-bench.ts')).benchWatchers(
        serverUrl,
        Number(values.watchers),
        report,
      ),
  },
  searches: {
    says: 'prices and new deals beside --searches watched searches, four of five for ten common words',
    measure: async (serverUrl) =>
      (await import('#bench/searches-bench.ts')).benchSearches(
        serverUrl,
        Number(values.searches),
        report,
      ),
  },
  admin: {
    says: "every click in the admin's list of deals, of 100,000 and of a big shop's",
    measure: async (serverUrl) =>
      (await import('#bench/admin-bench.ts')).benchAdmin(serverUrl, [100_000, big], 7, report),
  },
  import: {
    says: 'a feed of 100,000 products: all new, all the same, a tenth changed',
    measure: async (serverUrl) =>
      (await import('#bench/import-bench.ts')).benchImport(serverUrl, Number(values.rows), report),
  },
  feed: {
    says: 'a scheduled feed of --rows products over HTTP, killed once and taken up again (Linux)',
    measure: async (serverUrl) =>
      (await import('#bench/feed-bench.ts')).benchFeed(serverUrl, Number(values.rows), report),
  },
  match: {
    says: 'suggestions of the same product in public sets of pairs, which --sets has, and that none is linked',
    async measure(serverUrl) {
      if (values.sets === undefined) throw new Error('--sets <folder> is missing');
      return (await import('#bench/match-bench.ts')).benchMatch(serverUrl, values.sets, report);
    },
  },
  memory: {
    says: 'memory of the site and its private database under load, with --memory MB (Linux)',
    measure: async () =>
      (await import('#bench/memory-bench.ts')).benchMemory(Number(values.memory), deals, report),
  },
  visit: {
    says: 'a first visit on a phone with a slow connection, over HTTP/1.1 and HTTP/2',
    async measure() {
      const { benchLighthouse, benchVisit } = await import('#bench/visit-bench.ts');
      return values.lighthouse ? benchLighthouse(values.before) : benchVisit(values.before, report);
    },
  },
  pictures: {
    says: 'size of the list with originals of 4000 × 3000 in a store, beside the demo shop',
    measure: async () =>
      (await import('#bench/picture-bench.ts')).benchPictures(values.lighthouse, report),
  },
  generate: {
    says: 'only creates the shop of --deals deals',
    async measure(serverUrl) {
      const { openShop } = await import('#bench/open-shop.ts');
      await (await openShop(serverUrl, deals, report)).close();
      return { results: deals, text: `bench_${deals} is there.`, isMet: true };
    },
  },
};

const usage = `Usage: node bench/main.ts ${Object.keys(benches).join(' | ')} [options]
${Object.entries(benches)
  .map(([name, bench]) => `  ${name.padEnd(12)} ${bench?.says}`)
  .join('\n')}
Options:
  --small 10000 --big 1000000   the two shops of "catalog"; "admin" and "products" have the big one, too
  --deals 10000                 the shop of "generate", "pages", "lists", "next", "prices", "cache", "shared-cache", "requests" and "memory"
  --watchers 1000000            of the one deal of "watchers"
  --searches 200000             watched ones of "searches" and "audience"
  --memory 512                  MEMORY_MB of "memory"
  --rows 100000                 the feed of "import" and "feed", the lines of "log"
  --months 12,1                 how many of them a partition of "log" has, one layout after the other; 0: none
  --before <folder>             another checkout, built, that "visit" visits and "lists" asks in turn with this one
  --sets <folder>               the folder "data" of github.com/megagonlabs/ditto, for "match"
  --lighthouse                  "visit" asks Lighthouse instead, "pictures" as well
  --rounds 400                  measured calls for each line of "catalog", at least one for each input
  --data ./data/bench           where the embedded PostgreSQL keeps the shops between runs (unless DATABASE_URL is set)
  --json`;

const [name = ''] = positionals;
const bench = benches[name];
if (bench) process.exitCode = await main(bench);
else {
  console.error(usage);
  process.exitCode = 2;
}

async function main({ measure }: Bench): Promise<number> {
  const server = await openServer();
  try {
    const { results, text, isMet } = await measure(server.url);
    console.log(values.json ? JSON.stringify(results, null, 2) : text);
    return isMet ? 0 : 1;
  } finally {
    await server.stop();
  }
}

async function openServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const configured = process.env.DATABASE_URL;
  const bringsItsOwn = ['memory', 'visit', 'pictures'].includes(name);
  if (bringsItsOwn) return { url: '', stop: async () => {} };
  if (configured) return { url: configured, stop: async () => {} };
  return asSuperuser(await startEmbeddedPostgres({ dataDir: path.resolve(values.data) }));
}

import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#database/embedded-postgres.ts';
import { benchAdmin, printAdmin } from '#bench/admin-bench.ts';
import { benchAlerts, printAlerts } from '#bench/alerts-bench.ts';
import { benchImport, printImport } from '#bench/import-bench.ts';
import { benchCatalog, printCatalog } from '#bench/catalog-bench.ts';
import { benchPages, printPages } from '#bench/page-bench.ts';
import { measureRequestCost } from '#bench/request-cost.ts';
import { measureSearchCost } from '#bench/search-cost.ts';
import { benchMemory, printMemory } from '#bench/memory-bench.ts';
import { openShop } from '#bench/open-shop.ts';

const commands = new Set([
  'catalog',
  'search',
  'pages',
  'requests',
  'alerts',
  'admin',
  'import',
  'memory',
  'generate',
]);

const usage = `Usage: node bench/main.ts catalog | search | pages | requests | alerts | admin | import | memory | generate [options]
  catalog    queries on a small and a big shop side by side, with their ratio
  search     processor time of searches and suggestions in the database, at both sizes (Linux)
  pages      the running server beside bare node:http, nginx and React
  requests   the dearest request of a stranger on each route, in processor time
  alerts     what price alerts add to 100,000 price changes, at 10,000 and 1,000,000 alerts
  admin      the back office's list of 100,000 deals: first and last page, filters, search
  import     a feed of 100,000 products: all new, all the same, a tenth changed
  memory     what the site and its private database hold under load, told that they have --memory MB (Linux)
  generate   only makes the shop of --deals deals
Options:
  --small 10000 --big 1000000   the two shops of "catalog"
  --deals 10000                 the shop of "generate", "pages", "requests" and "memory"
  --memory 512                  MEMORY_MB of "memory"
  --rows 100000                 the feed of "import"
  --rounds 400                  measured calls for each line of "catalog", at least one for each input
  --data ./data/bench           where the embedded PostgreSQL keeps the shops between runs (unless DATABASE_URL is set)
  --json`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'string', default: '10000' },
    big: { type: 'string', default: '1000000' },
    deals: { type: 'string', default: '10000' },
    rows: { type: 'string', default: '100000' },
    memory: { type: 'string', default: '512' },
    rounds: { type: 'string', default: '400' },
    data: { type: 'string', default: './data/bench' },
    json: { type: 'boolean', default: false },
  },
});

process.exitCode = await main(positionals[0]);

async function main(command: string | undefined): Promise<number> {
  if (command === undefined || !commands.has(command)) {
    console.error(usage);
    return 2;
  }
  if (command === 'memory') {
    const results = await benchMemory(Number(values.memory), Number(values.deals), report);
    const isMet = results.every(({ together }) => together <= Number(values.memory));
    console.log(
      values.json ? JSON.stringify(results, null, 2) : printMemory(results, Number(values.memory)),
    );
    return isMet ? 0 : 1;
  }
  const server = await openServer();
  try {
    if (command === 'generate') {
      await (await openShop(server.url, Number(values.deals), report)).close();
      return 0;
    }
    if (command === 'alerts') {
      const results = await benchAlerts(server.url, [10_000, 1_000_000], report);
      console.log(values.json ? JSON.stringify(results, null, 2) : printAlerts(results));
      return results.every((result) => result.isMet) ? 0 : 1;
    }
    if (command === 'admin') {
      const results = await benchAdmin(server.url, 100_000, 20, report);
      console.log(values.json ? JSON.stringify(results, null, 2) : printAdmin(results));
      return results.every((result) => result.isMet) ? 0 : 1;
    }
    if (command === 'import') {
      const results = await benchImport(server.url, Number(values.rows), report);
      console.log(values.json ? JSON.stringify(results, null, 2) : printImport(results));
      return results.every((result) => result.isMet) ? 0 : 1;
    }
    if (command === 'search') {
      const sizes = [Number(values.small), Number(values.big)];
      const { text, isMet } = await measureSearchCost(server.url, sizes, report);
      console.log(text);
      return isMet ? 0 : 1;
    }
    if (command === 'requests') {
      const { text, isMet } = await measureRequestCost(server.url, Number(values.deals), report);
      console.log(text);
      return isMet ? 0 : 1;
    }
    if (command === 'pages') {
      const results = await benchPages(server.url, Number(values.deals), report);
      console.log(values.json ? JSON.stringify(results, null, 2) : printPages(results));
      return 0;
    }
    const options = {
      serverUrl: server.url,
      small: Number(values.small),
      big: Number(values.big),
      rounds: Number(values.rounds),
    };
    const results = await benchCatalog(options, report);
    console.log(values.json ? JSON.stringify(results, null, 2) : printCatalog(results, options));
    return results.every((result) => result.isMet) ? 0 : 1;
  } finally {
    await server.stop();
  }
}

function report(line: string): void {
  console.error(line);
}

async function openServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const configured = process.env.DATABASE_URL;
  if (configured) return { url: configured, stop: async () => {} };
  return await startEmbeddedPostgres({ dataDir: path.resolve(values.data) });
}

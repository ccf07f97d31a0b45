import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listSorts } from '#app/features/deals/deal-sorts.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Db } from '#database/connect.ts';
import { type Measured, table, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';
import { PageCache } from '#server/page-cache.ts';
import { renderForAll } from '#server/rendered-pages.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';
import { openSite } from '#server/visit.ts';

const cacheMb = 64;
const lists = 1_500;
/** the factor by which the freed memory may exceed the memory that the cache reports */
const mostUncounted = 1.1;
const pagesOfList = 20;
const megabyte = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * Checks that a cache of 64 MB has room for 1,500 list pages, and that the cache reports their size
 * correctly. Requires the build.
 */
export async function benchCache(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  try {
    const services = {
      db: shop.db,
      env: readEnv({ NODE_ENV: 'production', ORIGIN: 'https://deals.test' }),
      log: createLog('silent'),
      now: () => new Date(),
    };
    const cache = new PageCache<StoredAnswer>({ maxBytes: cacheMb * megabyte });
    const site = openSite({ ...(await loadBuiltSite(services)), services, cache }, 30_000);
    const keys = await listAddresses(shop.db);
    const keep = (key: string) => cache.read(key, (wanted) => renderForAll(site, wanted));
    for (const [n, key] of keys.entries()) {
      await keep(key);
      if ((n + 1) % 500 === 0) report(`${n + 1} lists`);
    }
    const { entries, bytes } = cache.size;
    const full = heldMb();
    cache.invalidate(['all']);
    // Compiled code and the caches of fragments and values remain in memory, so only the difference
    // is compared.
    const [counted, held] = [bytes / megabyte, full - heldMb()];
    const isMet = entries === lists && held <= counted * mostUncounted;
    const rows = [
      [
        `${lists} lists in ${cacheMb} MB`,
        'kept',
        'counted MB',
        'held MB',
        'kB each',
        'pages that fit',
      ],
      [
        verdictOn(isMet),
        String(entries),
        counted.toFixed(1),
        held.toFixed(1),
        (bytes / entries / 1024).toFixed(1),
        ((cacheMb * megabyte * entries) / bytes).toFixed(0),
      ],
    ];
    return { results: { entries, counted, held }, text: table(rows), isMet };
  } finally {
    await shop.close();
  }
}

/** Returns the paths of the lists of all deals and of every category, in every order. */
async function listAddresses(db: Db): Promise<string[]> {
  const categories = await db.selectFrom('categories').select('slug').orderBy('id').execute();
  const places = ['/deals', ...categories.map(({ slug }) => `/categories/${slug}`)];
  const orders = listSorts.flatMap((sort) =>
    Array.from({ length: pagesOfList }, (_, page) => `?page=${page + 1}&sort=${sort}`),
  );
  return orders.flatMap((order) => places.map((path) => path + order)).slice(0, lists);
}

/** Returns the memory of this process after garbage collection, in MB. */
function heldMb(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / megabyte;
}

import { setTimeout as wait } from 'node:timers/promises';
import { formatMoney } from '#app/platform/money.ts';
import { type Measured, table, timingOf, verdictOn } from '#bench/measure.ts';
import { load, type Running, startSite } from '#bench/measured-site.ts';
import { openShop, urlOf } from '#bench/open-shop.ts';
import type { Db } from '#database/connect.ts';
import { freePort } from '#test/free-port.ts';
import { startRoundRobin } from '#test/round-robin.ts';
import { startVarnish } from '#test/start-varnish.ts';

/**
 * The minimum share of responses from Varnish, and the longest delay in milliseconds until a visitor
 * sees a changed price.
 */
const targets = { ratio: 0.95, longestMs: 2_000 };
const seconds = 40;
const visitors = 6;
const rounds = 4;

/**
 * Runs two processes of the site behind Varnish with docs/varnish.vcl, while the price of one
 * requested deal changes each second. Measures the share of responses from Varnish and the delay
 * until a new price appears. Also measures the cost of a cached page with and without Varnish.
 */
export async function benchSharedCache(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  const closings: (() => Promise<unknown>)[] = [() => shop.close()];
  try {
    const port = await freePort();
    const settings = {
      DATABASE_URL: urlOf(serverUrl, `bench_${deals}`),
      ORIGIN: `http://localhost:${port}`,
      SHARED_CACHES: `http://127.0.0.1:${port}/`,
      TRUSTED_PROXIES: '127.0.0.1',
      ROLE: 'web',
      LOG_LEVEL: 'warn',
    };
    const sites: Running[] = [];
    for (let n = 0; n < 2; n++) {
      const site = await startSite('/deals', settings);
      closings.push(() => site.stop());
      sites.push(site);
    }
    const balancer = await startRoundRobin(sites.map(({ origin }) => Number(new URL(origin).port)));
    closings.push(() => balancer.close());
    const varnish = await startVarnish(port, balancer.port);
    closings.push(() => varnish.stop());
    report('two processes and Varnish are running');
    const seen = await visitWhilePricesChange(varnish.origin, shop.db);
    report(`${seen.answers} answers, ${seen.waits.length} changes`);
    const direct = new URL(sites[0]?.origin ?? '');
    const speeds = { varnish: 0, direct: 0 };
    for (let round = 0; round < rounds; round++) {
      for (const [name, origin] of [
        ['varnish', varnish.origin],
        ['direct', direct.origin],
      ] as const) {
        const done = await load(`${origin}/deals`, 8, 3, 'stored');
        speeds[name] += done.requests / done.seconds / rounds;
      }
    }
    const results = { ...seen, speeds };
    const text = describe(results);
    return { results, text, isMet: !text.includes(verdictOn(false)) };
  } finally {
    for (const close of closings.toReversed()) await close();
  }
}

interface Seen {
  answers: number;
  hits: number;
  failures: number;
  /** Milliseconds from the change of a price until it is visible. */
  waits: number[];
}

async function visitWhilePricesChange(origin: string, db: Db): Promise<Seen> {
  const deals = await db
    .selectFrom('deals')
    .select(['id', 'slug', 'sale_price'])
    .where('is_active', '=', true)
    .where('is_expired', '=', false)
    .orderBy('id', 'desc')
    .limit(250)
    .execute();
  const categories = await db.selectFrom('categories').select('slug').execute();
  const first = ['/', '/deals', '/categories', '/merchants', '/blog', '/deals?sort=price_low'];
  const pages = [
    ...first,
    ...categories.map(({ slug }) => `/categories/${slug}`),
    ...deals.map(({ slug }) => `/deals/${slug}`),
  ];
  const seen: Seen = { answers: 0, hits: 0, failures: 0, waits: [] };
  for (const page of pages) await (await fetch(origin + page)).arrayBuffer();
  const end = performance.now() + seconds * 1_000;

  async function visit(): Promise<void> {
    while (performance.now() < end) {
      // A few pages receive most of the visits.
      const page = pages[Math.floor(pages.length * Math.random() ** 4)] ?? '/';
      const answer = await fetch(origin + page, { headers: { cookie: `_ga=${Math.random()}` } });
      await answer.arrayBuffer();
      seen.answers++;
      if (answer.status !== 200) seen.failures++;
      if (answer.headers.get('x-cache') === 'hit') seen.hits++;
      await wait(5);
    }
  }

  async function change(): Promise<void> {
    for (let n = 0; performance.now() < end; n++) {
      const { id = 0, slug = '' } = deals[n % deals.length] ?? {};
      const sale_price = 7_000_000 + n;
      await setPrice(db, id, sale_price);
      const since = performance.now();
      const words = formatMoney(sale_price, 'USD');
      const isSeen = async () =>
        (await (await fetch(`${origin}/deals/${slug}`)).text()).includes(words);
      while (!(await isSeen()) && performance.now() - since < 120_000) await wait(20);
      seen.waits.push(performance.now() - since);
      await wait(Math.max(0, 1_000 - (performance.now() - since)));
    }
  }

  await Promise.all([change(), ...Array.from({ length: visitors }, visit)]);
  // Later runs reuse the shop, so the prices are restored.
  for (const { id, sale_price } of deals) await setPrice(db, id, sale_price);
  return seen;
}

async function setPrice(db: Db, id: number, sale_price: number): Promise<void> {
  await db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
}

function describe(results: Seen & { speeds: { varnish: number; direct: number } }): string {
  const { answers, hits, failures, waits, speeds } = results;
  const ratio = hits / answers;
  const longest = Math.max(...waits);
  return table([
    ['', 'measured', 'target'],
    [
      `answers from Varnish (${hits} of ${answers})`,
      `${(ratio * 100).toFixed(1)} %`,
      `at least ${targets.ratio * 100}%, ${verdictOn(ratio >= targets.ratio)}`,
    ],
    [
      `longest until a changed price is seen (${waits.length} changes)`,
      `${longest.toFixed(0)} ms`,
      `at most ${targets.longestMs} ms, ${verdictOn(longest <= targets.longestMs)}`,
    ],
    ['  median', `${timingOf(waits).median.toFixed(0)} ms`, ''],
    ['failed requests', String(failures), `none, ${verdictOn(failures === 0)}`],
    ['a cached page through Varnish', `${speeds.varnish.toFixed(0)} requests/s`, ''],
    [
      'the same from one process of the site',
      `${speeds.direct.toFixed(0)} requests/s (${(speeds.varnish / speeds.direct).toFixed(2)} times as many through Varnish)`,
      '',
    ],
  ]);
}

// Tests a site on several servers under faults: `npm run test:cluster`. Prints how the faults
// affect visitors, and exits with code 1 if a promise in docs/operations.md ("Several machines") is
// broken.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { table } from '#bench/measure.ts';
import { errorMessage } from '#database/error-code.ts';
import { countLosses, openWorld } from './deliveries.ts';
import { type Fault, faults } from './faults.ts';
import { backUp, bringBack } from './point-in-time.ts';
import { prepareShop } from './shop.ts';
import { type Cluster, origin, startCluster, stopCluster } from './start-cluster.ts';
import { cachedPages, memberReads, reads, startTraffic, type Traffic, writes } from './traffic.ts';

/** The share of signed-out visitors' reads that must succeed. */
const leastAnswered = 0.999;
const mostSecondsWithoutWrites = 30;
const mostSeries = 2_000;
/**
 * Alerts about a killed process that is not restarted, and about requests that failed without a
 * primary.
 */
const expectedAlerts = new Set(['ProcessDown', 'ServerErrors']);

const options = readOptions();
const broken: string[] = [];
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    void stopCluster().finally(() => process.exit(130));
  });
}
try {
  await run();
} catch (error) {
  if (!isInterrupted) throw error;
} finally {
  await stopCluster();
}
for (const promise of broken) console.log(`BROKEN: ${promise}`);
// Connections of a stopped site may linger.
process.exit(broken.length > 0 ? 1 : 0);

function readOptions() {
  const words = faults.map(({ word }) => word).join();
  const usage = { reads: '100', writes: '5', minutes: '5', only: words };
  const option = (name: keyof typeof usage) => ({ type: 'string', default: usage[name] }) as const;
  try {
    const { values } = parseArgs({
      options: {
        reads: option('reads'),
        writes: option('writes'),
        minutes: option('minutes'),
        only: option('only'),
      },
    });
    const chosen = new Set(values.only.split(','));
    const unknown = [...chosen].filter((word) => !words.split(',').includes(word));
    if (unknown.length > 0) throw new Error(`--only does not know ${unknown.join(', ')}.`);
    const [perSecond, written, minutes] = [values.reads, values.writes, values.minutes].map(Number);
    if (!(perSecond && written && minutes)) throw new Error('Numbers must be greater than zero.');
    return { rates: { reads: perSecond, writes: written }, minutes, chosen };
  } catch (error) {
    console.error(`${errorMessage(error)} npm run test:cluster -- --reads 100 --only ${words}`);
    return process.exit(2);
  }
}

async function run(): Promise<void> {
  say('starting ten machines');
  const world = await openWorld();
  const cluster = await startCluster(world.env);
  const shop = await prepareShop();
  await cluster.whole();
  await backUp(cluster);

  await warmUp(cluster);
  const { reads: perSecond, writes: written } = options.rates;
  say(`${perSecond} reads and ${written} writes per second`);
  const from = performance.now();
  const traffic = startTraffic(origin, shop, options.rates);
  await settle(traffic, 8_000);
  const rows = [['', 'for', 'without reads', 'without members’ pages', 'without writes']];
  const started = performance.now();
  for (const fault of faults) {
    if (options.chosen.has(fault.word)) rows.push(await suffer(fault, cluster, traffic));
  }
  const rest = started + options.minutes * 60_000 - performance.now();
  if (rest > 0) await sleep(rest);
  const to = performance.now();
  await traffic.stop();
  say(
    `load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );

  console.log(`\n${table(rows)}\n`);
  printReads(traffic, from, to);
  await printLosses(cluster, traffic, world);
  await printFigures(cluster);
  const [deal = 0] = shop.plainDeals;
  await shop.close();
  const isBack = await bringBack(cluster, deal);
  console.log(`a deleted row, from the backup and the log  ${isBack ? 'is back' : 'IS NOT BACK'}`);
  if (!isBack) broken.push('the deleted row could not be restored');
}

/** Waits until each process has cached each page, because haproxy distributes requests in turn. */
async function warmUp({ webs }: Cluster): Promise<void> {
  for (const at of [...webs, ...webs].flatMap(() => cachedPages)) await fetch(origin + at);
}

/**
 * Causes a fault, repairs it, and waits until all requests succeed again. Describes how the fault
 * affected visitors.
 */
async function suffer(fault: Fault, cluster: Cluster, traffic: Traffic): Promise<string[]> {
  say(fault.name);
  const from = performance.now();
  const repair = await fault.hurt(cluster);
  await settle(traffic);
  await repair();
  await settle(traffic);
  const to = performance.now();
  const [read, members, written] = [reads, memberReads, writes].map((some) => {
    const seen = traffic.seen(some, from, to);
    if (seen.failed > 0) say(`  ${some.join(', ')}: ${JSON.stringify(seen.outcomes)}`);
    if (fault.isSmooth && seen.failed > 0) {
      broken.push(`${fault.name}: ${some.join(', ')} refused ${seen.failed} times`);
    }
    return seen.silentSeconds;
  });
  for (const [what, silent = 0] of [
    ['members’ pages', members],
    ['writes', written],
  ] as const) {
    if (silent > mostSecondsWithoutWrites) {
      broken.push(`${fault.name}: ${seconds(silent)} without ${what}`);
    }
  }
  return [fault.name, ...[(to - from) / 1000, read ?? 0, members ?? 0, written ?? 0].map(seconds)];
}

/**
 * Waits until all requests have succeeded for this long. Gives up after two minutes, which the
 * results then show.
 */
async function settle(traffic: Traffic, calmInMs = 3_000): Promise<void> {
  const patience = AbortSignal.timeout(120_000);
  await sleep(calmInMs);
  while (!patience.aborted) {
    const now = performance.now();
    const seen = [reads, memberReads, writes].map((some) =>
      traffic.seen(some, now - calmInMs, now),
    );
    if (seen.every(({ failed, silentSeconds }) => failed === 0 && silentSeconds < 2)) return;
    await sleep(200);
  }
}

function printReads(traffic: Traffic, from: number, to: number): void {
  const rows = [['', 'asked', 'answered', 'not answered']];
  for (const some of [reads, ...[...reads, ...memberReads, ...writes].map((kind) => [kind])]) {
    const { asked, failed, outcomes } = traffic.seen(some, from, to);
    const share = (asked - failed) / asked;
    const { 200: _good, ...others } = outcomes;
    const what = some === reads ? 'reads of signed-out visitors' : `  ${some.join()}`;
    const words = Object.entries(others).map(([outcome, times]) => `${times}: ${outcome}`);
    rows.push([what, String(asked), `${(share * 100).toFixed(3)} %`, words.join(', ')]);
    if (some === reads && share < leastAnswered) broken.push('too few reads were answered');
  }
  console.log(`${table(rows)}\n`);
}

async function printLosses(
  cluster: Cluster,
  traffic: Traffic,
  world: Awaited<ReturnType<typeof openWorld>>,
): Promise<void> {
  const losses = await countLosses(cluster, traffic.acknowledged, world);
  const rows = losses.map((one) => {
    const { what, expected, lost, doubled, repeated } = one;
    if (lost > 0) broken.push(`${lost} ${what} are lost`);
    if (doubled > 0) broken.push(`${doubled} ${what} are duplicated`);
    return [what, ...[expected, lost, doubled, repeated].map(String)];
  });
  const head = ['acknowledged', '', 'lost', 'doubled', 'sent again, with the same id'];
  console.log(`${table([head, ...rows])}\n`);
}

/** The whole run as seen by Prometheus. */
async function printFigures({ query }: Cluster): Promise<void> {
  const up = await query('up{job="deal-hub"} == 1');
  const [series] = await query('max(max_over_time(scrape_samples_scraped[1h]))');
  const fired = await query(
    'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1h]))',
  );
  const names = fired.map(({ metric }) => metric['alertname'] ?? '');
  console.log(`Prometheus: ${up.length} of 5 processes are up, ${series?.value} series at most`);
  console.log(`alerts that fired: ${names.join(', ') || 'none'}`);
  if (up.length !== 5) broken.push(`Prometheus reaches ${up.length} of 5 processes`);
  if (!series || series.value > mostSeries) broken.push(`a process has ${series?.value} series`);
  const unexpected = names.filter((name) => !expectedAlerts.has(name));
  if (unexpected.length > 0) broken.push(`unexpected: ${unexpected.join(', ')}`);
  if (options.chosen.has('worker') && !names.includes('ProcessDown')) {
    broken.push('the killed worker was not noticed');
  }
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function say(line: string): void {
  process.stderr.write(`» ${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

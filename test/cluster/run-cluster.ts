// What holds when three processes of the site, their balancer and a pair of databases meet faults: `npm run test:cluster`.
// Prints what visitors saw, and ends with 1 when a promise of docs/operations.md ("Several processes") is broken.
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '#bench/measure.ts';
import { type Cluster, startCluster, stopCluster } from './start-cluster.ts';
import { kinds, startTraffic, type Traffic } from './traffic.ts';

interface Fault {
  name: string;
  /** For the command line: `npm run test:cluster -- kill restart` has these two only. */
  word: string;
  /** Answers for how many seconds nobody could have had an answer from the database. */
  run(cluster: Cluster): Promise<number>;
  /** No visitor may notice it at all. */
  isSmooth?: boolean;
}

const silenceInSeconds = 15;
/** So long somebody needs to see that the primary is gone. */
const decisionInSeconds = 5;
/** So long after the database is back everything is answered again. */
const recoveryInSeconds = 10;

const faults: Fault[] = [
  {
    name: 'kill -9 of one process',
    word: 'kill',
    async run({ webs }) {
      await webs[0]?.end('SIGKILL');
      await sleep(5_000);
      await webs[0]?.start();
      return 0;
    },
  },
  {
    name: `${silenceInSeconds} s of silence before the database`,
    word: 'silence',
    async run({ line }) {
      line.silence();
      await sleep(silenceInSeconds * 1000);
      line.restore();
      return silenceInSeconds;
    },
  },
  {
    name: `primary killed, standby promoted after ${decisionInSeconds} s`,
    word: 'failover',
    async run({ killPrimary, promote }) {
      const from = performance.now();
      killPrimary();
      await sleep(decisionInSeconds * 1000);
      await promote();
      return (performance.now() - from) / 1000;
    },
  },
  {
    name: 'restart of all three, one by one',
    word: 'restart',
    isSmooth: true,
    async run({ webs }) {
      for (const web of webs) {
        const code = await web.end('SIGTERM');
        if (code !== 0) broken.push(`a process ended with ${code} at SIGTERM`);
        await web.start();
        await sleep(2_000); // until haproxy has noticed
      }
      return 0;
    },
  },
];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((word) => faults.every((fault) => fault.word !== word));
if (unknown.length > 0) {
  console.error(`Choose of: ${faults.map(({ word }) => word).join(', ')}. Without a word: all.`);
  process.exit(2);
}
const broken: string[] = [];
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    void stopCluster().finally(() => process.exit(130));
  });
}
try {
  say('starting PostgreSQL twice, haproxy and three processes of the site');
  const cluster = await startCluster();
  const traffic = startTraffic(cluster.origin);
  const rows = [['', 'for', ...kinds.flatMap((kind) => [kind, 'failed', 'without'])]];
  await settle(traffic, 8_000); // until each process has each page in memory
  for (const fault of faults) {
    if (chosen.length > 0 && !chosen.includes(fault.word)) continue;
    rows.push(await suffer(fault, cluster, traffic));
  }
  await traffic.stop();
  const counts = await countMessages(cluster, traffic.acknowledged);
  console.log(`\n${table(rows)}\n\n${counts.join('\n')}`);
} catch (error) {
  if (!isInterrupted) throw error;
} finally {
  await stopCluster();
}
for (const promise of broken) console.log(`BROKEN: ${promise}`);
process.exitCode = broken.length > 0 ? 1 : 0;

/** Lets a fault happen and says what visitors saw, until all are answered again. */
async function suffer(fault: Fault, cluster: Cluster, traffic: Traffic): Promise<string[]> {
  say(fault.name);
  const from = performance.now();
  const outage = await fault.run(cluster);
  await settle(traffic);
  const to = performance.now();
  const cells = kinds.flatMap((kind) => {
    const seen = traffic.seen(kind, from, to);
    if (seen.failed > 0) say(`  ${kind}: ${JSON.stringify(seen.outcomes)}`);
    if (fault.isSmooth && seen.failed > 0) {
      broken.push(`${fault.name}: ${kind} refused ${seen.failed} times`);
    }
    if (seen.silentSeconds > outage + recoveryInSeconds) {
      broken.push(`${fault.name}: ${kind} for ${seconds(seen.silentSeconds)} without an answer`);
    }
    return [String(seen.asked), String(seen.failed), seconds(seen.silentSeconds)];
  });
  return [fault.name, seconds((to - from) / 1000), ...cells];
}

/** Waits until all visitors were answered for so long; gives up after two minutes, which the figures show. */
async function settle(traffic: Traffic, calmInMs = 3_000): Promise<void> {
  const patience = AbortSignal.timeout(120_000);
  await sleep(calmInMs);
  while (!patience.aborted) {
    const now = performance.now();
    const seen = kinds.map((kind) => traffic.seen(kind, now - calmInMs, now));
    if (seen.every(({ failed, silentSeconds }) => failed === 0 && silentSeconds < 2)) return;
    await sleep(200);
  }
}

async function countMessages(cluster: Cluster, acknowledged: Set<string>): Promise<string[]> {
  const rows = await cluster.query(
    'select subject, count(*)::int as times from contact_messages group by subject',
  );
  const stored = new Set(rows.map(({ subject }) => subject));
  const lost = [...acknowledged].filter((subject) => !stored.has(subject)).length;
  const doubled = rows.filter(({ times }) => Number(times) > 1).length;
  if (lost > 0) broken.push(`${lost} acknowledged messages are lost`);
  if (doubled > 0) broken.push(`${doubled} messages are stored twice`);
  return [
    `acknowledged messages  ${acknowledged.size}`,
    `  lost                 ${lost}`,
    `  stored twice         ${doubled}`,
  ];
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function say(line: string): void {
  process.stderr.write(`» ${line}\n`);
}

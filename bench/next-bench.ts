import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findLists } from '#bench/list-mix.ts';
import {
  listCounts,
  type ListTarget,
  measureLists,
  signInVisitor,
  sumOf,
} from '#bench/list-bench.ts';
import { type Measured, table, verdictOn } from '#bench/measure.ts';
import { answering, pin, type Running, startSite } from '#bench/measured-site.ts';
import type { Db } from '#database/connect.ts';
import { openShop, urlOf } from '#bench/open-shop.ts';
import { at, cores, takeTurns } from '#bench/take-turns.ts';
import { freePort } from '#test/free-port.ts';

const run = promisify(execFile);
const page = '/deals';
const cards = 24;
const connections = 8;
/** The minimum of our requests per second divided by those of Next. */
const bound = 1.2;
/** The minimum of Next's CPU time for different lists divided by ours. */
const listBound = 1;

/**
 * Compares an uncached list of ours with the minimum that a shop on Next would render for the same
 * deals (`next-app`): one list repeatedly, then 120 and 400 different ones, signed out and signed
 * in. Both run in production mode, in turns, with their own compression. Requires the build, access
 * to the npm registry, and Linux.
 */
export async function benchNext(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-next-'));
  const servers: Running[] = [];
  try {
    const settings = { DATABASE_URL: urlOf(serverUrl, `bench_${deals}`) };
    report('installing and building Next');
    const next = await startNext(folder, settings);
    servers.push(next);
    const startOurs = async (): Promise<Running> => {
      const site = await startSite(page, { ...settings, LOG_LEVEL: 'info', PAGE_CACHE_MB: '0' });
      servers.push(site);
      pin(site.pid, cores.server);
      return site;
    };
    pin(next.pid, cores.server);
    const ours = await startOurs();
    const pages = [await describePage(ours), await describePage(next)];
    const targets = [at('ours', ours, page), at('next', next, page)];
    const { speeds, failures } = await takeTurns(targets, connections, 'rendered', report);
    const ratio = (speeds.ours?.perSecond ?? 0) / (speeds.next?.perSecond ?? 1);
    const rows = [speeds.ours, speeds.next].map((speed, n) => [
      n === 0 ? 'ours' : 'Next 16',
      speed?.perSecond.toFixed(0) ?? '',
      speed?.processorUs?.toFixed(0) ?? '',
      ...(pages[n] ?? []),
    ]);
    const one = `${table([['', 'requests/s', 'processor us', 'HTML', 'compressed'], ...rows])}

failed requests: ${failures}
ours / Next, in requests a second: ${ratio.toFixed(2)}, at least ${bound}: ${verdictOn(ratio >= bound)}`;
    const signedIn = await startOurs();
    const lists = await compareLists(shop.db, { ours, signedIn, next }, report);
    return {
      results: { speeds, failures, ratio, lists: lists.results },
      text: `${one}\n\n${lists.text}`,
      isMet: ratio >= bound && failures === 0 && lists.isMet,
    };
  } finally {
    for (const server of servers) await server.stop();
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Compares the CPU time of different lists, of the server and of PostgreSQL together. The signed-in
 * visitor has a separate site of ours, so that no values cached for the other visitor are used.
 */
async function compareLists(
  db: Db,
  { ours, signedIn, next }: { ours: Running; signedIn: Running; next: Running },
  report: (line: string) => void,
): Promise<Measured> {
  const cookie = await signInVisitor(db, 'http://127.0.0.1');
  const targets: ListTarget[] = [
    { name: 'ours, signed out', server: ours },
    { name: 'Next 16, signed out', server: next },
    { name: 'ours, signed in', server: signedIn, cookie },
    { name: 'Next 16, signed in', server: next, cookie },
  ];
  const rows = [['', 'Node ms', 'PostgreSQL ms', 'Next / ours', 'target']];
  const results = [];
  let isMet = true;
  for (const count of listCounts) {
    const addresses = await findLists(db, count, ours.origin);
    const { costs, failures } = await measureLists(db, targets, addresses, report);
    isMet &&= failures === 0;
    for (const { name } of targets) {
      const [cost, other] = [costs[name], costs[name.replace('ours', 'Next 16')]];
      if (!cost || !other) continue;
      const ratio = sumOf(other) / sumOf(cost);
      const isOurs = name.startsWith('ours');
      if (isOurs) isMet &&= ratio >= listBound;
      rows.push([
        `${count} lists, ${name}`,
        cost.node.toFixed(2),
        cost.database.toFixed(2),
        ...(isOurs
          ? [ratio.toFixed(2), `at least ${listBound}, ${verdictOn(ratio >= listBound)}`]
          : ['', '']),
      ]);
      results.push({ count, name, ...cost, failures });
    }
  }
  return { results, text: table(rows), isMet };
}

async function startNext(folder: string, settings: Record<string, string>): Promise<Running> {
  await cp(fileURLToPath(new URL('next-app', import.meta.url)), folder, { recursive: true });
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  const options = { cwd: folder, env: { ...process.env, ...quiet, ...settings } };
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], options);
  const program = path.join(folder, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [program, 'build'], options);
  const port = await freePort();
  const args = [program, 'start', '--hostname', '127.0.0.1', '--port', String(port)];
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  const child = spawn(process.execPath, args, { ...options, stdio: [...stdio] });
  return answering(child, `http://127.0.0.1:${port}`, page);
}

/** Returns the size and compression of a page. Throws if the page does not show the deals. */
async function describePage({ origin }: Running): Promise<string[]> {
  const response = await fetch(origin + page, {
    headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
  });
  const html = await response.text();
  const found = html.match(/<article/g)?.length;
  if (found !== cards) throw new Error(`${origin}${page} shows ${found} deals.`);
  return [String(Buffer.byteLength(html)), response.headers.get('content-encoding') ?? 'not'];
}

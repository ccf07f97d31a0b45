import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Measured, table, verdictOn } from '#bench/measure.ts';
import { answering, pin, type Running, startSite } from '#bench/measured-site.ts';
import { openShop, urlOf } from '#bench/open-shop.ts';
import { at, cores, takeTurns } from '#bench/take-turns.ts';
import { freePort } from '#test/free-port.ts';

const run = promisify(execFile);
const page = '/deals';
const cards = 24;
const connections = 8;
/** The maximum of our time divided by Next's time. */
const bound = 1.2;

/**
 * Compares an uncached list of ours with the minimum that a shop on Next would render for the same
 * deals (`next-app`). Both run in production mode, alternating, with their own compression. Needs
 * the build and the npm registry.
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
    const ours = await startSite(page, { ...settings, LOG_LEVEL: 'info', PAGE_CACHE_MB: '0' });
    servers.push(ours);
    for (const { pid } of servers) pin(pid, cores.server);
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
    const text = `${table([['', 'requests/s', 'processor us', 'HTML', 'compressed'], ...rows])}

failed requests: ${failures}
ours / Next, in requests a second: ${ratio.toFixed(2)}, at least ${bound}: ${verdictOn(ratio >= bound)}`;
    return { results: { speeds, failures, ratio }, text, isMet: ratio >= bound && failures === 0 };
  } finally {
    for (const server of servers) await server.stop();
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  }
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

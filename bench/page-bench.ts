import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { listDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { durationOf, type Measured, table, timingOf } from '#bench/measure.ts';
import { answering, load, type Running, startSite } from '#bench/measured-site.ts';
import { openShop } from '#bench/open-shop.ts';
import { timeBareRender } from '#bench/render-markup.ts';
import { freePort } from '#test/free-port.ts';
import { siteFlags } from '../bin/site-flags.mjs';

const run = promisify(execFile);
const rounds = 5;
const secondsEach = 2;
const cachedConnections = 16;
const renderedConnections = 4;
const page = '/deals';

interface PageResults {
  /** Requests a second, the middle one of the rounds. */
  cached: number;
  bareNode: number;
  nginx: number | null;
  uncached: number;
  /** The loaders' data of the same page, without React. */
  uncachedData: number;
  failures: number;
  /** Processor microseconds of the server for each request, where the system tells: they bear a busy machine. */
  processorUs: Record<string, number>;
  /** Milliseconds, one at a time on an idle server. */
  bareRenderMs: number;
  queriesMs: number;
  bytes: number;
}

/**
 * Our server in production mode beside the least that could answer the same bytes, in rounds that take turns, so that
 * whatever else this machine does meets all of them. Needs the build.
 */
export async function benchPages(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-bench-'));
  const servers: Running[] = [];
  const kept = (server: Running) => (servers.push(server), server);
  try {
    const databaseUrl = new URL(serverUrl);
    databaseUrl.pathname = `/bench_${deals}`;
    const settings = { DATABASE_URL: databaseUrl.href, LOG_LEVEL: 'info' };
    const cached = kept(await startSite(page, { ...settings, PAGE_CACHE_MB: '64' }));
    const uncached = kept(await startSite(page, { ...settings, PAGE_CACHE_MB: '0' }));
    await fetchPage(cached.origin + page);
    const answer = await fetchPage(cached.origin + page);
    const bodyFile = path.join(folder, 'page');
    await writeFile(bodyFile, answer.body);
    const bare = kept(await startBare(bodyFile, answer.headers));
    const nginx = await startNginx(folder, answer.headers);
    if (nginx) kept(nginx);

    const targets = {
      cached: at(cached, page),
      bareNode: at(bare, page),
      ...(nginx ? { nginx: at(nginx, page) } : {}),
    };
    const stored = await takeTurns(targets, cachedConnections, 'stored', report);
    const rendered = await takeTurns(
      { uncached: at(uncached, page), uncachedData: at(uncached, `${page}.data`) },
      renderedConnections,
      'rendered',
      report,
    );
    const html = await (await fetch(uncached.origin + page)).text();
    const queries: number[] = [];
    for (let n = 0; n < 60; n++) {
      queries.push(
        await durationOf(async () =>
          priceDeals(
            shop.db,
            (await listDeals(shop.db, { filter: {}, sort: 'newest', page: 1 })).deals,
            defaultSettings,
            new Date(),
          ),
        ),
      );
    }
    const results: PageResults = {
      cached: stored.speeds.cached ?? 0,
      bareNode: stored.speeds.bareNode ?? 0,
      nginx: stored.speeds.nginx ?? null,
      uncached: rendered.speeds.uncached ?? 0,
      uncachedData: rendered.speeds.uncachedData ?? 0,
      failures: stored.failures + rendered.failures,
      processorUs: { ...stored.processorUs, ...rendered.processorUs },
      bareRenderMs: timeBareRender(html),
      queriesMs: timingOf(queries.slice(10)).median,
      bytes: answer.body.length,
    };
    return { results, text: describe(results), isMet: true };
  } finally {
    for (const server of servers) await server.stop();
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function describe(results: PageResults): string {
  const uncachedMs = 1_000 / results.uncached;
  const dataMs = 1_000 / results.uncachedData;
  const { cached, bareNode, nginx, uncached, uncachedData } = results.processorUs;
  const share = (other?: number) => (cached && other ? (other / cached).toFixed(2) : '');
  const rows = [
    ['', 'requests/s', 'ratio', 'processor us', 'ratio'],
    [`cached page (${results.bytes} bytes, brotli)`, perSecond(results.cached), '', us(cached), ''],
    [
      '  bare node:http, same bytes',
      perSecond(results.bareNode),
      (results.cached / results.bareNode).toFixed(2),
      us(bareNode),
      share(bareNode),
    ],
    [
      '  nginx, same bytes from disk',
      perSecond(results.nginx),
      results.nginx === null ? '' : (results.cached / results.nginx).toFixed(2),
      us(nginx),
      share(nginx),
    ],
    ['uncached list page', perSecond(results.uncached), '', us(uncached), ''],
    ['  its data alone', perSecond(results.uncachedData), '', us(uncachedData), ''],
    [
      '  bare renderToString of its markup',
      perSecond(1_000 / results.bareRenderMs),
      (results.bareRenderMs / uncachedMs).toFixed(2),
      us(results.bareRenderMs * 1_000),
      uncached ? ((results.bareRenderMs * 1_000) / uncached).toFixed(2) : '',
    ],
  ];
  const rest = [
    ['where an uncached page spends its time', 'ms'],
    ['whole page', uncachedMs.toFixed(2)],
    ['  React: bare renderToString of the markup', results.bareRenderMs.toFixed(2)],
    ['  router, loaders, their queries and encoding (the .data request)', dataMs.toFixed(2)],
    [
      '    of which waits for the list and its proofs, alone on an idle server',
      results.queriesMs.toFixed(2),
    ],
    [
      '  the rest: components and links, streaming, compression, headers',
      (uncachedMs - dataMs - results.bareRenderMs).toFixed(2),
    ],
    ['failed requests', String(results.failures)],
  ];
  return `${table(rows)}\n\n${table(rest)}`;
}

function us(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(0);
}

function perSecond(value: number | null): string {
  return value === null ? 'not installed' : value.toFixed(0);
}

interface Target {
  url: string;
  pid: number;
}

function at({ origin, pid }: Running, address: string): Target {
  return { url: origin + address, pid };
}

/** What this process used so far of all processors, in hundredths of a second; null where there is no /proc. */
async function processorTicks(pid: number): Promise<number | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (line === null) return null;
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

async function takeTurns(
  targets: Record<string, Target>,
  connections: number,
  kind: 'stored' | 'rendered',
  report: (line: string) => void,
): Promise<Pick<PageResults, 'processorUs' | 'failures'> & { speeds: Record<string, number> }> {
  const speeds = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  let failures = 0;
  // Round 0 warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { url, pid }] of Object.entries(targets)) {
      const before = await processorTicks(pid);
      const result = await load(url, connections, round === 0 ? 1 : secondsEach, kind);
      if (round > 0)
        speeds.set(name, [...(speeds.get(name) ?? []), result.requests / result.seconds]);
      failures += result.failures;
      if (round > 0 && before !== null) {
        const used = ((await processorTicks(pid)) ?? before) - before;
        costs.set(name, [...(costs.get(name) ?? []), (used * 10_000) / result.requests]);
      }
    }
    report(`${kind} pages, round ${round} of ${rounds}`);
  }
  const medians = (all: Map<string, number[]>) =>
    Object.fromEntries([...all].map(([name, values]) => [name, timingOf(values).median]));
  return { speeds: medians(speeds), processorUs: medians(costs), failures };
}

async function startBare(bodyFile: string, headers: string[]): Promise<Running> {
  const port = await freePort();
  const script = new URL('bare-server.ts', import.meta.url).pathname;
  const args = [...siteFlags(), script, String(port), bodyFile, JSON.stringify(headers)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  return answering(child, `http://127.0.0.1:${port}`, page);
}

/** One worker, no log, keep-alive without end, the file as it is. Null where nginx is not installed. */
async function startNginx(folder: string, headers: string[]): Promise<Running | null> {
  const program = await findNginx();
  if (!program) return null;
  const port = await freePort();
  const own = new Set([
    'content-type',
    'content-length',
    'connection',
    'date',
    'keep-alive',
    'etag',
  ]);
  const added = pairs(headers)
    .filter(([name]) => !own.has(name.toLowerCase()))
    .map(([name, value]) => `add_header ${name} "${value.replaceAll(/["\\$]/g, '\\$&')}";`);
  const configuration = path.join(folder, 'nginx.conf');
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; default_type "text/html; charset=utf-8";
  open_file_cache max=10; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen 127.0.0.1:${port}; location = ${page} { alias ${folder}/page; ${added.join(' ')} } }
}`,
  );
  const child = spawn(program, ['-c', configuration, '-p', folder], { stdio: 'inherit' });
  return answering(child, `http://127.0.0.1:${port}`, page);
}

async function findNginx(): Promise<string | null> {
  for (const program of ['nginx', '/usr/sbin/nginx']) {
    const found = await run(program, ['-v']).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return null;
}

async function fetchPage(url: string): Promise<{ headers: string[]; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ headers: string[]; body: Buffer }>();
  const headers = {
    'accept-encoding': 'br',
    accept: 'text/html',
    'user-agent': 'Mozilla/5.0 bench',
  };
  http
    .get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
        const kept = pairs(response.rawHeaders).filter(([name]) => !own.has(name.toLowerCase()));
        resolve({ headers: kept.flat(), body: Buffer.concat(chunks) });
      });
    })
    .on('error', reject);
  return await promise;
}

function pairs(list: string[]): [string, string][] {
  return Array.from({ length: list.length / 2 }, (_, n) => [
    list[2 * n] ?? '',
    list[2 * n + 1] ?? '',
  ]);
}

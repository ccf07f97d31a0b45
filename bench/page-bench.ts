import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { request } from 'undici';
import { listDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import type { Db } from '#database/connect.ts';
import { durationOf, type Measured, table, timingOf, verdictOn } from '#bench/measure.ts';
import {
  type AnswerKind,
  answering,
  load,
  pin,
  type Running,
  startSite,
  statOf,
} from '#bench/measured-site.ts';
import { openShop, urlOf } from '#bench/open-shop.ts';
import { timeBareRender } from '#bench/render-markup.ts';
import { freePort } from '#test/free-port.ts';
import { siteFlags } from '../bin/site-flags.mjs';

const run = promisify(execFile);
const rounds = 5;
const secondsEach = 2;
const cachedConnections = 16;
const renderedConnections = 4;
const page = '/deals';
const cores = { server: 0, load: 1 };
/** Of a cached page against the bare handler, and of an uncached one against bare React and brotli, by processor time. */
const bounds = { cached: 0.97, uncached: 2.5 };

/** Of one server, the middle one of the rounds. */
interface Speed {
  perSecond: number;
  /** Processor microseconds for each request, where the system tells: they bear a busy machine. */
  processorUs: number | undefined;
}

interface PageResults {
  speeds: Partial<Record<string, Speed>>;
  failures: number;
  /** Milliseconds, one at a time on an idle server. */
  bareRenderMs: number;
  brotliMs: number;
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
  const kept = (server: Running) => {
    pin(server.pid, cores.server);
    servers.push(server);
    return server;
  };
  try {
    const settings = { DATABASE_URL: urlOf(serverUrl, `bench_${deals}`), LOG_LEVEL: 'info' };
    const cached = kept(await startSite(page, { ...settings, PAGE_CACHE_MB: '64' }));
    const uncached = kept(await startSite(page, { ...settings, PAGE_CACHE_MB: '0' }));
    const deal = await findDealPage(cached.origin);
    await fetchPage(cached.origin + deal);
    const answer = await fetchPage(cached.origin + deal);
    const bodyFile = path.join(folder, 'page');
    await writeFile(bodyFile, answer.body);
    const bare = kept(await startBare(bodyFile, answer.headers, deal));
    const nginx = await startNginx(folder, answer.headers, deal);
    if (nginx) kept(nginx);

    const stored = [
      at('cached', cached, deal),
      at('bareNode', bare, deal),
      ...(nginx ? [at('nginx', nginx, deal)] : []),
    ];
    // The second is the loaders' data of the same page, without React.
    const rendered = [at('uncached', uncached), at('uncachedData', uncached, `${page}.data`)];
    const ofStored = await takeTurns(stored, cachedConnections, 'stored', report);
    const ofRendered = await takeTurns(rendered, renderedConnections, 'rendered', report);
    const html = await (await fetch(uncached.origin + page)).text();
    const results: PageResults = {
      speeds: { ...ofStored.speeds, ...ofRendered.speeds },
      failures: ofStored.failures + ofRendered.failures,
      bareRenderMs: timeBareRender(html),
      brotliMs: timeBrotli(html),
      queriesMs: await timeQueries(shop.db),
      bytes: answer.body.length,
    };
    const text = describe(results);
    return { results, text, isMet: !text.includes(verdictOn(false)) };
  } finally {
    for (const server of servers) await server.stop();
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function findDealPage(origin: string): Promise<string> {
  const list = await (await fetch(origin + page)).text();
  const found = /href="(\/deals\/[a-z0-9-]+)"/.exec(list)?.[1];
  if (!found) throw new Error(`${page} shows no deal.`);
  return found;
}

/** Milliseconds to compress it as pages are that nobody keeps. */
function timeBrotli(html: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  const times: number[] = [];
  for (let n = 0; n < 60; n++) {
    const start = performance.now();
    brotliCompressSync(html, { params });
    times.push(performance.now() - start);
  }
  return timingOf(times.slice(10)).median;
}

async function timeQueries(db: Db): Promise<number> {
  const times: number[] = [];
  const work = async () => {
    const { deals } = await listDeals(db, { filter: {}, sort: 'newest', page: 1 });
    await priceDeals(db, deals, defaultSettings, new Date());
  };
  for (let n = 0; n < 60; n++) times.push(await durationOf(work));
  return timingOf(times.slice(10)).median;
}

function describe(results: PageResults): string {
  const { speeds, failures, bareRenderMs, brotliMs, queriesMs, bytes } = results;
  const { cached, bareNode, nginx, uncached, uncachedData } = speeds;
  const leastUs = (bareRenderMs + brotliMs) * 1_000;
  const bareRender = { perSecond: 1_000 / bareRenderMs, processorUs: bareRenderMs * 1_000 };
  const uncachedMs = 1_000 / (uncached?.perSecond ?? 0);
  const dataMs = 1_000 / (uncachedData?.perSecond ?? 0);
  const rows = [
    ['', 'requests/s', 'ratio', 'processor us', 'ratio'],
    rowOf(`cached page (${bytes} bytes, brotli)`, cached),
    rowOf('  bare node:http, same bytes', bareNode, cached),
    rowOf('  nginx, same bytes from disk', nginx, cached),
    rowOf('uncached list page', uncached),
    rowOf('  its data alone', uncachedData),
    rowOf('  bare renderToString of its markup', bareRender, uncached),
  ];
  const rest: [string, number][] = [
    ['whole page', uncachedMs],
    ['  React: bare renderToString of the markup', bareRenderMs],
    ['  router, loaders, their queries and encoding (the .data request)', dataMs],
    ['    of which waits for the list and its proofs, alone on an idle server', queriesMs],
    [
      '  the rest: components and links, streaming, compression, headers',
      uncachedMs - dataMs - bareRenderMs,
    ],
  ];
  const times = [
    ['where an uncached page spends its time', 'ms'],
    ...rest.map(([what, ms]) => [what, ms.toFixed(2)]),
    ['failed requests', String(failures)],
  ];
  const cachedRatio = (bareNode?.processorUs ?? 0) / (cached?.processorUs ?? 1);
  const uncachedRatio = (uncached?.processorUs ?? 0) / leastUs;
  const targets = table([
    ['by processor time', '', 'target'],
    [
      'bare node:http / cached page',
      cachedRatio.toFixed(2),
      `at least ${bounds.cached}, ${verdictOn(cachedRatio >= bounds.cached)}`,
    ],
    [
      'uncached list / bare React and brotli',
      uncachedRatio.toFixed(2),
      `at most ${bounds.uncached}, ${verdictOn(uncachedRatio <= bounds.uncached)}`,
    ],
  ]);
  return `${table(rows)}\n\n${table(times)}\n\n${targets}`;
}

/** With the ratios of time and of processor time to `whole`. */
function rowOf(what: string, speed: Speed | undefined, whole?: Speed): string[] {
  if (!speed) return [what, 'not installed', '', '', ''];
  const ratio = (part = 0, of = 0) => (part && of ? (part / of).toFixed(2) : '');
  const { perSecond, processorUs } = speed;
  return [
    what,
    perSecond.toFixed(0),
    ratio(whole?.perSecond, perSecond),
    processorUs?.toFixed(0) ?? '',
    ratio(processorUs, whole?.processorUs),
  ];
}

function at(name: string, { origin, pid }: Running, address = page) {
  return { name, url: origin + address, pid };
}

/** What this process used so far of all processors, in hundredths of a second; null where there is no /proc. */
async function processorTicks(pid: number): Promise<number | null> {
  const fields = await statOf(pid);
  return fields && Number(fields[11]) + Number(fields[12]);
}

async function takeTurns(
  targets: ReturnType<typeof at>[],
  connections: number,
  kind: AnswerKind,
  report: (line: string) => void,
): Promise<Pick<PageResults, 'speeds' | 'failures'>> {
  const found = targets.map((target) => {
    const measured: Record<'perSecond' | 'processorUs', number[]> = {
      perSecond: [],
      processorUs: [],
    };
    return { ...target, ...measured };
  });
  let failures = 0;
  // Round 0 warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const { url, pid, perSecond, processorUs } of found) {
      const before = await processorTicks(pid);
      const seconds = round === 0 ? 1 : secondsEach;
      const result = await load(url, connections, seconds, kind, cores.load);
      const after = await processorTicks(pid);
      failures += result.failures;
      if (round === 0) continue;
      perSecond.push(result.requests / result.seconds);
      if (before === null || after === null) continue;
      processorUs.push(((after - before) * 10_000) / result.requests);
    }
    report(`${kind} pages, round ${round} of ${rounds}`);
  }
  const speeds: PageResults['speeds'] = {};
  for (const { name, perSecond, processorUs } of found) {
    speeds[name] = {
      perSecond: timingOf(perSecond).median,
      processorUs: processorUs.length > 0 ? timingOf(processorUs).median : undefined,
    };
  }
  return { speeds, failures };
}

type Headers = Record<string, string>;

async function startBare(bodyFile: string, headers: Headers, address: string): Promise<Running> {
  const port = await freePort();
  const script = new URL('bare-server.ts', import.meta.url).pathname;
  const args = [...siteFlags(), script, String(port), bodyFile, JSON.stringify(headers)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  return answering(child, `http://127.0.0.1:${port}`, address);
}

/** One worker, no log, keep-alive without end, the file as it is. Null where nginx is not installed. */
async function startNginx(
  folder: string,
  headers: Headers,
  address: string,
): Promise<Running | null> {
  const program = await findNginx();
  if (!program) return null;
  const port = await freePort();
  const own = new Set(['content-type', 'content-length', 'etag']);
  const added = Object.entries(headers)
    .filter(([name]) => !own.has(name))
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
  server { listen 127.0.0.1:${port}; location = ${address} { alias ${folder}/page; ${added.join(' ')} } }
}`,
  );
  const child = spawn(program, ['-c', configuration, '-p', folder], { stdio: 'inherit' });
  return answering(child, `http://127.0.0.1:${port}`, address);
}

async function findNginx(): Promise<string | undefined> {
  for (const program of ['nginx', '/usr/sbin/nginx']) {
    const isThere = run(program, ['-v']).then(
      () => true,
      () => false,
    );
    if (await isThere) return program;
  }
  return undefined;
}

/** The bytes as they travel, and the headers without those that every server writes by itself. */
async function fetchPage(url: string): Promise<{ headers: Headers; body: Buffer }> {
  const asked = {
    'accept-encoding': 'br',
    accept: 'text/html',
    'user-agent': 'Mozilla/5.0 bench',
  };
  const { headers, body } = await request(url, { headers: asked });
  const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const kept: Headers = {};
  for (const [name, value = ''] of Object.entries(headers)) {
    if (!own.has(name)) kept[name] = String(value);
  }
  return { headers: kept, body: Buffer.from(await body.arrayBuffer()) };
}

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { request } from 'undici';
import { type Measured, table, timingOf, verdictOn } from '#bench/measure.ts';
import { answering, pin, type Running, startSite } from '#bench/measured-site.ts';
import { openShop, urlOf } from '#bench/open-shop.ts';
import { type BareCost, bareRenderer } from '#bench/render-markup.ts';
import { at, cores, type Speed, type Speeds, takeTurns } from '#bench/take-turns.ts';
import { freePort } from '#test/free-port.ts';
import { siteFlags } from '../bin/site-flags.mjs';

const run = promisify(execFile);
const cachedConnections = 16;
const renderedConnections = 4;
const page = '/deals';
/**
 * Limits of CPU time: of a cached page relative to the bare handler, and of an uncached page
 * relative to bare React with brotli.
 */
const bounds = { cached: 0.97, uncached: 2.5 };

interface PageResults extends Speeds {
  bare: BareCost;
  bytes: number;
}

/**
 * Measures our server in production mode and a minimal server with the same bytes. Rounds
 * alternate, so that other load affects both. Requires the build.
 */
export async function benchPages(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-bench-'));
  const servers: Running[] = [];
  // Bare React renders in this process, which is otherwise idle.
  pin(process.pid, cores.server);
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
    const stored = await fetchPage(cached.origin + deal);
    const bodyFile = path.join(folder, 'page');
    await writeFile(bodyFile, stored.body);
    const bare = kept(await startBare(bodyFile, stored.headers, deal));
    const nginx = await startNginx(folder, stored.headers, deal);
    if (nginx) kept(nginx);

    const targets = [
      at('cached', cached, deal),
      at('bareNode', bare, deal),
      ...(nginx ? [at('nginx', nginx, deal)] : []),
    ];
    const rendered = [at('uncached', uncached, page)];
    const ofStored = await takeTurns(targets, cachedConnections, 'stored', report);
    const measureBare = bareRenderer(await (await fetch(uncached.origin + page)).text());
    const bareCosts: BareCost[] = [];
    const ofRendered = await takeTurns(
      rendered,
      renderedConnections,
      'rendered',
      report,
      async () => void bareCosts.push(await measureBare()),
    );
    const results: PageResults = {
      speeds: { ...ofStored.speeds, ...ofRendered.speeds },
      failures: ofStored.failures + ofRendered.failures,
      bare: {
        render: timingOf(bareCosts.map(({ render }) => render)).median,
        answer: timingOf(bareCosts.map(({ answer }) => answer)).median,
      },
      bytes: stored.body.length,
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

function describe(results: PageResults): string {
  const { speeds, failures, bare, bytes } = results;
  const { cached, bareNode, nginx, uncached } = speeds;
  const bareSpeed = (us: number) => ({ perSecond: 1_000_000 / us, processorUs: us });
  const rows = [
    ['', 'requests/s', 'ratio', 'processor us', 'ratio'],
    rowOf(`cached page (${bytes} bytes, brotli)`, cached),
    rowOf('  bare node:http, same bytes', bareNode, cached),
    rowOf('  nginx, same bytes from disk', nginx, cached),
    rowOf('uncached list page', uncached),
    rowOf('  bare renderToString of its markup', bareSpeed(bare.render), uncached),
    rowOf('  the same with its bytes and brotli', bareSpeed(bare.answer), uncached),
  ];
  const cachedRatio = (bareNode?.processorUs ?? 0) / (cached?.processorUs ?? 1);
  const uncachedRatio = (uncached?.processorUs ?? 0) / bare.answer;
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
  return `${table(rows)}\n\nfailed requests: ${failures}\n\n${targets}`;
}

/** Returns a row of the table, with the ratios of time and CPU time to those of `whole`. */
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

type Headers = Record<string, string>;

async function startBare(bodyFile: string, headers: Headers, address: string): Promise<Running> {
  const port = await freePort();
  const script = new URL('bare-server.ts', import.meta.url).pathname;
  const args = [...siteFlags(), script, String(port), bodyFile, JSON.stringify(headers)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  return answering(child, `http://127.0.0.1:${port}`, address);
}

/**
 * Starts nginx with one worker, no log, unlimited keep-alive and the unchanged file. Returns null
 * if nginx is not installed.
 */
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

/**
 * Fetches the bytes as transferred, and the headers except those that every server adds by itself.
 */
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

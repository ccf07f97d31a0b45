import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServerBuild } from 'react-router';
import type { Env } from '#app/platform/env.server.ts';
import { type Job, startJobs } from '#app/platform/jobs.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { connect } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import { fillEmptyDatabase } from '#server/fill-empty-database.ts';
import { findPortOwner } from '#server/find-port-owner.ts';
import { createSiteServer, type SiteServerOptions } from '#server/http-server.ts';
import { openDatabase, type OpenDatabase } from '#server/open-database.ts';
import { PageCache } from '#server/page-cache.ts';
import { listenForPageChanges } from '#server/page-invalidation.ts';
import { securityHeaders } from '#server/security-headers.ts';
import { createSiteApp, type SiteApp } from '#server/site-app.ts';
import { loadStaticFiles, type StaticFiles } from '#server/static-files.ts';
import { stopOnSignals } from '#server/stop-on-signals.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A start that cannot succeed, told in a sentence for whoever started the site. */
class StartError extends Error {}

/** Environment → database → schema → HTTP → jobs. Answers when the site is up; it stops on a signal. */
export async function startSite(env: Env, log: Log): Promise<void> {
  const isStopping = stopOnSignals(log, env.shutdownSeconds);
  await refuseTakenPort(env);
  const database = await openDatabase(env, log);
  isStopping.atTheEnd(() => database.stop());
  await prepareDatabase(database, env, log);

  const services: AppServices = { db: database.db, env, log, now: () => new Date() };
  const cache =
    env.nodeEnv === 'production' && env.pageCacheMb > 0
      ? new PageCache<StoredAnswer>({ maxBytes: env.pageCacheMb * 2 ** 20 })
      : null;
  const site = await (env.nodeEnv === 'development' ? developSite(services) : loadSite(services));
  const server = createSiteServer({ ...site, services, cache, isStopping: isStopping.now });
  site.attach?.(server);
  const news = cache && listenForPageChanges(database.url, cache, log);
  isStopping.atTheEnd(async () => news?.stop());

  await listen(server, env);
  isStopping.atTheEnd(() => closeServer(server, env.shutdownSeconds));
  const jobs = await startJobs(database.url, site.jobs, services);
  isStopping.atTheEnd(() => jobs.stop(env.shutdownSeconds));
  announce([
    ['Address', env.origin],
    ['Database', database.description],
    ['Page cache', cache ? `${env.pageCacheMb} MB` : 'off'],
    ...(env.nodeEnv === 'development' ? ([['Mode', 'development']] as const) : []),
  ]);
}

type Site = Pick<SiteServerOptions, 'app' | 'files' | 'developmentMiddleware'> & {
  jobs: readonly Job[];
  attach?(server: Server): void;
};

async function loadSite(services: AppServices): Promise<Site> {
  const bundle = path.join(root, 'build/server/index.js');
  if (!existsSync(bundle)) {
    throw new StartError('The site is not built yet. `npm start` does it; or run `npm run build`.');
  }
  const { createRequestHandler } = await import('react-router');
  const build = (await import(pathToFileURL(bundle).href)) as ServerBuild;
  const folder = path.join(root, 'build/client');
  const files = await loadStaticFiles(folder, securityHeaders(services.env.origin));
  return { app: createSiteApp(build, createRequestHandler, services), files, jobs: jobsOf(build) };
}

/** Pages straight from the sources, with Vite's hot replacement on our own port. */
async function developSite(services: AppServices): Promise<Site> {
  const { createServer: createVite } = await import('vite');
  // Vite wants the server for its socket before the pages exist, so it listens through this one.
  const relay = createServer();
  const vite = await createVite({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: relay } },
  });
  const load = () =>
    vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>;
  // The same module instance as the pages', or contexts would not be recognised.
  const router = (await vite.ssrLoadModule('react-router')) as typeof import('react-router');
  const app: SiteApp = createSiteApp(load, router.createRequestHandler, services);
  const files: StaticFiles = new Map();
  return {
    app,
    files,
    jobs: jobsOf(await load()),
    developmentMiddleware: (request, response, next) => vite.middlewares(request, response, next),
    attach: (server) =>
      server.on('upgrade', (...args) => {
        relay.emit('upgrade', ...args);
      }),
  };
}

function jobsOf(build: ServerBuild): readonly Job[] {
  return (build.entry.module as unknown as { jobs: readonly Job[] }).jobs;
}

async function prepareDatabase({ url, db }: OpenDatabase, env: Env, log: Log): Promise<void> {
  const patient = connect(url, { maxConnections: 2, statementTimeout: 0 });
  try {
    const done = await migrate(patient.db);
    if (done.length > 0) log.info({ migrations: done }, 'the database was brought up to date');
    if (env.seed === 'demo') await fillEmptyDatabase(patient.db, env, log);
  } finally {
    await patient.close();
  }
  await db.selectFrom('deals').select('id').limit(1).execute();
}

async function refuseTakenPort(env: Env): Promise<void> {
  const probe = createServer();
  await listen(probe, env);
  probe.close();
  await once(probe, 'close');
}

async function listen(server: Server, env: Env): Promise<void> {
  server.listen(env.port, env.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw startErrorOf(error as NodeJS.ErrnoException, env);
  }
}

function startErrorOf(error: NodeJS.ErrnoException, env: Env): Error {
  if (error.code === 'EADDRINUSE') {
    const pid = findPortOwner(env.port);
    const by = pid === null ? 'another process' : `pid ${pid}`;
    return new StartError(
      `Port ${env.port} is in use by ${by}. Try \`deals start --port ${env.port + 1}\`.`,
    );
  }
  if (error.code === 'EACCES') {
    return new StartError(
      `Port ${env.port} is reserved for the system's administrator. Try \`deals start --port 3000\` behind a reverse proxy.`,
    );
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`HOST is ${env.host}, which is no address of this machine.`);
  }
  return error;
}

async function closeServer(server: Server, seconds: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearTimeout(timer);
}

/** One box on the terminal; the log goes on below it. */
function announce(lines: readonly (readonly [string, string])[]): void {
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  const rows = [
    'Deal Hub is running',
    '',
    ...lines.map(([name, value]) => name.padEnd(width) + value),
  ];
  const inner = Math.max(...rows.map((row) => row.length)) + 2;
  const edge = '─'.repeat(inner);
  const body = rows.map((row) => `│ ${row.padEnd(inner - 2)} │`).join('\n');
  process.stdout.write(`┌${edge}┐\n${body}\n└${edge}┘\n`);
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSetupLink } from '#app/features/accounts/people/setup-link.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { startJobs } from '#app/platform/run-jobs.server.ts';
import { readVersion } from '#app/features/desk/read-system-info.server.ts';
import { reportProcess } from '#app/platform/site-processes.server.ts';
import { readMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { connect } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import { noteVersion } from '#database/site-versions.ts';
import { announceSite, type Fact } from '#server/announce-site.ts';
import { examineAlphabets } from '#server/examine-alphabets.ts';
import { explainFullDisk } from '#server/explain-full-disk.ts';
import { Gate } from '#server/gate.ts';
import { jobRunner } from '#server/run-apart.ts';
import { fillEmptyDatabase } from '#server/fill-empty-database.ts';
import { findPortOwner } from '#server/find-port-owner.ts';
import type { HeldSocket } from '#server/held-socket.ts';
import { createSiteServer } from '#server/http-server.ts';
import { createMetrics, createMetricsServer, type Metrics } from '#server/metrics.ts';
import { openDatabase, type OpenDatabase, refuseDeafDatabase } from '#server/open-database.ts';
import { CachedValues } from '#server/cached-values.ts';
import { PageCache } from '#server/page-cache.ts';
import { listenForPageChanges } from '#server/page-invalidation.ts';
import { closeServer } from '#server/close-server.ts';
import { serviceManager } from '#server/service-manager.ts';
import { developSite, loadBuiltSite } from '#server/site-sources.ts';
import { openStandbys, SharedCaches } from '#server/scale-out/scale-out.ts';
import { stopOnSignals } from '#server/stop-on-signals.ts';
import { asStale, asUncacheable, type StoredAnswer } from '#server/stored-answer.ts';
import { waitForDatabase } from '#server/wait-for-database.ts';
import { watchEventLoop, Workload } from '#server/workload.ts';
import { errorCode } from '#database/error-code.ts';

/**
 * Starts the site: environment → database → schema → HTTP → jobs. Resolves once the site is
 * running; a signal stops it. With a `held` socket, PORT and HOST are ignored.
 */
export async function startSite(env: Env, log: Log, held: HeldSocket | null = null): Promise<void> {
  const manager = serviceManager(log);
  const stopping = stopOnSignals(log, env.shutdownSeconds, env.drainSeconds, manager.stopping);
  try {
    await start(env, log, held, { manager, stopping });
  } catch (error) {
    // If startup was interrupted, the parts that have started are already being closed.
    if (!stopping.now()) throw error;
  }
}

/** ms; the server itself may be overloaded */
const patienceMs = 5_000;

interface Process {
  manager: ReturnType<typeof serviceManager>;
  stopping: ReturnType<typeof stopOnSignals>;
}

async function start(
  env: Env,
  log: Log,
  held: HeldSocket | null,
  { manager, stopping }: Process,
): Promise<void> {
  if (!held) await refuseTakenPort(env);
  const database = await openAndPrepare(env, log, stopping);

  const values = new CachedValues();
  const services: AppServices = {
    db: database.db,
    env,
    log,
    now: () => new Date(),
    readCached: values.read,
  };
  const servesPages = env.role !== 'worker';
  const standbys = servesPages ? openStandbys(database.db, env) : null;
  stopping.atTheEnd(async () => standbys?.stop());
  const cache = servesPages ? openPageCache(env) : null;
  const sharedCaches = cache && new SharedCaches(env.sharedCaches, log);
  stopping.atTheEnd(async () => sharedCaches?.stop());
  const isDevelopment = env.nodeEnv === 'development';
  const site = await (isDevelopment ? developSite(services) : loadBuiltSite(services, standbys));
  stopping.atTheEnd(async () => site.close?.());
  if (servesPages) await site.keepFiles?.();
  const gate = new Gate(services);
  await gate.read();
  // In development, the same event loop also transpiles the sources.
  const workload = new Workload({ mostDelayMs: isDevelopment ? 0 : env.overloadDelayMs });
  const stopWatching = watchEventLoop(workload, (count) =>
    log.warn({ count }, 'visitors were turned away: the site is overloaded'),
  );
  stopping.atTheEnd(async () => stopWatching());
  const isStopping = stopping.now;
  const measured = { services, pool: database.pool, cache, standbys, patterns: site.patterns };
  const metrics = env.metrics && (await createMetrics(measured));
  const server = createSiteServer({
    ...site,
    services,
    cache,
    gate,
    workload,
    metrics,
    isStopping,
  });
  site.attach?.(server);
  let dropJobs = () => {};
  const listeners = [values, gate, cache, standbys, sharedCaches].filter((one) => one !== null);
  const news = listenForPageChanges(database.url, listeners, log, () => {
    database.drop();
    dropJobs();
  });
  stopping.atTheEnd(() => news.stop());

  if (metrics) stopping.atTheEnd(await startMetrics(metrics, env));
  await listen(server, held ?? env);
  stopping.atTheEnd(() =>
    closeServer(server, env.shutdownSeconds, sleep(stopping.drainSeconds() * 1000)),
  );
  if (env.role !== 'web') {
    // In development, there is no bundle that a separate process could load.
    const runApart = isDevelopment ? null : jobRunner();
    const jobs = await startJobs(database.url, site.jobs, services, runApart);
    dropJobs = () => jobs.dropConnections();
    stopping.atTheEnd(() => jobs.stop(env.shutdownSeconds));
  }
  const told = await reportProcess(services, await readVersion());
  stopping.atTheEnd(() => told.stop());
  await manager.ready(`${env.origin} answers`, database.isSound);
  const setupLink = await makeSetupLink(database.db, env.origin);
  const mail = await readMailEnv({ db: database.db, env });
  announceSite(factsOf({ ...env, mail }, database, { setupLink, hasCache: cache !== null }), log);
}

function factsOf(
  { origin, role, mail, metrics, nodeEnv, pageCacheMb }: Env,
  { description }: OpenDatabase,
  { setupLink, hasCache }: { setupLink: string | null; hasCache: boolean },
): Fact[] {
  const facts: (Fact | null)[] = [
    ['address', 'Address', origin],
    setupLink ? ['setupLink', 'Create your account', setupLink] : null,
    roleFacts[role],
    ['database', 'Database', description],
    ['mail', 'Mail', describeMail(mail)],
    ['pageCache', 'Page cache', hasCache ? `${pageCacheMb} MB` : 'off'],
    metrics ? ['metrics', 'Metrics', `http://${metrics.host}:${metrics.port}/metrics`] : null,
    nodeEnv === 'development' ? ['mode', 'Mode', 'development'] : null,
  ];
  return facts.filter((fact) => fact !== null);
}

/** Serves metrics on a separate port, and returns the function that stops it. */
async function startMetrics(metrics: Metrics, env: Env): Promise<() => Promise<void>> {
  const server = createMetricsServer(metrics);
  if (env.metrics) {
    await listen(server, { ...env.metrics, names: ['METRICS_PORT', 'METRICS_HOST'] });
  }
  return () => closeServer(server, 1);
}

function openPageCache({ nodeEnv, pageCacheMb }: Env): PageCache<StoredAnswer> | null {
  if (nodeEnv !== 'production' || pageCacheMb === 0) return null;
  const maxBytes = pageCacheMb * 2 ** 20;
  return new PageCache({ maxBytes, markStale: asStale, markUncacheable: asUncacheable });
}

const roleFacts: Record<Env['role'], Fact | null> = {
  all: null,
  web: ['role', 'Role', 'web: serves visitors only; a process with ROLE=worker runs the jobs'],
  worker: ['role', 'Role', 'worker: runs jobs only; other processes serve visitors'],
};

async function openAndPrepare(
  env: Env,
  log: Log,
  stopping: Process['stopping'],
): Promise<OpenDatabase> {
  const opening = openDatabase(env, log, { forPages: true, mayMove: true });
  // A signal may arrive while the server is starting.
  stopping.atTheEnd(async () => (await opening.catch(() => null))?.stop());
  const database = await opening;
  if (stopping.now()) throw new Error('The start was stopped.');
  try {
    await prepare(database, env, log, stopping);
    return database;
  } catch (error) {
    const explained = await explainFullDisk(error, env);
    // Otherwise, the private server would outlive the failed start.
    await Promise.race([database.stop().catch(() => {}), sleep(patienceMs)]);
    throw explained;
  }
}

async function prepare(
  database: OpenDatabase,
  env: Env,
  log: Log,
  stopping: Process['stopping'],
): Promise<void> {
  await waitForDatabase(database, log, { ask: () => refuseDeafDatabase(database, env) });
  const { url, db } = database;
  const patient = connect(url, { maxConnections: 2, statementTimeout: 0 });
  stopping.atTheEnd(async () => patient.drop());
  try {
    const done = await migrate(patient.db);
    if (done.length > 0) log.info({ migrations: done }, 'the database was migrated');
    await noteVersion(patient.db, await readVersion());
    const { detail, fix } = await examineAlphabets(patient.pool, env.databaseUrl === null);
    if (fix !== undefined) log.warn(`${detail}. ${fix}`);
    if (env.seed === 'demo') await fillEmptyDatabase(patient.db, env, log);
  } finally {
    await patient.close();
  }
  await db.selectFrom('deals').select('id').limit(1).execute();
}

/**
 * The address to listen on. `names` are the settings to mention in errors, by default PORT and
 * HOST.
 */
interface Place {
  port: number;
  host: string;
  names?: readonly [string, string];
}

async function refuseTakenPort(env: Env): Promise<void> {
  const probe = createServer();
  await listen(probe, env);
  probe.close();
  await once(probe, 'close');
}

async function listen(server: Server, place: Place | HeldSocket): Promise<void> {
  server.listen('fd' in place ? { fd: place.fd } : { port: place.port, host: place.host });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw 'fd' in place ? error : startErrorOf(error, place);
  }
}

function startErrorOf(error: unknown, { port, host, names }: Place): unknown {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    const pid = findPortOwner(port);
    const by = pid === null ? 'another process' : `pid ${pid}`;
    const fix = names ? `Choose another ${names[0]}.` : `Try \`deals start --port ${port + 1}\`.`;
    return new Error(`Port ${port} is in use by ${by}. ${fix}`);
  }
  if (code === 'EACCES') {
    const fix = names
      ? `Choose another ${names[0]}.`
      : 'Try `deals start --port 3000` behind a reverse proxy.';
    return new Error(`Port ${port} is reserved for the system's administrator. ${fix}`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`${names?.[1] ?? 'HOST'} is ${host}, which is not an address of this server.`);
  }
  return error;
}

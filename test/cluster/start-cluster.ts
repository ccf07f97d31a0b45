import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { chooseAccount } from '#database/run-unprivileged.ts';
import { freePort } from '#test/free-port.ts';
import { type Line, openLine } from './silent-line.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const logs = path.join(root, 'build/cluster');
const { HAPROXY_PROGRAM = 'haproxy', POSTGRES_BIN = '' } = process.env;

export interface Web {
  start(): Promise<void>;
  /** Answers what the process ended with. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Cluster {
  /** Of the site, at the balancer. */
  origin: string;
  webs: Web[];
  /** Between the processes of the site and their database. */
  line: Line;
  /** Kills every process of the primary at once. */
  killPrimary(): void;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Asks the present primary. */
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** Everything that runs, with the signal that ends it at once and tidily. */
const children = new Map<ChildProcess, NodeJS.Signals>();
let folder = '';
let stopping: Promise<void> | null = null;

/**
 * Three processes of the site behind haproxy, on a primary with a synchronous standby: on loopback, in a folder of its
 * own. What they say is in build/cluster.
 */
export async function startCluster(): Promise<Cluster> {
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-cluster-'));
  const [site = 0, database = 0, first = 0, second = 0, ...ports] = await Promise.all(
    Array.from({ length: 7 }, freePort),
  );
  const servers = await startDatabases(first, second);
  const local = (port: number) => `127.0.0.1:${port}`;
  const [web1 = 0, web2 = 0, web3 = 0] = ports;
  await start('haproxy', HAPROXY_PROGRAM, ['-db', '-f', 'docs/haproxy.cfg'], 'SIGTERM', {
    env: {
      ...process.env,
      SITE: local(site),
      WEB_1: local(web1),
      WEB_2: local(web2),
      WEB_3: local(web3),
      DATABASE: local(database),
      DATABASE_1: local(first),
      DATABASE_2: local(second),
    },
  });
  const line = await openLine(database);
  const origin = `http://${local(site)}`;
  const settings = await settingsOfSite(origin, line.port);
  const webs = ports.map((port, n) => webProcess(`web${n + 1}`, port, settings));
  // The first makes the demo shop.
  await webs[0]?.start();
  await Promise.all(webs.slice(1).map((web) => web.start()));
  await until('a page through haproxy', async () => (await fetch(origin)).status === 200);
  return { origin, webs, line, ...servers };
}

/** Ends everything that was started, and leaves nothing but the logs. Twice is once. */
export function stopCluster(): Promise<void> {
  return (stopping ??= endEverything());
}

async function endEverything(): Promise<void> {
  const exits = [...children].map(([child, signal]) => {
    const exit = once(child, 'exit');
    child.kill(signal);
    return exit;
  });
  await Promise.all(exits);
  if (folder !== '') await rm(folder, { recursive: true, force: true });
}

async function startDatabases(
  first: number,
  second: number,
): Promise<Pick<Cluster, 'killPrimary' | 'promote' | 'query'>> {
  const account = chooseAccount();
  if (account.mode === 'other-user' && account.owner) {
    chmodSync(folder, 0o711);
    mkdirSync(path.join(folder, 'postgres'));
    chownSync(path.join(folder, 'postgres'), account.owner.uid, account.owner.gid);
  } else mkdirSync(path.join(folder, 'postgres'));
  const cluster = (name: string) => path.join(folder, 'postgres', name);
  const postgres = (log: string, program: string, args: string[]) => {
    const [command, words] = account.wrap(path.join(POSTGRES_BIN, program), args);
    return start(log, command, words, 'SIGQUIT', { ...account.identity, cwd: '/' });
  };
  const serve = (name: string, port: number, ...more: string[]) => {
    const options = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'dynamic_shared_memory_type=mmap', // so that the killed one leaves nothing outside its folder
      ...more,
    ].flatMap((option) => ['-c', option]);
    return postgres(name, 'postgres', ['-D', cluster(name), '-p', String(port), ...options]);
  };
  const ask = async (port: number, sql: string) => {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
    client.on('error', () => {});
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  };

  const make = ['-D', cluster('primary'), '-U', 'postgres', '-A', 'trust', '--no-sync'];
  await succeed(postgres('initdb', 'initdb', [...make, '-E', 'UTF8', '--locale=C.UTF-8']));
  const primary = await serve('primary', first, 'synchronous_standby_names=*');
  const isUp = (port: number) => async () => (await ask(port, 'select 1')).length === 1;
  await until('the start of PostgreSQL', isUp(first));
  const from = ['-d', `postgres://postgres@127.0.0.1:${first}/postgres`, '--no-sync'];
  const copy = ['-D', cluster('standby'), '-R', '-c', 'fast', ...from];
  await succeed(postgres('basebackup', 'pg_basebackup', copy));
  await serve('standby', second);
  await until('the standby', async () => {
    const states = await ask(first, 'select sync_state from pg_stat_replication');
    return states.some(({ sync_state }) => sync_state === 'sync');
  });
  await ask(first, 'create role haproxy_check login');

  let present = first;
  return {
    query: (sql) => ask(present, sql),
    killPrimary() {
      const { pid = 0 } = primary;
      const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      primary.kill('SIGKILL');
      for (const one of own) killIfThere(Number(one));
    },
    async promote() {
      await ask(second, 'select pg_promote()');
      present = second;
    },
  };
}

/** Of all three processes; each has a port of its own. */
async function settingsOfSite(origin: string, database: number): Promise<Record<string, string>> {
  const vouching = createServer((_request, response) => response.end('{"success":true}'));
  vouching.unref().listen(0, '127.0.0.1');
  await once(vouching, 'listening');
  const { port } = vouching.address() as AddressInfo;
  return {
    NODE_ENV: 'production',
    ORIGIN: origin,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${database}/postgres`,
    DATA_DIR: path.join(folder, 'site'),
    LOG_LEVEL: 'warn',
    TRUSTED_PROXIES: '127.0.0.1',
    READY_FROM: '127.0.0.1',
    LINK_CHECKS: 'off', // nobody outside is asked for anything
    OVERLOAD_DELAY_MS: '0', // how busy the machine is otherwise is not the question
    RATE_LIMITS: 'page=0,search=0,search-burst=0,contact-address=0,contact-site=0', // one address asks for all
    HCAPTCHA_SITEKEY: 'cluster', // the puzzle of our own would take more than the site
    HCAPTCHA_SECRET: 'cluster',
    HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${port}`,
  };
}

function webProcess(name: string, port: number, settings: Record<string, string>): Web {
  let child: ChildProcess | undefined;
  return {
    async start() {
      const env = { ...process.env, ...settings, PORT: String(port) };
      child = await start(name, process.execPath, ['server/cli.ts', 'start'], 'SIGKILL', { env });
      const ready = `http://127.0.0.1:${port}/health/ready`;
      await until(`the start of ${name}`, async () => (await fetch(ready)).ok);
    },
    async end(signal) {
      if (!child) throw new Error(`${name} was never started`);
      const exit = once(child, 'exit');
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

async function start(
  log: string,
  program: string,
  args: string[],
  endsBy: NodeJS.Signals,
  options: SpawnOptions,
): Promise<ChildProcess> {
  if (stopping) throw new Error('the cluster is being stopped');
  const output = openSync(path.join(logs, `${log}.log`), 'a');
  const stdio: SpawnOptions['stdio'] = ['ignore', output, output];
  const child = spawn(program, args, { cwd: root, ...options, stdio });
  children.set(child, endsBy);
  child.once('exit', () => children.delete(child));
  await once(child, 'spawn');
  return child;
}

/** Waits for the end of a program that has something to do. */
async function succeed(starting: Promise<ChildProcess>): Promise<void> {
  const child = await starting;
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} failed: see build/cluster`);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const patience = AbortSignal.timeout(90_000);
  while (!(await isSo().catch(() => false))) {
    if (patience.aborted || stopping) throw new Error(`${what} did not come: see build/cluster`);
    await sleep(100);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself, as those do whose server is gone.
  }
}

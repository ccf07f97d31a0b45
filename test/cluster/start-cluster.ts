import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { fileURLToPath } from 'node:url';
import { layNetwork, Machine, makeFolder, type Program, until } from './machines.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = path.join(root, 'docs/cluster');
const logs = path.join(root, 'build/cluster');

/** The settings in `docs/cluster/site.env` for each process of the site. */
export const siteEnv = parseEnv(readFileSync(path.join(docs, 'site.env'), 'utf8'));
export const origin = siteEnv['ORIGIN'] ?? '';
export const stanza = 'deals';

/** A server in the cluster with one program that can be stopped and restarted. */
interface Node {
  machine: Machine;
  start(): Promise<void>;
  /** Returns the program's exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
}

/** A database server: etcd, Patroni, and PostgreSQL under Patroni. */
export interface DatabaseNode {
  machine: Machine;
  etcd: Node;
  patroni: Node;
  /** Switches the server on and starts both programs. */
  start(): Promise<void>;
  isPrimary(): Promise<boolean>;
  /** The state reported by Patroni: running, streaming, stopped … */
  state(): Promise<string>;
  /** Runs SQL on the node's PostgreSQL as superuser, and returns the output. */
  psql(sql: string, database?: string): string;
}

export interface Cluster {
  databases: DatabaseNode[];
  webs: Node[];
  workers: Node[];
  haproxy: Node;
  pgbouncer: Node;
  /** Runs an instant query in Prometheus. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]>;
  /** Returns the node whose PostgreSQL is writable. */
  primary(): Promise<DatabaseNode>;
  /** Runs patronictl on any running database server. */
  patronictl(...words: string[]): string;
  /** Waits until all three nodes have rejoined the cluster and a standby confirms writes. */
  whole(): Promise<void>;
}

let folder = '';
const machines: Machine[] = [];
let stopping: Promise<void> | null = null;

/**
 * Starts ten machines in namespaces, with the IP addresses and files from docs/cluster: three
 * database servers (etcd, Patroni, PostgreSQL), haproxy with pgbouncer, three web processes, two
 * workers, and Prometheus. Their output is in build/cluster. `env` contains further settings for
 * the site. When this process ends, so does the whole cluster.
 */
export async function startCluster(env: Record<string, string>): Promise<Cluster> {
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-cluster-'));
  chmodSync(folder, 0o755);
  layNetwork();
  makeFolder('postgres', folder, 'pgbackrest');

  const databases = [1, 2, 3].map(databaseNode);
  await Promise.all(databases.map((one) => one.start()));
  const primary = async () => {
    const found = await Promise.all(databases.map((one) => one.isPrimary()));
    return databases[found.indexOf(true)] ?? Promise.reject(new Error('there is no primary'));
  };
  await until('a primary', async () => (await primary()) !== undefined);
  const first = await primary();
  const { password } = new URL(siteEnv['DATABASE_URL'] ?? '');
  const roles = ['-q', '-v', 'ON_ERROR_STOP=1', '-v', `password=${password}`];
  const psql = ['psql', ...roles, '-f', '/etc/patroni/roles.sql'];
  first.machine.run(psql, { user: 'postgres' });

  const [haproxy, pgbouncer] = await startBalancer(password);
  const asRole = (role: string, name: string, address: string) =>
    siteNode(name, address, { ...env, ROLE: role });
  const webs = [1, 2, 3].map((n) => asRole('web', `web${n}`, `10.0.0.1${n}`));
  const workers = [1, 2].map((n) => asRole('worker', `worker${n}`, `10.0.0.1${n + 3}`));
  for (const { machine } of [...webs, ...workers]) await machine.powerOn();
  // The first process creates the demo shop.
  await webs[0]?.start();
  await Promise.all([...webs.slice(1), ...workers].map((node) => node.start()));
  await until('a page through haproxy', async () => (await fetch(origin)).status === 200);

  const patronictl = (...words: string[]) => {
    const one = databases.find(({ machine }) => machine.isOn);
    if (!one) throw new Error('no machine of the database runs');
    return one.machine.run(['patronictl', '-c', '/etc/patroni/config.yml', ...words]);
  };
  return {
    databases,
    webs,
    workers,
    haproxy,
    pgbouncer,
    query: await startPrometheus(),
    primary,
    patronictl,
    async whole() {
      await until('a whole cluster', async () => {
        const states = await Promise.all(databases.map((one) => one.state()));
        const following = 'select count(*) filter (where sync_state = $$sync$$), count(*)';
        const said = (await primary()).psql(`${following} from pg_stat_replication`);
        return states.every((state) => state === 'running') && said === '1|2';
      });
    },
  };
}

/** Stops everything, and leaves only the logs. A second call does nothing. */
export function stopCluster(): Promise<void> {
  return (stopping ??= (async () => {
    await Promise.all(machines.map((machine) => machine.powerOff()));
    if (folder !== '') await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  })());
}

function addMachine(name: string, address: string, mounts: [string, string][] = []): Machine {
  const machine = new Machine(name, address, { logs, mounts });
  machines.push(machine);
  return machine;
}

/** Creates a node whose program always restarts with the same arguments. */
function makeNode(
  machine: Machine,
  begin: () => Promise<Program>,
  isReady: () => Promise<boolean> | boolean,
): Node {
  let program: Program | undefined;
  return {
    machine,
    async start() {
      program = await begin();
      await until(`the start on ${machine.name}`, isReady);
    },
    async end(signal) {
      if (!program) throw new Error(`${machine.name} was never started`);
      program.signal(signal);
      return program.exit;
    },
    signal: (signal) => void program?.signal(signal),
  };
}

function databaseNode(n: number): DatabaseNode {
  const [name, address] = [`db${n}`, `10.0.0.2${n}`];
  const own = path.join(folder, name);
  const etc = path.join(own, 'etc');
  cpSync(docs, etc, { recursive: true });
  cpSync(path.join(docs, 'patroni.yml'), path.join(etc, 'config.yml'));
  const machine = addMachine(name, address, [
    [path.join(docs, 'pgbackrest.conf'), '/etc/pgbackrest.conf'],
    [etc, '/etc/patroni'],
    [makeFolder('root', own, 'etcd'), '/var/lib/etcd'],
    [makeFolder('postgres', own, 'postgresql'), '/var/lib/postgresql'],
    [makeFolder('postgres', own, 'run'), '/run/postgresql'],
    [path.join(folder, 'pgbackrest'), '/var/lib/pgbackrest'],
    [makeFolder('postgres', own, 'tmp'), '/tmp'],
  ]);
  const envOf = (file: string) => ofMachine(path.join(docs, file), name, address);
  const ask = (at: string) =>
    fetch(`http://${address}${at}`, { signal: AbortSignal.timeout(2_000) });
  const etcd = makeNode(
    machine,
    () => machine.start(['etcd'], { env: envOf('etcd.conf'), log: `${name}-etcd` }),
    () => true, // The first node waits for the other two.
  );
  const patroni = makeNode(
    machine,
    () =>
      machine.start(['patroni', '/etc/patroni/config.yml'], {
        user: 'postgres',
        env: envOf('patroni_env.conf'),
        log: `${name}-patroni`,
      }),
    async () => (await state()) === 'running',
  );
  const state = async () => String((await (await ask(':8008/patroni')).json()).state);
  return {
    machine,
    etcd,
    patroni,
    state: () => state().catch(() => 'silent'),
    async start() {
      await machine.powerOn();
      await etcd.start();
      await patroni.start();
    },
    isPrimary: () =>
      ask(':8008/primary').then(
        ({ status }) => status === 200,
        () => false,
      ),
    psql: (sql, database = 'postgres') =>
      machine.run(['psql', '-XAtqd', database, '-c', sql], { user: 'postgres' }).trim(),
  };
}

/** Returns the lines of an environment file. Lines at the top are for db1. */
function ofMachine(file: string, name: string, address: string): NodeJS.ProcessEnv {
  const [own = '', shared = ''] = readFileSync(file, 'utf8').split('# The same on all three');
  const mine = own.replaceAll('=db1', `=${name}`).replaceAll('10.0.0.21', address);
  return parseEnv(`${mine}#${shared}`);
}

async function startBalancer(password: string): Promise<[haproxy: Node, pgbouncer: Node]> {
  const etc = makeFolder('postgres', folder, 'pgbouncer');
  cpSync(path.join(docs, 'pgbouncer.ini'), path.join(etc, 'pgbouncer.ini'));
  writeFileSync(path.join(etc, 'userlist.txt'), `"deals" "${password}"\n`);
  const machine = addMachine('balancer', '10.0.0.10', [[etc, '/etc/pgbouncer']]);
  await machine.powerOn();
  const haproxy = makeNode(
    machine,
    () =>
      machine.start(['haproxy', '-W', '-db', '-f', path.join(docs, 'haproxy.cfg')], {
        log: 'haproxy',
      }),
    async () => (await fetch(origin)).status > 0,
  );
  const pgbouncer = makeNode(
    machine,
    () =>
      machine.start(['pgbouncer', '/etc/pgbouncer/pgbouncer.ini'], {
        user: 'postgres',
        log: 'pgbouncer',
      }),
    () => true,
  );
  await haproxy.start();
  await pgbouncer.start();
  return [haproxy, pgbouncer];
}

function siteNode(name: string, address: string, env: Record<string, string>): Node {
  const machine = addMachine(name, address);
  const data = makeFolder('root', folder, name);
  const isReady = async () => (await fetch(`http://${address}:3000/health/ready`)).ok;
  const told = { ...siteEnv, ...env, NODE_ENV: 'production', LOG_LEVEL: 'info', DATA_DIR: data };
  const begin = () =>
    machine.start([process.execPath, 'server/cli.ts', 'start'], { env: told, log: name });
  return makeNode(machine, begin, isReady);
}

async function startPrometheus(): Promise<Cluster['query']> {
  const machine = addMachine('prometheus', '10.0.0.5');
  await machine.powerOn();
  const data = makeFolder('root', folder, 'prometheus');
  const config = path.join(root, 'docs/prometheus/prometheus.yml');
  const begin = () =>
    machine.start(['prometheus', `--config.file=${config}`, `--storage.tsdb.path=${data}`], {
      log: 'prometheus',
    });
  const at = `http://${machine.address}:9090`;
  const isReady = async () => (await fetch(`${at}/-/ready`)).ok;
  await makeNode(machine, begin, isReady).start();
  return async (expression) => {
    const asked = await fetch(`${at}/api/v1/query?${new URLSearchParams({ query: expression })}`);
    const { data: found, error } = await asked.json();
    if (error) throw new Error(`Prometheus refused ${expression}: ${error}`);
    return found.result.map((one: { metric: Record<string, string>; value: [number, string] }) => ({
      metric: one.metric,
      value: Number(one.value[1]),
    }));
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './machines.ts';
import type { Cluster, DatabaseNode } from './start-cluster.ts';

export interface Fault {
  name: string;
  /** A command-line option: `npm run test:cluster -- --only primary,worker` runs only these two. */
  word: string;
  /**
   * Damages the cluster. Returns the repair function, to be called once all requests succeed again.
   */
  hurt(cluster: Cluster): Promise<() => Promise<void>>;
  /** Whether visitors must not notice anything. */
  isSmooth?: boolean;
}

export const faults: Fault[] = [
  {
    name: 'the primary loses its power',
    word: 'primary',
    async hurt({ primary, whole }) {
      const lost = await primary();
      await lost.machine.powerOff();
      return async () => {
        await lost.start();
        await whole();
      };
    },
  },
  {
    name: 'the standby that confirms writes loses its power',
    word: 'standby',
    async hurt({ databases, primary, whole }) {
      const confirming = (await primary()).psql(
        `select application_name from pg_stat_replication where sync_state = 'sync'`,
      );
      const lost = databases.find(({ machine }) => machine.name === confirming);
      await lost?.machine.powerOff();
      return async () => {
        await lost?.start();
        await whole();
      };
    },
  },
  {
    name: 'a web process is killed',
    word: 'web',
    async hurt({ webs: [web] }) {
      await web?.end('SIGKILL');
      return async () => web?.start();
    },
  },
  {
    name: 'a worker is killed, until Prometheus reports it',
    word: 'worker',
    async hurt({ workers: [worker], query }) {
      await worker?.end('SIGKILL');
      return async () => {
        const instance = `instance="${worker?.machine.address}:9464"`;
        const firing = `ALERTS{alertname="ProcessDown",alertstate="firing",${instance}}`;
        await until('the alert of the killed worker', async () => (await query(firing)).length > 0);
        await worker?.start();
      };
    },
  },
  {
    name: 'the PostgreSQL behind haproxy is killed',
    word: 'target',
    async hurt({ primary, whole }) {
      const { machine } = await primary();
      const pid = 'head -n 1 /var/lib/postgresql/15/deals/postmaster.pid';
      machine.run(['sh', '-c', `kill -9 $(${pid})`]);
      return whole;
    },
  },
  {
    name: 'the primary is cut off from the other two',
    word: 'network',
    async hurt({ databases, primary, whole }) {
      const cut = await primary();
      const others = databases.filter((one) => one !== cut).map(({ machine }) => machine);
      cut.machine.cutFrom(others);
      await until('another primary', async () => (await primary()) !== cut);
      return async () => {
        cut.machine.joinTo(others);
        await whole();
      };
    },
  },
  {
    name: 'every process of the site is restarted',
    word: 'restart',
    isSmooth: true,
    async hurt({ webs, workers }) {
      for (const one of [...webs, ...workers]) {
        const code = await one.end('SIGTERM');
        if (code !== 0) throw new Error(`${one.machine.name} ended with ${code} on SIGTERM`);
        await one.start();
        await sleep(2_000); // Waits until haproxy has noticed the restart.
      }
      return async () => {};
    },
  },
  {
    name: 'everything else is restarted, one by one',
    word: 'restart-all',
    async hurt(cluster) {
      const { databases, haproxy, pgbouncer, primary, patronictl, whole } = cluster;
      haproxy.signal('SIGUSR2'); // Reloads haproxy, as `systemctl reload haproxy` does.
      await pgbouncer.end('SIGINT');
      await pgbouncer.start();
      const last = await primary();
      for (const one of databases) if (one !== last) await restartDatabase(one, whole);
      patronictl('switchover', 'deals', '--master', last.machine.name, '--force');
      await until('another primary', async () => (await primary()) !== last);
      await whole();
      await restartDatabase(last, whole);
      return async () => {};
    },
  },
];

async function restartDatabase(one: DatabaseNode, whole: () => Promise<void>): Promise<void> {
  await one.patroni.end('SIGTERM');
  await one.etcd.end('SIGTERM');
  await one.etcd.start();
  await one.patroni.start();
  await whole();
}

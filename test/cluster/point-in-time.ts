import { until } from './machines.ts';
import { type Cluster, stanza } from './start-cluster.ts';

const asPostgres = { user: 'postgres' };
const pgbackrest = (...words: string[]) => ['pgbackrest', `--stanza=${stanza}`, ...words];

/** Makes a full database backup on the primary's machine. */
export async function backUp({ primary }: Cluster): Promise<void> {
  const { machine } = await primary();
  machine.run(pgbackrest('stanza-create'), asPostgres);
  machine.run(pgbackrest('--type=full', 'backup'), asPostgres);
}

/**
 * Deletes a deal, then restores a copy of the database as of a moment before the deletion. Uses the
 * backup and the log since then, across all failovers. Returns whether the copy contains the deal.
 */
export async function bringBack({ primary }: Cluster, deal: number): Promise<boolean> {
  const { machine, psql } = await primary();
  const moment = psql('select now()');
  await until('a later moment', () => psql(`select now() > '${moment}'::timestamptz`) === 't');
  psql(`delete from deals where id = ${deal}`, 'deals');
  const segment = psql('select pg_walfile_name(pg_switch_wal())');
  const isArchived = `select last_archived_wal >= '${segment}' from pg_stat_archiver`;
  await until('the last of the log', () => psql(isArchived) === 't');

  const copy = '/var/lib/postgresql/15/copy';
  const toMoment = ['--type=time', `--target=${moment}`, '--target-action=promote'];
  machine.run(pgbackrest(`--pg1-path=${copy}`, ...toMoment, 'restore'), asPostgres);
  const apart = {
    port: '5433',
    listen_addresses: '',
    archive_mode: 'off',
    synchronous_standby_names: '',
    hba_file: `${copy}/pg_hba.conf`,
    ident_file: `${copy}/pg_ident.conf`,
  };
  const options = Object.entries(apart).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = ['/usr/lib/postgresql/15/bin/postgres', '-D', copy, ...options];
  const server = await machine.start(postgres, { ...asPostgres, log: 'copy' });
  const ask = (sql: string) =>
    machine.run(['psql', '-XAtqp', '5433', '-d', 'deals', '-c', sql], asPostgres).trim();
  await until('the copy', () => ask('select pg_is_in_recovery()') === 'f');
  const found = ask(`select count(*) from deals where id = ${deal}`);
  server.signal('SIGINT');
  await server.exit;
  return found === '1' && psql(`select count(*) from deals where id = ${deal}`, 'deals') === '0';
}

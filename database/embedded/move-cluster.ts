// Moves the data from an older PostgreSQL to the newer one of this release. The old binaries read
// the data, the new ones write a second cluster, every row is compared, and a rename swaps the
// clusters. docs/decisions/029-move-data-to-a-newer-postgresql-automatically.md
import fs from 'node:fs';
import path from 'node:path';
import type { Pool } from 'pg';
import { inMegabytes } from '#database/in-megabytes.ts';
import {
  listTables,
  readMigrationNames,
  restoreBackup,
  writeBackup,
} from '#database/backups/backup.ts';
import { type Connection, connect } from '#database/connect.ts';
import { describeSchema } from '#database/describe-schema.ts';
import { siteRole, siteUrl } from './local-client.ts';
import {
  copySettings,
  flush,
  flushCluster,
  makeBeside,
  makeCluster,
  readPassword,
} from './make-cluster.ts';
import {
  type OldCluster,
  type Place,
  type Tell,
  type Workplace,
  listOldClusters,
  movedName,
} from './cluster-place.ts';
import { prepareSiteRole } from './site-role.ts';
import { startServer, stopServer } from './run-server.ts';
import { migrate, readMigrationTexts } from '#database/migrate.ts';

const DAYS_KEPT = 14;
/** bytes; the size of an empty cluster */
const EMPTY_CLUSTER_IN_BYTES = 100 * 2 ** 20;
/** bytes; PostgreSQL's default of `max_wal_size` */
const MOST_WAL_IN_BYTES = 2 ** 30;

/**
 * Moves a cluster. `from` and `to` are the same cluster with its old and its new binaries. The
 * server must be down, and no process may start it, so call this under the start lock. Throws a
 * message on failure, and leaves the old cluster unchanged. Whenever the move is killed, the next
 * start finds a complete cluster, old or new.
 */
export async function moveCluster(from: Workplace, to: Workplace): Promise<OldCluster> {
  refuseFullDisk(from.cluster);
  const beside = makeBeside(to.cluster);
  try {
    to.log(`moving the database, 1 of 3: reading it with PostgreSQL ${from.binaries.version}`);
    const cluster = await makeCluster(to, beside, readPassword(from.cluster));
    const moved = { ...to, cluster };
    copySettings(moved, from.cluster, cluster);
    await withServer(from, (source) =>
      withServer(moved, (target) => copyContent(source, target, beside, to)),
    );
    await flushCluster(moved);
    return swap(from, cluster);
  } finally {
    fs.rmSync(beside, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function copyContent(
  source: Connection,
  target: Connection,
  beside: string,
  { binaries, log }: Workplace,
): Promise<void> {
  const { rows } = await source.pool.query<{ thing: string }>(beyondMigrations);
  refuseMissing(rows.map(({ thing }) => thing));
  const schema = await describeSchema(source.pool, { madeAnew: false });
  await migrate(target.db, await newestApplied(source.pool));
  // This check comes first, before hours of work.
  refuseMissing(missing(schema, await describeSchema(target.pool, { madeAnew: false })));
  const file = path.join(beside, 'dump');
  await writeBackup(source.pool, { file, media: null, now: new Date() });
  log(`moving the database, 2 of 3: writing it with PostgreSQL ${binaries.version}`);
  await restoreBackup(target.pool, { file, media: null, replace: 'rows' });
  log('moving the database, 3 of 3: comparing every row');
  refuseMissing(missing(schema, await describeSchema(target.pool, { madeAnew: false })));
  const wrong = missing(await weighTables(source.pool), await weighTables(target.pool));
  if (wrong.length > 0) throw new Error(`the copy differs from the original: ${wrong.join('; ')}`);
  await target.pool.query('analyze');
}

/**
 * Returns the maximum number of bytes that a move needs: the new files, their log and the dump. The
 * old files are kept.
 */
export function roomForMove(cluster: string): number {
  const size = sizeOf(path.join(cluster, 'base'));
  return Math.round(size * 1.5 + Math.min(size, MOST_WAL_IN_BYTES) + EMPTY_CLUSTER_IN_BYTES);
}

export function roomBeside(cluster: string): number {
  const { bavail, bsize } = fs.statfsSync(path.dirname(cluster));
  return bavail * bsize;
}

/** Removes old clusters that have expired. */
export function removeOldClusters(cluster: string, log: Tell): void {
  const today = new Date().toISOString().slice(0, 10);
  for (const { folder, until } of listOldClusters(cluster)) {
    if (until >= today) continue;
    fs.rmSync(folder, { recursive: true, force: true });
    log(`removed ${folder}, the database from before the move`);
  }
}

function refuseFullDisk(cluster: string): void {
  const [needed, free] = [roomForMove(cluster), roomBeside(cluster)];
  if (free >= needed) return;
  throw new Error(
    `it temporarily needs up to ${inMegabytes(needed)} of free space in ${path.dirname(cluster)}, and only ${inMegabytes(free)} is free`,
  );
}

/** Returns the size in bytes. A server may delete files while doctor counts. */
function sizeOf(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .reduce((sum, file) => sum + (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

async function withServer(
  place: Workplace,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const { pid, port } = await startServer(place);
  try {
    await prepareSiteRole(place.cluster, port);
    const url = siteUrl(place.cluster, port);
    const connection = connect(url, { maxConnections: 2, statementTimeout: 0 });
    await work(connection).finally(() => connection.close());
  } finally {
    await stopServer(place, pid);
  }
}

/**
 * Swaps the clusters by two renames, each flushed to disk. After a crash between the two,
 * `finishSwap` completes the swap.
 */
function swap({ cluster, binaries }: Place, made: string): OldCluster {
  const parent = path.dirname(cluster);
  const until = new Date(Date.now() + DAYS_KEPT * 86_400_000).toISOString().slice(0, 10);
  const folder = freeName(`${cluster}.${binaries.major}-until-${until}`);
  fs.renameSync(made, movedName(cluster));
  flush(parent);
  fs.renameSync(cluster, folder);
  flush(parent);
  fs.renameSync(movedName(cluster), cluster);
  flush(parent);
  return { folder, major: binaries.major, until };
}

function freeName(wanted: string): string {
  for (let n = 1, name = wanted; ; name = `${wanted}.${++n}`) if (!fs.existsSync(name)) return name;
}

/**
 * Returns the last of the source's migrations. Throws if this release does not know one of them.
 */
async function newestApplied(pool: Pool): Promise<string> {
  const names = await readMigrationNames(pool);
  const known = await readMigrationTexts();
  const stranger = names.find((name) => !known.has(name));
  if (stranger)
    throw new Error(`a newer release of Deal Hub has written to the database (${stranger})`);
  return names.at(-1) ?? '';
}

/**
 * Returns one line per table: name, number of rows, and a checksum that does not depend on their
 * order.
 */
async function weighTables(pool: Pool): Promise<string> {
  const lines: string[] = [];
  for (const { name, columns } of await listTables(pool)) {
    // The checksum omits generated columns, which the newer version derives from the others by its
    // own rules.
    const { rows } = await pool.query<{ rows: string; sum: string }>(`
      select count(*)::text as rows, sum(('x' || left(md5(r::text), 16))::bit(64)::bigint)::text as sum
        from (select ${columns.join(', ')} from ${name}) r`);
    lines.push(`${name}: ${rows[0]?.rows} rows, checksum ${rows[0]?.sum}`);
  }
  return lines.join('\n');
}

function missing(wanted: string, found: string): string[] {
  const lines = new Set(found.split('\n'));
  return wanted.split('\n').filter((line) => !lines.has(line));
}

/**
 * Throws if objects exist that migrations did not create. Like a backup, a move would lose them
 * silently.
 */
function refuseMissing(things: string[]): void {
  if (things.length === 0) return;
  const more = things.length > 10 ? `; and ${things.length - 10} more` : '';
  throw new Error(
    `the database contains objects that this site did not create and cannot move: ${things.slice(0, 10).join('; ')}${more}`,
  );
}

/** Objects that exist only if someone added them to our cluster. */
const beyondMigrations = `
select format('database %s', datname) as thing from pg_database
 where datname not in ('postgres', 'template0', 'template1')
union all select format('role %s', rolname) from pg_roles
 where rolname not in ('postgres', '${siteRole}') and rolname !~ '^pg_'
union all select format('tablespace %s', spcname) from pg_tablespace where spcname !~ '^pg_'
union all select format('setting %s', setconfig) from pg_db_role_setting
union all select format('large object %s', oid) from pg_largeobject_metadata
union all select format('publication %s', pubname) from pg_publication
union all select format('subscription %s', subname) from pg_subscription
union all select format('event trigger %s', evtname) from pg_event_trigger
union all select format('foreign server %s', srvname) from pg_foreign_server
union all select format('type %s', t.oid::regtype) from pg_type t join pg_namespace n on n.oid = typnamespace
 where nspname = 'public' and typtype in ('d', 'e', 'r')
union all select format('policy %s on %s', polname, polrelid::regclass) from pg_policy
union all select format('rights on %s: %s', c.oid::regclass, relacl) from pg_class c join pg_namespace n on n.oid = relnamespace
 where nspname = 'public' and relacl is not null`;

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool, PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  type BackupContent,
  type Part,
  readBackupFile,
  writeBackupFile,
} from '#database/backup-file.ts';
import { openMediaStore } from '#database/media-store.ts';
import { migrationTables, readMigrationTexts } from '#database/migrate.ts';
import { isCopiedPicture, tableRules } from '#database/table-registry.ts';

type Querier = Pick<Pool, 'query'>;

const rules = new Map(Object.entries(tableRules));
const mediaName = /^(?:[a-z0-9-]{1,40}\/)?[a-z0-9][a-z0-9-]{0,120}\.(?:webp|avif|jpg|png|svg)$/;

interface BackupPlace {
  file: string;
  mediaFolder: string;
  /** The words that seal the file (`BACKUP_KEY`); null: anybody who holds it can read it. */
  key?: string | null;
}

/**
 * Everything the site knows, in one file: all tables as they were at one moment, while the site runs on, and the stored
 * pictures, but for copies of stores' pictures. Read back before this answers, so that a backup that cannot be restored is found today (R40, R06).
 */
export async function writeBackup(
  pool: Pool,
  {
    file,
    mediaFolder,
    now,
    key = null,
    withCopies = false,
  }: BackupPlace & {
    now: Date;
    /** Also rows of copied pictures: their files stay where they are. */
    withCopies?: boolean;
  },
): Promise<BackupContent> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await writeBackupFile(file, readParts(client, { mediaFolder, now, withCopies }), key);
    await client.query('rollback');
    client.release();
  } catch (error) {
    // A table may have stopped in its middle, as on a full disk: no further word would come through this connection.
    client.release(true);
    throw error;
  }
  return checkBackup(file, key);
}

/** Reads the whole file and throws when it is not what was written. */
export function checkBackup(file: string, key: string | null = null): Promise<BackupContent> {
  return readBackupFile(file, key, async () => {});
}

export type RestoreResult =
  | { ok: true; content: BackupContent }
  | { ok: false; reason: 'not-empty' | 'newer' };

/**
 * Puts a backup into an empty database, or, with `replace`, in place of what is there. The file is read to its end
 * before anything is touched, and all is one transaction: whatever fails, the old data stand as they were.
 */
export async function restoreBackup(
  pool: Pool,
  { file, mediaFolder, replace, key = null }: BackupPlace & { replace: boolean },
): Promise<RestoreResult> {
  const { start } = await checkBackup(file, key);
  const texts = await readMigrationTexts();
  if (start.migrations.some((name) => !texts.has(name))) return { ok: false, reason: 'newer' };
  const arrivals = path.join(mediaFolder, `.restore-${process.pid}`);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local lock_timeout = 0; set local statement_timeout = 0');
    if (!replace && (await holdsRows(client))) {
      await client.query('rollback');
      return { ok: false, reason: 'not-empty' };
    }
    await client.query(dropEverything);
    for (const name of start.migrations) await client.query(texts.get(name) ?? '');
    await client.query(migrationTables);
    const tables = await listTables(client);
    // Counters, logs and announcements are among the data: nothing may be counted, logged or announced twice.
    for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
    for (const { name } of tables) await client.query(`delete from ${name}`);
    const content = await readBackupFile(file, key, (part) => putBack(client, part, arrivals));
    for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
    await client.query(setSequences);
    if (!content.weights.some(({ name }) => name === 'table pictures')) {
      await client.query(`update site_counters set value = 0 where name = 'picture_bytes'`);
    }
    // Before the commit: if the rows do not follow, a picture too many does no harm, but one too few would.
    await keepMedia(content, arrivals, mediaFolder);
    await client.query(`select pg_notify('pages', 'all settings')`);
    await client.query('commit');
    return { ok: true, content };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
    await rm(arrivals, { recursive: true, force: true });
  }
}

async function* readParts(
  client: PoolClient,
  { mediaFolder, now, withCopies }: { mediaFolder: string; now: Date; withCopies: boolean },
): AsyncGenerator<Part> {
  const migrations = await readMigrationNames(client);
  const start = { kind: 'start', format: 1, migrations, createdAt: now.toISOString() } as const;
  yield { head: start, body: Readable.from([]) };
  for (const { name, columns } of await listTables(client)) {
    if (rules.get(name)?.isCopy && !withCopies) continue;
    const sequences = await readSequences(client, name);
    const body = client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`));
    body.on('error', () => {}); // whoever reads it hears of it; after a failure elsewhere nobody does
    yield { head: { kind: 'table', name, columns, sequences }, body };
  }
  for (const name of await openMediaStore(mediaFolder).list()) {
    if (isCopiedPicture(name)) continue;
    yield { head: { kind: 'media', name }, body: createReadStream(path.join(mediaFolder, name)) };
  }
}

async function putBack(client: PoolClient, { head, body }: Part, arrivals: string): Promise<void> {
  if (head.kind === 'table') {
    const { name, columns } = head;
    const target = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
    await pipeline(body, target);
    for (const [column, last] of Object.entries(head.sequences ?? {})) {
      const sequence = 'pg_get_serial_sequence($1, $2)';
      await client.query(`select setval(${sequence}, $3) where ${sequence} is not null`, [
        name,
        column,
        last,
      ]);
    }
  }
  if (head.kind === 'media' && mediaName.test(head.name)) {
    const file = path.join(arrivals, head.name);
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(body, createWriteStream(file));
  }
}

/** Their names hold a hash of their content: one that is there already is the same. */
async function keepMedia(content: BackupContent, arrivals: string, mediaFolder: string) {
  for (const { name } of content.weights) {
    const [kind, file = ''] = name.split(' ');
    if (kind !== 'media' || !mediaName.test(file)) continue;
    await mkdir(path.dirname(path.join(mediaFolder, file)), { recursive: true });
    await rename(path.join(arrivals, file), path.join(mediaFolder, file));
  }
}

/** By column. A sequence that has given no number yet is left out. */
async function readSequences(client: PoolClient, table: string): Promise<Record<string, string>> {
  const { rows } = await client.query<{ column: string; last: string }>(
    `select a.attname as column, pg_sequence_last_value(s.name::regclass)::text as last
       from pg_attribute a, pg_get_serial_sequence($1, a.attname) as s (name)
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
        and pg_sequence_last_value(s.name::regclass) is not null`,
    [table],
  );
  return Object.fromEntries(rows.map(({ column, last }) => [column, last]));
}

/** The migrations that have run, in order. */
export async function readMigrationNames(client: Querier): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  );
  return rows.map(({ name }) => name);
}

interface Table {
  /** Quoted. */
  name: string;
  columns: string[];
}

/** Those that others refer to come first. */
export async function listTables(client: Querier): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(`
    select quote_ident(c.relname) as name,
           array(select quote_ident(attname)::text from pg_attribute
                  where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
                  order by attnum) as columns,
           array(select distinct quote_ident(f.relname)::text from pg_constraint k
                   join pg_class f on f.oid = k.confrelid
                  where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid) as needs
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and c.relname <> 'kysely_migration_lock'
     order by c.relname`);
  const sorted: Table[] = [];
  const isDone = (name: string) => sorted.some((table) => table.name === name);
  while (sorted.length < rows.length) {
    const next = rows.filter(({ name, needs }) => !isDone(name) && needs.every(isDone));
    if (next.length === 0) throw new Error('Tables refer to one another in a circle.');
    sorted.push(...next.map(({ name, columns }) => ({ name, columns })));
  }
  return sorted;
}

async function holdsRows(client: PoolClient): Promise<boolean> {
  for (const { name } of await listTables(client)) {
    if (name === 'kysely_migration' || rules.get(name)?.isMachinery) continue;
    const { rows } = await client.query(`select 1 from ${name} limit 1`);
    if (rows.length > 0) return true;
  }
  return false;
}

/** What belongs to an extension stays: it may be somebody else's. */
const dropEverything = `
do $$
declare thing record;
begin
  for thing in select oid::regclass as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  loop execute format('drop table if exists %s cascade', thing.name); end loop;
  for thing in select p.oid::regprocedure as name from pg_proc p
     where pronamespace = 'public'::regnamespace and prokind = 'f'
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop execute format('drop function if exists %s cascade', thing.name); end loop;
end $$`;

/** Behind the greatest number that is in use, and behind the last that was given. */
const setSequences = `
do $$
declare one record;
begin
  for one in
    select c.oid::regclass as of_table, a.attname as of_column,
           pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null
  loop
    execute format('select setval(%1$L, greatest(max(%2$I), pg_sequence_last_value(%1$L::regclass), 0) + 1, false) from %3$s',
                   one.sequence, one.of_column, one.of_table);
  end loop;
end $$`;

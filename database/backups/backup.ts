import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Pool, PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  type BackupContent,
  DamagedBackup,
  type Part,
  type PartHead,
  readBackupFile,
  writeBackupFile,
} from './backup-file.ts';
import { askBy, mediaName, type MediaStore } from '#database/media-store.ts';
import { migrationTables, readMigrationTexts } from '#database/migrate.ts';
import { namedPictures } from '#database/named-pictures.ts';
import { isCopiedPicture } from '#database/is-copied-picture.ts';
import { tableRules } from '#database/table-registry.ts';

export type { BackupContent } from './backup-file.ts';

type Querier = Pick<Pool, 'query'>;

const rules = new Map(Object.entries(tableRules));
/** Creates the table of pictures, which older backups lack. */
const picturesMigration = '0078_pictures_in_the_database';

interface BackupPlace {
  file: string;
  /** The stored pictures, or null to leave pictures and the rows of their copies unchanged. */
  media: MediaStore | null;
  /** The passphrase that seals the file (`BACKUP_KEY`), or null for a file that anyone can read. */
  key?: string | null;
}

/**
 * Writes everything into one file: all tables at one point in time, while the site keeps running.
 * Stored pictures are included, except copies of stores' pictures. The file is read back before
 * this returns, so that an unreadable backup is noticed at once.
 */
export async function writeBackup(
  pool: Pool,
  { file, media, now, site, key = null }: BackupPlace & { now: Date; site?: string },
): Promise<WrittenBackup> {
  const client = await pool.connect();
  let named: string[] = [];
  try {
    await client.query('begin isolation level repeatable read read only');
    await writeBackupFile(file, readParts(client, media, { now, site }), key);
    if (media) named = await namedPictures(askBy(client));
    await client.query('rollback');
    client.release();
  } catch (error) {
    // Copying may have stopped within a table, as on a full disk, so this connection can no longer
    // be used.
    client.release(true);
    throw error;
  }
  const content = await checkBackup(file, key);
  const written = new Set(content.weights.map(({ name }) => name));
  return { ...content, missing: named.filter((name) => !written.has(`media ${name}`)) };
}

export interface WrittenBackup extends BackupContent {
  /**
   * Shown pictures that are missing from the backup, because this server could not reach any store
   * of them.
   */
  missing: string[];
}

/** Reads the whole file and throws if it differs from what was written. */
export function checkBackup(file: string, key: string | null = null): Promise<BackupContent> {
  return readBackupFile(file, key, async () => {});
}

export type RestoreResult =
  | { ok: true; content: BackupContent }
  | { ok: false; reason: 'not-empty' | 'newer' };

/**
 * Restores a backup into an empty database or, with `replace`, in place of the existing data. The
 * file is read to its end before anything changes, and everything is one transaction. If anything
 * fails, the old data is unchanged. With `rows`, only rows are replaced. The tables must then match
 * the backup's migrations, and are not created again.
 */
export async function restoreBackup(
  pool: Pool,
  { file, media, replace, key = null }: BackupPlace & { replace: boolean | 'rows' },
): Promise<RestoreResult> {
  const { start } = await checkBackup(file, key);
  const texts = await readMigrationTexts();
  if (start.migrations.some((name) => !texts.has(name))) return { ok: false, reason: 'newer' };
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local lock_timeout = 0; set local statement_timeout = 0');
    if (!replace && (await holdsRows(client))) {
      await client.query('rollback');
      return { ok: false, reason: 'not-empty' };
    }
    if (replace === 'rows') await refuseOtherMigrations(client, start.migrations);
    else await makeTables(client, start.migrations, texts);
    const tables = await listTables(client);
    // Disables triggers: counters, logs and announcements are part of the data and must not be
    // written twice.
    for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
    for (const { name } of tables) await client.query(`delete from ${name}`);
    // Pictures are restored first. If the rows then fail, extra pictures do no harm, but missing
    // ones would.
    const stored = media?.within(askBy(client)) ?? null;
    const content = await readBackupFile(file, key, (part) =>
      putBack(client, part, { tables, media: stored }),
    );
    for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
    await client.query(setSequences);
    if (!content.weights.some(({ name }) => name === 'table pictures')) {
      await client.query(`update site_counters set value = 0 where name = 'picture_bytes'`);
    }
    await client.query(`select pg_notify('pages', 'all settings')`);
    await client.query('commit');
    return { ok: true, content };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function makeTables(
  client: PoolClient,
  migrations: readonly string[],
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  await client.query(dropEverything);
  for (const name of migrations) await client.query(texts.get(name) ?? '');
  if (!migrations.includes(picturesMigration)) {
    await client.query(texts.get(picturesMigration) ?? '');
  }
  await client.query(migrationTables);
}

async function refuseOtherMigrations(
  client: PoolClient,
  migrations: readonly string[],
): Promise<void> {
  if ((await readMigrationNames(client)).join() === migrations.join()) return;
  throw new Error('The tables of this database are not those of the backup.');
}

async function* readParts(
  client: PoolClient,
  media: MediaStore | null,
  { now, site }: { now: Date; site: string | undefined },
): AsyncGenerator<Part> {
  const migrations = await readMigrationNames(client);
  const createdAt = now.toISOString();
  const start: PartHead = {
    kind: 'start',
    format: 1,
    migrations,
    createdAt,
    ...(site && { site }),
  };
  yield { head: start, body: Readable.from([]) };
  for (const { name, columns } of await listTables(client)) {
    if (rules.get(name)?.leftOut && media) continue;
    const sequences = await readSequences(client, name);
    // Rows are copied by a query, the only way to copy a partitioned table.
    const rows = `select ${columns.join(', ')} from ${name}`;
    const body = client.query(copyTo(`copy (${rows}) to stdout`));
    body.on('error', () => {}); // The reader of the stream receives the error.
    yield { head: { kind: 'table', name, columns, sequences }, body };
  }
  const stored = media?.within(askBy(client));
  for (const name of (await stored?.list()) ?? []) {
    if (isCopiedPicture(name)) continue;
    const found = await stored?.find(name);
    if (found) yield { head: { kind: 'media', name }, body: found.read() };
  }
}

/**
 * Restores the rows. Throws `DamagedBackup` if a part names a table or column that is not among
 * `tables`, because names become SQL.
 */
async function putBack(
  client: PoolClient,
  { head, body }: Part,
  { tables, media }: { tables: readonly Table[]; media: MediaStore | null },
): Promise<void> {
  if (head.kind === 'table') {
    const table = tables.find(({ name }) => name === head.name);
    const columns = table?.columns.filter((column) => head.columns.includes(column)) ?? [];
    if (!table || head.columns.length !== columns.length) {
      throw new DamagedBackup(
        'The backup names a table or a column that its version does not have.',
      );
    }
    // The columns are in the order of the file's values, and each of them exists in the table.
    const names = head.columns.join(', ');
    await pipeline(body, client.query(copyFrom(`copy ${table.name} (${names}) from stdin`)));
    for (const column of columns) {
      const last = head.sequences?.[column];
      if (last === undefined) continue;
      const sequence = 'pg_get_serial_sequence($1, $2)';
      await client.query(`select setval(${sequence}, $3) where ${sequence} is not null`, [
        table.name,
        column,
        last,
      ]);
    }
  }
  if (head.kind === 'media' && mediaName.test(head.name)) {
    await media?.write(head.name, await buffer(body));
  }
}

/** Reads sequences by column. A sequence that was never used is left out. */
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

/** Returns the applied migrations, in order. */
export async function readMigrationNames(client: Querier): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  );
  return rows.map(({ name }) => name);
}

interface Table {
  /** The table's quoted name. */
  name: string;
  columns: string[];
}

/** Lists tables, referenced ones first. A partitioned table is listed once. */
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
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
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
    if (name === 'kysely_migration' || rules.get(name)?.isInternal) continue;
    const { rows } = await client.query(`select 1 from ${name} limit 1`);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Drops everything except objects of an extension, which may be in use elsewhere. */
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

/** Continues sequences after the greater of the highest number in use and the last one assigned. */
const setSequences = `
do $$
declare one record;
begin
  for one in
    select c.oid::regclass as of_table, a.attname as of_column,
           pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null
  loop
    execute format('select setval(%1$L, greatest(max(%2$I), pg_sequence_last_value(%1$L::regclass), 0) + 1, false) from %3$s',
                   one.sequence, one.of_column, one.of_table);
  end loop;
end $$`;

import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { inject } from 'vitest';
import { listTables, restoreBackup } from '#database/backups/backup.ts';
import { connect, type Connection } from '#database/connect.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { databaseUrl, onServer } from '#test/global-setup.ts';

export interface OlderShop extends Connection {
  url: string;
  /** The site's data folder, with its pictures. */
  folder: string;
  remove(): Promise<void>;
}

/**
 * The database to copy, by version. The name begins with the template's name, so the database is
 * dropped with the template.
 */
const restored = new Map<string, Promise<{ name: string; pictures: Picture[] }>>();

interface Picture {
  name: string;
  content: Buffer;
}

/**
 * A database and data folder of a release: its fixture, restored once per process and then copied.
 */
export async function openOlderShop(version: string): Promise<OlderShop> {
  const kept = restored.get(version) ?? restoreOlder(version);
  restored.set(version, kept);
  const { name, pictures } = await kept;
  const shop = await openCopy(name);
  for (const { name: picture, content } of pictures) {
    const file = path.join(shop.folder, 'media', picture);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return shop;
}

async function restoreOlder(version: string): Promise<{ name: string; pictures: Picture[] }> {
  const name = `${inject('templateDatabase')}_of_${randomBytes(6).toString('hex')}`;
  await onServer(inject('serverUrl'), `create database ${name}`);
  const { pool, close } = connect(databaseUrl(inject('serverUrl'), name), { statementTimeout: 0 });
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-shop-'));
  try {
    await restoreFixture(pool, version, folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const pictures = files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { name: path.relative(folder, file), content: await readFile(file) };
    });
    return { name, pictures: await Promise.all(pictures) };
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function restoreFixture(pool: Pool, version: string, folder: string): Promise<void> {
  const done = await restoreBackup(pool, {
    file: path.join(import.meta.dirname, `fixtures/releases/${version}.backup`),
    media: openFolderMedia(folder),
    replace: false,
  });
  if (!done.ok) throw new Error(`The fixture of ${version} was not restored.`);
  // Restoring a backup from before pictures were in the database creates the picture table.
  await pool.query('drop table if exists stored_pictures');
}

async function openCopy(template: string): Promise<OlderShop> {
  const name = `shop_${randomBytes(6).toString('hex')}`;
  await onServer(inject('serverUrl'), `create database ${name} template ${template}`);
  const url = databaseUrl(inject('serverUrl'), name);
  const connection = connect(url, { statementTimeout: 0 });
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-shop-'));
  return {
    ...connection,
    url,
    folder,
    async remove() {
      await connection.close();
      await onServer(inject('serverUrl'), `drop database ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The content of these columns of a table, as a count of rows and a digest. */
interface Held {
  table: string;
  columns: string[];
  rows: number;
  digest: string;
}

/** The counters were added after the last release, so older data has none. */
const withoutCountsOfPeople = String.raw`where name not like '%\_users' and name not like '%\_subscriptions'`;

/** Columns dropped after the last release, which no code reads. */
const droppedColumns = new Set(['mail_outbox.address_refused_at']);

/**
 * Returns the content of each table. If `like` is given, includes only its columns, such as those
 * of an older schema.
 */
export async function heldRows(pool: Pool, like?: readonly Held[]): Promise<Held[]> {
  const tables =
    like ??
    (await listTables(pool)).map(({ name, columns }) => ({
      table: name,
      columns: columns.filter((column) => !droppedColumns.has(`${name}.${column}`)),
    }));
  const held: Held[] = [];
  for (const { table, columns } of tables) {
    if (table === 'kysely_migration') continue;
    const { rows } = await pool.query<{ rows: number; digest: string }>(
      `select count(*) as rows, coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest
         from (select ${columns.join(', ')} from ${table} ${table === 'site_counters' ? withoutCountsOfPeople : ''}) t`,
    );
    held.push({ table, columns, rows: rows[0]?.rows ?? 0, digest: rows[0]?.digest ?? '' });
  }
  return held;
}

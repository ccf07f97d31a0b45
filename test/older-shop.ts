import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { inject } from 'vitest';
import { listTables, restoreBackup } from '#database/backup.ts';
import { connect, type Connection } from '#database/connect.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { databaseUrl, onServer } from '#test/global-setup.ts';

export interface OlderShop extends Connection {
  url: string;
  /** Its data folder, with its pictures. */
  folder: string;
  remove(): Promise<void>;
}

/** A database and a data folder as that release left them: its fixture, put back. */
export async function openOlderShop(version: string): Promise<OlderShop> {
  const shop = await openEmptyShop();
  const restored = await restoreBackup(shop.pool, {
    file: path.join(import.meta.dirname, `fixtures/releases/${version}.backup`),
    media: openFolderMedia(path.join(shop.folder, 'media')),
    replace: false,
  });
  if (!restored.ok) throw new Error(`The fixture of ${version} was not restored.`);
  // The restore of a backup from before pictures lay in the database makes their table.
  await shop.pool.query('drop table if exists stored_pictures');
  return shop;
}

export async function openEmptyShop(): Promise<OlderShop> {
  const name = `shop_${randomBytes(6).toString('hex')}`;
  await onServer(inject('serverUrl'), `create database ${name}`);
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

/** What a table holds in these columns. */
interface Held {
  table: string;
  columns: string[];
  rows: number;
  digest: string;
}

/** What each table holds, in the columns that `like` names where that is given: those of an older schema. */
export async function heldRows(pool: Pool, like?: readonly Held[]): Promise<Held[]> {
  const tables =
    like ?? (await listTables(pool)).map(({ name, columns }) => ({ table: name, columns }));
  const held: Held[] = [];
  for (const { table, columns } of tables) {
    if (table === 'kysely_migration') continue;
    const { rows } = await pool.query<{ rows: number; digest: string }>(
      `select count(*) as rows, coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest
         from (select ${columns.join(', ')} from ${table}) t`,
    );
    held.push({ table, columns, rows: rows[0]?.rows ?? 0, digest: rows[0]?.digest ?? '' });
  }
  return held;
}

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { freeBytes } from './free-bytes.ts';

/**
 * The name of a stored picture: a hash of its content, an optional width, and at most one folder.
 */
export const mediaName =
  /^(?:[a-z0-9-]{1,40}\/)?[a-z0-9][a-z0-9-]{0,120}\.(?:webp|avif|jpg|png|svg)$/;

interface StoredMedia {
  bytes: number;
  writtenAt: Date;
  read(): Readable;
}

/**
 * A picture store: the database, a folder or a bucket. A name contains a hash of the content, so a
 * stored picture never changes.
 */
export interface MediaStore {
  find(name: string): Promise<StoredMedia | null>;
  /** Writes a picture atomically. */
  write(name: string, content: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Lists the names in one folder, or all names. */
  list(folder?: string): Promise<string[]>;
  listFolders(): Promise<string[]>;
  /** Returns the free space. */
  countFreeBytes(): Promise<number>;
  /**
   * Returns the same store within a transaction. `ask` runs its queries, for stores in the
   * database.
   */
  within(ask: AskRows): MediaStore;
}

/** Queries a database with parameters `$1`, `$2` and returns the rows. */
export type AskRows = <Row extends pg.QueryResultRow>(
  statement: string,
  values: readonly unknown[],
) => Promise<Row[]>;

export function askBy(client: Pick<pg.Pool, 'query'>): AskRows {
  return async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[]) =>
    (await client.query<Row>(statement, [...values])).rows;
}

/** Writes to the first of several stores, and reads from all of them in turn. */
export function joinMedia(stores: readonly [MediaStore, ...MediaStore[]]): MediaStore {
  const [first, ...others] = stores;
  const listAll = async (read: (store: MediaStore) => Promise<string[]>) =>
    [...new Set((await Promise.all(stores.map(read))).flat())].toSorted();
  return {
    async find(name) {
      for (const store of stores) {
        const found = await store.find(name);
        if (found) return found;
      }
      return null;
    },
    write: first.write,
    async remove(name) {
      for (const store of stores) await store.remove(name);
    },
    list: (folder) => listAll((store) => store.list(folder)),
    listFolders: () => listAll((store) => store.listFolders()),
    countFreeBytes: first.countFreeBytes,
    within: (ask) => joinMedia([first.within(ask), ...others.map((store) => store.within(ask))]),
  };
}

/** Opens a picture store in a folder, which several servers may share. */
export function openFolderMedia(folder: string): MediaStore {
  const store: MediaStore = {
    async find(name) {
      if (!mediaName.test(name)) return null;
      const file = path.join(folder, name);
      const found = await stat(file).catch(() => null);
      if (!found?.isFile()) return null;
      const read = () => createReadStream(file);
      return { bytes: found.size, writtenAt: found.mtime, read };
    },
    async write(name, content) {
      if (!mediaName.test(name)) throw new Error(`${name} is not a name of a stored picture.`);
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      // The temporary name is valid, so that a file left behind by a crash is found.
      const passing = `arriving-${randomBytes(6).toString('hex')}${path.extname(name)}`;
      const arriving = path.join(path.dirname(file), passing);
      try {
        await writeFlushed(arriving, content);
        await rename(arriving, file);
      } catch (error) {
        await rm(arriving, { force: true });
        throw error;
      }
    },
    async remove(name) {
      if (mediaName.test(name)) await rm(path.join(folder, name), { force: true });
    },
    async list(within) {
      const entries = await listEntries(path.join(folder, within ?? ''), within === undefined);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .map((name) => name.split(path.sep).join('/'))
        .filter((name) => mediaName.test(name))
        .toSorted();
    },
    async listFolders() {
      const entries = await listEntries(folder, false);
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    async countFreeBytes() {
      await mkdir(folder, { recursive: true });
      return freeBytes(folder);
    },
    within: () => store,
  };
  return store;
}

async function listEntries(folder: string, recursive: boolean) {
  return readdir(folder, { recursive, withFileTypes: true }).catch(() => []);
}

async function writeFlushed(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

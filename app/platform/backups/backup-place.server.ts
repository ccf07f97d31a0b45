import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Env } from '#app/platform/env.server.ts';
import { openBucket } from '#database/s3-bucket.ts';

/**
 * The place where the site stores its own backups. Each backup is written to `folder`, and read
 * from a file there. `makeFolder` creates the folder, readable only by its owner.
 */
export interface BackupPlace {
  folder: string;
  makeFolder(): Promise<unknown>;
  list(): Promise<{ name: string; bytes: number }[]>;
  /** Stores the file that was written to `folder`. */
  keep(name: string): Promise<void>;
  /** Fetches a backup to `folder`, and returns the file. */
  bring(name: string): Promise<string>;
  /** Releases the file that `bring` returned. */
  leave(name: string): Promise<void>;
  remove(name: string): Promise<void>;
}

const prefix = 'backups/';

/** Opens the place for backups. Returns null if the owner makes them. */
export function openBackupPlace({ backups, s3 }: Pick<Env, 'backups' | 's3'>): BackupPlace | null {
  if (!backups) return null;
  const { folder } = backups;
  const fileOf = (name: string) => path.join(folder, name);
  const makeFolder = () => mkdir(folder, { recursive: true, mode: 0o700 });
  const remove = (name: string) => rm(fileOf(name), { force: true });
  if (!backups.toS3 || !s3) {
    return {
      folder,
      makeFolder,
      remove,
      bring: async (name) => fileOf(name),
      keep: async () => {},
      leave: async () => {},
      list: async () => {
        const names = await readdir(folder).catch(() => []);
        return Promise.all(
          names.map(async (name) => ({ name, bytes: (await stat(fileOf(name))).size })),
        );
      },
    };
  }
  const bucket = openBucket(s3);
  return {
    folder,
    makeFolder,
    leave: remove,
    remove: (name) => bucket.remove(prefix + name),
    async keep(name) {
      const { size } = await stat(fileOf(name));
      try {
        await bucket.upload(prefix + name, fileOf(name));
      } finally {
        await remove(name); // No retry: the next night's job writes another file.
      }
      if ((await bucket.find(prefix + name))?.bytes === size) return;
      throw new Error(`The backup ${name} arrived incomplete.`);
    },
    async bring(name) {
      await makeFolder();
      await bucket.download(prefix + name, fileOf(name));
      return fileOf(name);
    },
    list: async () =>
      (await bucket.list(prefix)).map(({ key, bytes }) => ({
        name: key.slice(prefix.length),
        bytes,
      })),
  };
}

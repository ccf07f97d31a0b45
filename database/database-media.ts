import { Readable } from 'node:stream';
import { type AskRows, mediaName, type MediaStore } from '#database/media-store.ts';

/** bytes of a picture held in memory while it is being sent */
const sliceSize = 256 * 1024;

/**
 * Stores pictures in the table `stored_pictures`. `countFreeBytes` returns the free space of the
 * database's disk, if known.
 */
export function openDatabaseMedia(
  ask: AskRows,
  countFreeBytes: MediaStore['countFreeBytes'],
): MediaStore {
  async function* slicesOf(name: string, bytes: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes; at += sliceSize) {
      const [row] = await ask<{ slice: Buffer }>(
        'select substring(content from $2 for $3) as slice from stored_pictures where name = $1',
        [name, at + 1, sliceSize],
      );
      if (!row) throw new Error(`The picture ${name} was removed while it was read.`);
      yield row.slice;
    }
  }
  return {
    async find(name) {
      if (!mediaName.test(name)) return null;
      const [row] = await ask<{ bytes: number; writtenAt: Date }>(
        `select octet_length(content) as bytes, written_at as "writtenAt"
           from stored_pictures where name = $1`,
        [name],
      );
      if (!row) return null;
      const read = () => Readable.from(slicesOf(name, row.bytes), { objectMode: false });
      return { ...row, read };
    },
    async write(name, content) {
      if (!mediaName.test(name)) throw new Error(`${name} is not a name of a stored picture.`);
      await ask(
        `insert into stored_pictures (name, content) values ($1, $2)
         on conflict (name) do update set content = excluded.content, written_at = now()`,
        [name, Buffer.from(content)],
      );
    },
    async remove(name) {
      await ask('delete from stored_pictures where name = $1', [name]);
    },
    async list(folder) {
      // '0' follows '/' in ASCII, so the range covers one folder.
      const rows = await ask<{ name: string }>(
        `select name from stored_pictures
          where $1::text is null or (name > $1 || '/' and name < $1 || '0') order by name`,
        [folder ?? null],
      );
      return rows.map(({ name }) => name);
    },
    async listFolders() {
      const rows = await ask<{ folder: string }>(
        `select distinct split_part(name, '/', 1) as folder from stored_pictures where name like '%/%'`,
        [],
      );
      return rows.map(({ folder }) => folder);
    },
    countFreeBytes,
    within: (other) => openDatabaseMedia(other, countFreeBytes),
  };
}

import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import type { MediaStore } from '#database/media-store.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { filesOf, picturesInAFolder } from './picture-files.ts';
import { findPicturesInTrash, findPictureUses } from './picture-uses.server.ts';

/** ms; files are written before their rows, so a new file may not have a row yet */
const strayAfterMs = 3_600_000;

/**
 * Reconciles rows and files after a crash, a restored database or a lost folder. Files without a
 * row are deleted. Rows without files are deleted as well, and their pictures are fetched again
 * when shown.
 */
export async function tidyPictures(
  { db, env, now }: Pick<AppServices, 'db' | 'env' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  await forgetOldRows(db, 'tidy-pictures', signal);
  const media = openMedia({ db, env });
  for (const folder of await listPictureFolders(db, media)) {
    if (signal?.aborted) return;
    await tidyFolder(db, media, folder, now());
  }
  await tidyLibrary(db, media, now());
  await sql`update site_counters set value = (select coalesce(sum(bytes), 0) from pictures) where name = 'picture_bytes'`.execute(
    db,
  );
}

async function listPictureFolders(db: Db, media: MediaStore): Promise<number[]> {
  const found = (await media.listFolders()).flatMap((name) => {
    const number = /^pictures-(\d+)$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  const told = await ask(db).column<number>`
    select distinct id / ${picturesInAFolder}::bigint from pictures where name is not null`;
  return [...new Set([...found, ...told])];
}

/**
 * Reconciles one folder. A row may be written after the folder is read, so something is missing
 * only if two readings lack it.
 */
async function tidyFolder(db: Db, media: MediaStore, folder: number, now: Date): Promise<void> {
  const before = await readNames(db, folder);
  const files = new Set(await media.list(`pictures-${folder}`));
  const after = await readNames(db, folder);
  for (const [id, name] of before) {
    const isLost = filesOf(name).some((file) => !files.has(file));
    if (isLost) await sql`delete from pictures where id = ${id} and name = ${name}`.execute(db);
    if (isLost) after.delete(id);
  }
  const wanted = new Set([...after.values()].flatMap(filesOf));
  for (const file of files) {
    if (!wanted.has(file)) await removeStray(media, file, now);
  }
}

async function readNames(db: Db, folder: number): Promise<Map<number, string>> {
  const first = folder * picturesInAFolder;
  const rows = await ask(db).rows<{ id: number; name: string }>`
    select id, name from pictures
     where id >= ${first} and id < ${first + picturesInAFolder} and name is not null`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Deletes files of pictures that are neither in the library nor in the trash. Files shown by a
 * page, or by a deleted page that may be restored, are kept.
 */
async function tidyLibrary(db: Db, media: MediaStore, now: Date): Promise<void> {
  const files = Map.groupBy(
    await media.list('library'),
    (file) => /^library\/([0-9a-f]+)-/.exec(file)?.[1] ?? '',
  );
  const known = await ask(db).column<string>`select hash from library_pictures`;
  for (const hash of [...known, ...(await findPicturesInTrash(db))]) files.delete(hash);
  const used = await findPictureUses(db, [...files.keys()], 1);
  for (const [hash, names] of files) {
    if (!used.has(hash)) for (const file of names) await removeStray(media, file, now);
  }
}

async function removeStray(media: MediaStore, file: string, now: Date): Promise<void> {
  const found = await media.find(file);
  const isStray = found && now.getTime() - found.writtenAt.getTime() > strayAfterMs;
  if (isStray) await media.remove(file);
}

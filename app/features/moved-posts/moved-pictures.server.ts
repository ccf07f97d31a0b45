import { editablePictures } from '#app/features/pictures/editable-pictures.server.ts';
import { findPictureUses } from '#app/features/pictures/picture-uses.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { originalPath } from './old-picture.ts';

/** The pictures of an import by state, and their hosts. */
export interface PictureCounts {
  total: number;
  fetched: number;
  failed: number;
  waiting: number;
  hosts: { host: string; count: number }[];
}

export async function countMovedPictures(db: Db, moveId: number): Promise<PictureCounts> {
  const rows = await ask(db).rows<{ host: string | null; state: string; count: number }>`
    select substring(p.address from '^https://([^/]+)') as host, p.state, count(*)::integer as count
      from post_move_pictures p
     where p.move_id = ${moveId}
       and exists (select from post_move_items i where i.id = any(p.items) and i.skip is null)
     group by 1, 2 order by 3 desc, 1`;
  const hosts = new Map<string, number>();
  const counts = { total: 0, fetched: 0, failed: 0, waiting: 0 };
  for (const { host, state, count } of rows) {
    counts.total += count;
    counts[state as 'fetched' | 'failed' | 'waiting'] += count;
    hosts.set(host ?? '', (hosts.get(host ?? '') ?? 0) + count);
  }
  return { ...counts, hosts: [...hosts].map(([host, count]) => ({ host, count })) };
}

/** A picture that could not be fetched. */
export interface FailedPicture {
  id: number;
  address: string;
  reason: string;
  is_http: boolean;
  /** The title of the first post or page that shows the picture. */
  title: string;
}

export function listFailedPictures(
  db: Db,
  moveId: number,
  limit: number,
): Promise<FailedPicture[]> {
  return ask(db).rows<FailedPicture>`
    select p.id, p.address, coalesce(p.reason, '') as reason, p.is_http, coalesce(i.title, '') as title
      from post_move_pictures p left join post_move_items i on i.id = p.items[1]
     where p.move_id = ${moveId} and p.state = 'failed' order by p.id limit ${limit}`;
}

/** Deletes the staged pictures that only skipped items show. */
export async function dropUnusedPictures(tx: Db, moveId: number): Promise<void> {
  await ask(tx).rows`
    delete from post_move_pictures p
     where p.move_id = ${moveId}
       and not exists (select from post_move_items i where i.id = any(p.items) and i.skip is null)`;
}

/** Starts or stops fetching the pictures of an import. */
export async function setPicturesDue(tx: Db, moveId: number, isDue: boolean): Promise<void> {
  await ask(tx).rows`
    update post_move_pictures set due_at = case when ${isDue} then now() end
     where move_id = ${moveId} and state = 'waiting'`;
}

/** Retries the failed pictures of a completed import. Returns their number. */
export async function retryPictures(db: Db, moveId: number): Promise<number> {
  const found = await ask(db).column<number>`
    update post_move_pictures p set state = 'waiting', attempts = 0, reason = null, due_at = now()
      from post_moves m
     where m.id = p.move_id and m.id = ${moveId} and m.state = 'done' and p.state = 'failed'
    returning p.id`;
  return found.length;
}

const removedAtATime = 200;

/**
 * Moves the pictures that an import added to the library to the trash, unless something else shows
 * them or staff changed them. Also continues an interrupted undo.
 */
export async function removeNewPictures(db: Db, moveId: number, actor: string): Promise<void> {
  for (;;) {
    const added = await ask(db).rows<{
      id: number;
      picture: number;
      hash: string;
      version: number;
    }>`
      select p.id, l.id as picture, l.hash, l.version
        from post_move_pictures p join library_pictures l on l.id = p.picture_id
       where p.move_id = ${moveId} and p.is_new order by p.id limit ${removedAtATime}`;
    if (added.length === 0) return;
    const uses = await findPictureUses(
      db,
      added.map(({ hash }) => hash),
      1,
    );
    for (const { picture, hash, version } of added)
      if (version === 1 && !uses.has(hash)) await editablePictures.remove(db, picture, actor);
    const ids = added.map(({ id }) => id);
    await ask(db).rows`
      update post_move_pictures set is_new = false where id = any(${ids}::bigint[])`;
  }
}

const pictureFile = /\.(?:jpe?g|png|gif|webp|avif)$/i;

/** Returns the library's URL of a picture that was fetched from this path, in any size. */
export async function findMovedPicture(db: Db, pathname: string): Promise<string | null> {
  if (!pictureFile.test(pathname)) return null;
  const path = pathname.normalize('NFC');
  const paths = [path, originalPath(path)];
  return ask(db).value<string>`
    select l.address from post_move_pictures p join library_pictures l on l.id = p.picture_id
     where p.old_path = any(${paths}::text[]) and p.picture_id is not null
     order by p.old_path = ${path} desc, p.id desc limit 1`;
}

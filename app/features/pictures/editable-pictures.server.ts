import type { Selectable } from 'kysely';
import { z } from 'zod';
import { type DeleteRowResult, editableRows } from '#app/features/catalog/editable-rows.server.ts';
import { text } from '#app/platform/input-fields.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { findPictureUses, type PictureUses } from './picture-uses.server.ts';

const columns = [
  'id',
  'hash',
  'name',
  'alt',
  'address',
  'width',
  'height',
  'bytes',
  'version',
] as const;

/** A library picture with the fields that editors see. */
export type EditablePicture = Pick<
  Selectable<Database['library_pictures']>,
  (typeof columns)[number]
>;

export const pictureInput = z.object({
  name: text(200).pipe(z.string().min(1, 'Name is required')).prefault(''),
  alt: text(500).prefault(''),
});
type PictureInput = z.output<typeof pictureInput>;

export const editablePictures = editableRows<EditablePicture, PictureInput>({
  table: 'library_pictures',
  entity: 'picture',
  columns,
  unique: 'library_pictures_hash_key',
});

/** Returns where a picture is shown. */
export async function findUsesOf(
  db: Db,
  { hash }: Pick<EditablePicture, 'hash'>,
): Promise<PictureUses> {
  return (await findPictureUses(db, [hash])).get(hash) ?? { total: 0, first: [] };
}

/**
 * Moves a picture to the trash, unless a page shows it. Its files are kept until it leaves the
 * trash.
 */
export async function deleteLibraryPicture(
  db: Db,
  id: number,
  actor: string,
): Promise<DeleteRowResult | { ok: false; reason: 'in-use'; uses: PictureUses }> {
  const row = await editablePictures.find(db, id);
  const uses = row && (await findUsesOf(db, row));
  if (uses && uses.total > 0) return { ok: false, reason: 'in-use', uses };
  return editablePictures.remove(db, id, actor);
}

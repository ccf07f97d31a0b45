import { createHash } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { RefusedPicture, UnreadablePicture } from '#app/platform/open-picture.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { MediaStore } from '#database/media-store.ts';
import { type DrawnPicture, drawPicture } from './draw-picture.server.ts';
import {
  libraryColumns,
  libraryMessages,
  type LibraryPicture,
  mostUploadedBytes,
} from './library-picture.ts';
import { fileOf, libraryPlan } from './picture-files.ts';

export type StorePictureResult =
  /** `isNew` is false if the library had the same picture. */
  { ok: true; picture: LibraryPicture; isNew: boolean } | { ok: false; message: string };

/** maximum pixels, as for logos and pictures in emails */
const mostPixels = 40_000_000;
/** bytes to keep free, since the database is on the same disk */
const leastFreeBytes = 1024 ** 3 / 2;
const longestName = 200;
const longestAlt = 500;

interface About {
  /** The name of the uploaded file. */
  name: string;
  alt?: string;
  /** The id of the user. */
  actor: string;
}

/**
 * Stores an uploaded picture in the media library, in the sizes and formats of `libraryPlan`.
 * Redrawing applies the orientation, drops all other data in the file, and rejects anything that is
 * not a picture. The same picture is stored only once, regardless of its name and metadata.
 * `message` is a sentence for the uploader.
 */
export async function storeLibraryPicture(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  original: Uint8Array,
  about: About,
): Promise<StorePictureResult> {
  if (original.length > mostUploadedBytes) return { ok: false, message: libraryMessages.tooLarge };
  const media = openMedia({ db, env });
  const originalHash = sha256(original);
  const known = await findByOriginal(db, media, originalHash);
  if (known) return { ok: true, picture: known, isNew: false };
  if ((await media.countFreeBytes()) < leastFreeBytes) {
    return { ok: false, message: libraryMessages.diskFull };
  }
  const drawn = await draw(original);
  if ('message' in drawn) return { ok: false, message: drawn.message };
  return keep(db, media, { ...about, originalHash, drawn });
}

async function draw(original: Uint8Array): Promise<DrawnPicture | { message: string }> {
  try {
    return await drawPicture(original, { plan: libraryPlan, mostPixels });
  } catch (error) {
    if (!(error instanceof RefusedPicture) && !(error instanceof UnreadablePicture)) throw error;
    return { message: `${error.message}. ${libraryMessages.wrongFormat}` };
  }
}

/** Writes the files before the row, so that a row always has its files. */
async function keep(
  db: Db,
  media: MediaStore,
  {
    drawn,
    originalHash,
    name,
    alt = '',
    actor,
  }: About & {
    drawn: DrawnPicture;
    originalHash: string;
  },
): Promise<StorePictureResult> {
  const { widest, width, height } = drawn;
  const main = drawn.files.findLast(({ format }) => format === 'webp');
  const hash = sha256(main?.content ?? Buffer.alloc(0)).slice(0, 20);
  const named = drawn.files.map(({ box, format, content }) => ({
    file: fileOf(`library/${hash}`, box, format),
    content,
  }));
  for (const { file, content } of named) await media.write(file, content);
  const row = {
    hash,
    original_hash: originalHash,
    name: cleanText(name, longestName) || 'Picture',
    alt: cleanText(alt, longestAlt),
    address: `/media/${fileOf(`library/${hash}`, widest, 'webp')}`,
    width,
    height,
    bytes: named.reduce((sum, { content }) => sum + content.length, 0),
    files: named.map(({ file }) => file),
    created_by: actor,
  };
  return db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('library_pictures')
      .values(row)
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning(libraryColumns)
      .executeTakeFirst();
    if (!added) {
      const same = tx
        .selectFrom('library_pictures')
        .select(libraryColumns)
        .where('hash', '=', hash);
      return { ok: true, picture: await same.executeTakeFirstOrThrow(), isNew: false };
    }
    const { id, ...shown } = added;
    const act = { actor, action: 'picture.create', entity: 'picture', entityId: id };
    await writeAudit(tx, { ...act, after: shown });
    return { ok: true, picture: added, isNew: true };
  });
}

/**
 * Finds the picture with the same original file, unless its files were lost and must be drawn
 * again.
 */
async function findByOriginal(
  db: Db,
  media: MediaStore,
  originalHash: string,
): Promise<LibraryPicture | null> {
  const row = await ask(db).row<LibraryPicture & { files: string[] }>`
    select id, address, name, alt, width, height, files from library_pictures
     where original_hash = ${originalHash} limit 1`;
  if (!row) return null;
  const { files, ...picture } = row;
  for (const file of files) if (!(await media.find(file))) return null;
  return picture;
}

function cleanText(text: string, most: number): string {
  return cutText(
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
    most,
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

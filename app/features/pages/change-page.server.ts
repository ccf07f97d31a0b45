import type { Selectable } from 'kysely';
import { editableRows, type SaveRowResult } from '#app/features/catalog/editable-rows.server.ts';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import { findFreeSlug } from '#app/features/catalog/slug-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { slugify } from '#database/slug.ts';
import { isReservedSlug, type PageInput } from './page-input.server.ts';
import { isTextName, type TextName } from './site-texts.ts';

const columns = [
  'id',
  'slug',
  'title',
  'intro',
  'content',
  'is_visible',
  ...searchColumns,
  'version',
] as const;

/** A page with the fields that editors see. */
export type EditablePage = Pick<Selectable<Database['site_pages']>, (typeof columns)[number]>;

export const editablePages = editableRows<EditablePage, PageInput>({
  table: 'site_pages',
  entity: 'page',
  columns,
  nameColumn: 'title',
});

export type SavePageResult =
  | SaveRowResult<EditablePage>
  | { ok: false; reason: 'reserved'; slug: string };

interface Save {
  actor: string;
  /** The stored page, or `null` for a new page. */
  id: number | null;
  expectedVersion: number;
}

/**
 * Saves one of the owner's pages. A blank slug is derived from the title of a new page, and
 * otherwise unchanged.
 */
export async function savePage(
  db: Db,
  { slug: typed, ...input }: Omit<PageInput, 'slug'> & { slug: string | null },
  { actor, id, expectedVersion }: Save,
): Promise<SavePageResult> {
  const stored = id === null ? null : await editablePages.find(db, id);
  if (stored && isTextName(stored.slug)) return { ok: false, reason: 'not-found' };
  const base = slugify(input.title).slice(0, 100) || 'page';
  const slug = typed ?? stored?.slug ?? (await findFreeSlug(db, 'site_pages', base));
  if (isReservedSlug(slug)) return { ok: false, reason: 'reserved', slug };
  return id === null
    ? editablePages.create(db, { ...input, slug }, actor)
    : editablePages.update(db, id, { ...input, slug }, { actor, expectedVersion });
}

/** Saves the replacement of a built-in text. */
export async function saveText(
  db: Db,
  name: TextName,
  input: Omit<PageInput, 'slug' | 'is_visible'>,
  { actor, expectedVersion }: Omit<Save, 'id'>,
): Promise<SaveRowResult<EditablePage>> {
  const stored = await findStoredText(db, name);
  // The form edits a replacement that no longer exists. Another user has restored the original,
  // which saving would undo.
  if (!stored && expectedVersion > 0) return { ok: false, reason: 'not-found' };
  const page = { ...input, slug: name, is_visible: true };
  return stored
    ? editablePages.update(db, stored.id, page, { actor, expectedVersion })
    : editablePages.create(db, page, actor);
}

/** Returns the replacement of a built-in text, or `null` if the original is shown. */
export async function findStoredText(db: Db, name: TextName): Promise<EditablePage | null> {
  const id = await ask(db).value<number>`select id from site_pages where slug = ${name}`;
  return id === null ? null : editablePages.find(db, id);
}

/** Publishes one of the owner's pages, or makes it a draft. */
export function setPageVisible(
  db: Db,
  id: number,
  isVisible: boolean,
  actor: string,
): Promise<{ ok: boolean }> {
  return db.transaction().execute(async (tx) => {
    const current = await ask(tx).row<{ slug: string; is_visible: boolean }>`
      select slug, is_visible from site_pages where id = ${id} for update`;
    if (!current || isTextName(current.slug)) return { ok: false };
    if (current.is_visible === isVisible) return { ok: true };
    await ask(tx).value`
      update site_pages set is_visible = ${isVisible}, version = version + 1, updated_at = now()
       where id = ${id}`;
    await writeAudit(tx, {
      actor,
      action: isVisible ? 'page.publish' : 'page.unpublish',
      entity: 'page',
      entityId: id,
      before: { is_visible: current.is_visible },
      after: { is_visible: isVisible },
    });
    return { ok: true };
  });
}

import { type Selectable, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import type { Database } from '#database/schema.ts';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
import { restoreDeleted, type RestoreResult } from '#app/platform/trash/restore-deleted.server.ts';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import { findFreeSlug } from '#app/features/catalog/slug-queries.server.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { slugify } from '#database/slug.ts';
import type { PostInput } from './post-input.ts';
import { sanitisePost } from './sanitise-post.server.ts';

const mostBytes = 200 * 1024;
const auditedContent = 500;
const minute = 60_000;

const columns = [
  'id',
  'title',
  'slug',
  'excerpt',
  'content',
  'is_published',
  'is_featured',
  'published_at',
  'author',
  'read_time',
  'featured_image_url',
  'tags',
  ...searchColumns,
  'version',
] as const;

/** A post as editors see it. */
export type EditablePost = Pick<Selectable<Database['blog_posts']>, (typeof columns)[number]>;
/** A post to save, with its author resolved. */
export type PostToSave = PostInput & { author: string };

type ContentProblem = 'content-empty' | 'content-too-long';
const refusals = { blog_posts_slug_key: 'slug-taken' } as const;

export type SavePostResult =
  | { ok: true; post: EditablePost }
  | { ok: false; reason: 'slug-taken' | 'not-found' | ContentProblem }
  | { ok: false; reason: 'changed-meanwhile'; current: EditablePost };

/** The acting user, and the site's origin, which distinguishes internal links from others. */
interface Writer {
  actor: string;
  origin: string;
}

export async function findEditablePost(db: Db, id: number): Promise<EditablePost | null> {
  return (await posts(db, id).executeTakeFirst()) ?? null;
}

export async function createPost(db: Db, input: PostToSave, { actor, origin }: Writer) {
  const cleaned = cleanContent(input.content, origin);
  if (!cleaned.ok) return cleaned;
  return refuseKnown(db, refusals, async (tx): Promise<SavePostResult> => {
    const post = await tx
      .insertInto('blog_posts')
      .values({
        ...input,
        content: cleaned.content,
        slug: input.slug ?? (await findFreeSlug(tx, 'blog_posts', slugify(input.title) || 'post')),
        published_at: input.published_at ?? firstPublished(input.is_published),
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
    const { id, version: _version, ...after } = audited(post);
    await writeAudit(tx, { actor, action: 'post.create', entity: 'post', entityId: id, after });
    return { ok: true, post };
  });
}

/** Updates a post whose version is `expectedVersion`, so that no other save is overwritten. */
export async function updatePost(
  db: Db,
  id: number,
  input: PostToSave,
  { actor, origin, expectedVersion }: Writer & { expectedVersion: number },
): Promise<SavePostResult> {
  const cleaned = cleanContent(input.content, origin);
  if (!cleaned.ok) return cleaned;
  return refuseKnown(db, refusals, async (tx): Promise<SavePostResult> => {
    const current = await posts(tx, id).forUpdate().executeTakeFirst();
    if (!current) return { ok: false, reason: 'not-found' };
    if (current.version !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile', current };
    }
    const moment = publishTime(current.published_at, input.published_at);
    const post = await tx
      .updateTable('blog_posts')
      .set({
        ...input,
        content: cleaned.content,
        slug: input.slug ?? current.slug,
        published_at: moment ?? firstPublished(input.is_published),
        version: expectedVersion + 1,
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow();
    const { version: _version, ...after } = post;
    const changed = changedFields(current, after);
    await writeAudit(tx, {
      actor,
      action: 'post.update',
      entity: 'post',
      entityId: id,
      before: audited(changed.before),
      after: audited(changed.after),
    });
    return { ok: true, post };
  });
}

/** Sets only `is_published`. A first publication also sets the date. */
export async function setPostPublished(
  db: Db,
  id: number,
  isPublished: boolean,
  actor: string,
): Promise<{ ok: true } | { ok: false; reason: 'not-found' | 'no-picture' }> {
  return db.transaction().execute(async (tx) => {
    const current = await posts(tx, id).forUpdate().executeTakeFirst();
    if (!current) return { ok: false, reason: 'not-found' };
    if (current.is_published === isPublished) return { ok: true };
    if (isPublished && !current.featured_image_url) return { ok: false, reason: 'no-picture' };
    const change = {
      is_published: isPublished,
      published_at: current.published_at ?? firstPublished(isPublished),
    };
    const after = await tx
      .updateTable('blog_posts')
      .set({ ...change, version: current.version + 1, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returning(['is_published', 'published_at'])
      .executeTakeFirstOrThrow();
    await writeAudit(tx, {
      actor,
      action: isPublished ? 'post.publish' : 'post.unpublish',
      entity: 'post',
      entityId: id,
      ...changedFields(current, after),
    });
    return { ok: true };
  });
}

export async function deletePost(db: Db, id: number, actor: string): Promise<{ ok: boolean }> {
  return db.transaction().execute(async (tx) => {
    const post = await posts(tx, id).forUpdate().executeTakeFirst();
    if (!post) return { ok: false };
    await keepDeleted(tx, { table: 'blog_posts', entity: 'post', id, name: post.title, actor });
    await tx.deleteFrom('blog_posts').where('id', '=', id).execute();
    const act = { actor, action: 'post.delete', entity: 'post', entityId: id };
    await writeAudit(tx, { ...act, before: audited(post) });
    return { ok: true };
  });
}

/** Undoes a deletion within an hour, by any member of staff. The post keeps its id. */
export function restorePost(db: Db, id: number, actor: string): Promise<RestoreResult> {
  return restoreDeleted(db, { table: 'blog_posts', entity: 'post', id, actor });
}

/** Sanitizes the content. Content without text, pictures and deals is treated as empty. */
function cleanContent(
  html: string,
  origin: string,
): { ok: true; content: string } | { ok: false; reason: ContentProblem } {
  const content = sanitisePost(html, origin, { hasDeals: true }).trim();
  const text = content.replace(/<[^<>]*>|&nbsp;|\s/g, '');
  if (text === '' && !/<img |data-deal=/.test(content))
    return { ok: false, reason: 'content-empty' };
  if (Buffer.byteLength(content) > mostBytes) return { ok: false, reason: 'content-too-long' };
  return { ok: true, content };
}

/** Keeps the stored seconds if the form's minute is unchanged, since forms have no seconds. */
function publishTime(current: Date | null, asked: Date | null): Date | null {
  const isSame =
    current && asked && Math.floor(current.getTime() / minute) * minute === asked.getTime();
  return isSame ? current : asked;
}

function firstPublished(isPublished: boolean) {
  return isPublished ? sql<Date>`now()` : null;
}

/** Returns the row for the audit log, with only the beginning of the article. */
function audited<Row extends object>(row: Row): Row {
  if (!('content' in row) || typeof row.content !== 'string') return row;
  return { ...row, content: cutText(row.content, auditedContent) };
}

function posts(db: Db, id: number) {
  return db.selectFrom('blog_posts').select(columns).where('id', '=', id);
}

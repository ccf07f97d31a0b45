import { sql } from 'kysely';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import type { Db } from '#database/connect.ts';

export const postsPerPage = 24;
const mostTaggedPosts = 60;

/** Returns published posts, featured or not, newest first. */
export function listLatestPosts(db: Db, limit: number) {
  return summaries(db).limit(limit).execute();
}

export function listFeaturedPosts(db: Db, limit: number) {
  return summaries(db).where('is_featured', '=', true).limit(limit).execute();
}

interface AskedPosts {
  page: number;
  besides?: number[];
}

/**
 * Returns the posts of the blog's main list, without the featured ones above it (`besides`). A
 * number past the end returns the last page.
 */
export async function listPosts(db: Db, { page: asked, besides = [] }: AskedPosts) {
  const listed = summaries(db).where(sql<boolean>`id <> all(${besides}::bigint[])`);
  const total = await countRows(listed);
  const pageCount = Math.max(1, Math.ceil(total / postsPerPage));
  const page = Math.min(asked, pageCount);
  const rows = listed.limit(postsPerPage).offset((page - 1) * postsPerPage);
  return { posts: await rows.execute(), total, page, pageCount };
}

/** Returns a published post, or `null`. Visitors cannot tell a draft from a missing post. */
export async function findPostBySlug(db: Db, slug: string) {
  return (await whole(db).where('slug', '=', slug).executeTakeFirst()) ?? null;
}

/** Returns a published post for its share picture, or `null`. */
export async function findPostById(db: Db, id: number) {
  return (await summaries(db).where('blog_posts.id', '=', id).executeTakeFirst()) ?? null;
}

/** Returns the current slug of a published post that once had this one, or `null`. */
export async function findPostRedirect(db: Db, slug: string): Promise<string | null> {
  const found = await published(db)
    .innerJoin('slug_redirects as r', 'r.target_id', 'blog_posts.id')
    .where('r.kind', '=', 'blog_post')
    .where('r.slug', '=', slug)
    .select('blog_posts.slug')
    .executeTakeFirst();
  return found?.slug ?? null;
}

/** Returns other posts: those that share the most tags first, then the newest. */
export function listRelatedPosts(db: Db, post: { id: number; tags: string[] }, limit: number) {
  const shared = sql<number>`(select count(*) from unnest(tags) tag where tag = any(${post.tags}::text[]))`;
  return summaries(db)
    .clearOrderBy()
    .where('id', '<>', post.id)
    .orderBy(shared, 'desc')
    .orderBy(shownAt, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Returns at most 60 posts with this tag in any letter case, newest first, and the tag as written.
 */
export async function listPostsByTag(db: Db, tag: string) {
  const posts = await summaries(db)
    .where(sql<boolean>`exists (select 1 from unnest(tags) own where lower(own) = lower(${tag}))`)
    .limit(mostTaggedPosts)
    .execute();
  const written = posts[0]?.tags.find((own) => own.toLowerCase() === tag.toLowerCase());
  return posts.length > 0 ? { tag: written ?? tag, posts } : null;
}

/** Returns the newest posts with their whole content, for the blog's feed. */
export function listPostsForFeed(db: Db, limit: number) {
  return whole(db).limit(limit).execute();
}

/** Returns slugs of all published posts with the time of their last change, for the sitemap. */
export function listPostAddresses(db: Db, limit: number) {
  const listed = published(db).where('noindex', '=', false);
  return listed.select(['slug', 'updated_at']).orderBy('id', 'desc').limit(limit).execute();
}

/** A post without its own date uses its creation date. */
const shownAt = sql<Date>`coalesce(published_at, blog_posts.created_at)`;

const summaryColumns = [
  'blog_posts.id',
  'blog_posts.slug',
  'title',
  'excerpt',
  'featured_image_url',
  'author',
  'read_time',
  'tags',
  shownAt.as('shown_at'),
] as const;

/** Selects posts that are published and due. A future date hides a post. */
function published(db: Db) {
  return db
    .selectFrom('blog_posts')
    .where('is_published', '=', true)
    .where((post) =>
      post.or([post('published_at', 'is', null), post('published_at', '<=', sql<Date>`now()`)]),
    );
}

function summaries(db: Db) {
  return published(db)
    .select(summaryColumns)
    .orderBy(shownAt, 'desc')
    .orderBy('blog_posts.id', 'desc');
}

/**
 * Selects everything that an article shows. `content` is HTML as stored, so sanitize it before
 * showing it.
 */
function whole(db: Db) {
  return summaries(db).select(['content', ...searchColumns, 'updated_at']);
}

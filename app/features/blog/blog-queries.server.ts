import { sql } from 'kysely';
import { countRows } from '#app/platform/read-table-page.server.ts';
import type { Db } from '#database/connect.ts';

export const postsPerPage = 24;
const mostTaggedPosts = 60;

/** Published posts, featured or not, newest first. */
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
 * The posts of the blog's main list: all but the featured ones shown above it (`besides`). Past the last page is the
 * last.
 */
export async function listPosts(db: Db, { page: asked, besides = [] }: AskedPosts) {
  const listed = summaries(db).where(sql<boolean>`id <> all(${besides}::bigint[])`);
  const total = await countRows(listed);
  const pageCount = Math.max(1, Math.ceil(total / postsPerPage));
  const page = Math.min(asked, pageCount);
  const rows = listed.limit(postsPerPage).offset((page - 1) * postsPerPage);
  return { posts: await rows.execute(), total, page, pageCount };
}

/** A published post, or null: to visitors a draft does not exist. */
export async function findPostBySlug(db: Db, slug: string) {
  return (await whole(db).where('slug', '=', slug).executeTakeFirst()) ?? null;
}

/** The present slug of a published post that once had this one (P6), or null. */
export async function findPostRedirect(db: Db, slug: string): Promise<string | null> {
  const found = await published(db)
    .innerJoin('slug_redirects as r', 'r.target_id', 'blog_posts.id')
    .where('r.kind', '=', 'blog_post')
    .where('r.slug', '=', slug)
    .select('blog_posts.slug')
    .executeTakeFirst();
  return found?.slug ?? null;
}

/** Other posts: those that share the most tags first, then the newest. */
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

/** Posts with this tag in any spelling of its letters, newest first, at most 60; and the tag as it was written. */
export async function listPostsByTag(db: Db, tag: string) {
  const posts = await summaries(db)
    .where(sql<boolean>`exists (select 1 from unnest(tags) own where lower(own) = lower(${tag}))`)
    .limit(mostTaggedPosts)
    .execute();
  const written = posts[0]?.tags.find((own) => own.toLowerCase() === tag.toLowerCase());
  return posts.length > 0 ? { tag: written ?? tag, posts } : null;
}

/** The newest posts with their whole content, for the blog's feed. */
export function listPostsForFeed(db: Db, limit: number) {
  return whole(db).limit(limit).execute();
}

/** Slugs of all published posts with the time of their last change, for the sitemap. */
export function listPostAddresses(db: Db, limit: number) {
  return published(db).select(['slug', 'updated_at']).orderBy('id', 'desc').limit(limit).execute();
}

/** A post without a date of its own counts from when it was written. */
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

/** Published and due: a date in the future holds a post back. */
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

/** Everything an article shows. `content` is HTML as it was stored: clean it before it is shown. */
function whole(db: Db) {
  return summaries(db).select(['content', 'seo_title', 'seo_description', 'updated_at']);
}

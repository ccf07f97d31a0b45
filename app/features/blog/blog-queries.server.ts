import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { PostSummary } from './post-summary.ts';

/** Everything an article shows. `content` is HTML as it was stored: clean it before it is shown. */
export interface Post extends PostSummary {
  content: string;
  seo_title: string | null;
  seo_description: string | null;
  updated_at: Date;
}

export interface PostPage {
  posts: PostSummary[];
  total: number;
  /** The page that is shown, from 1; one beyond the last shows the last. */
  page: number;
  /** At least 1. */
  pageCount: number;
}

export const postsPerPage = 24;
const mostTaggedPosts = 60;

/** Published posts, featured or not, newest first. */
export async function listLatestPosts(db: Db, limit: number): Promise<PostSummary[]> {
  return await summaries(db).limit(limit).execute();
}

export async function listFeaturedPosts(db: Db, limit: number): Promise<PostSummary[]> {
  return await summaries(db).where('is_featured', '=', true).limit(limit).execute();
}

/**
 * The posts of the blog's main list: all but those that stand above it as featured ones (`besides` are their ids),
 * so that a third featured post is not lost between the two.
 */
export async function listPosts(
  db: Db,
  { page, besides = [] }: { page: number; besides?: number[] },
): Promise<PostPage> {
  const listed = besides.length > 0 ? published(db).where('id', 'not in', besides) : published(db);
  const { total } = await listed
    .select((posts) => posts.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const pageCount = Math.max(1, Math.ceil(total / postsPerPage));
  const shown = Math.min(page, pageCount);
  const rows = summaries(db)
    .limit(postsPerPage)
    .offset((shown - 1) * postsPerPage);
  const posts = await (besides.length > 0 ? rows.where('id', 'not in', besides) : rows).execute();
  return { posts, total, page: shown, pageCount };
}

/** A published post, or null: to visitors a draft does not exist. */
export async function findPostBySlug(db: Db, slug: string): Promise<Post | null> {
  const post = await published(db)
    .select(summaryColumns)
    .select(['content', 'seo_title', 'seo_description', 'updated_at'])
    .where('slug', '=', slug)
    .executeTakeFirst();
  return post ?? null;
}

/** The present slug of a published post that once had this one (P6), or null. */
export async function findPostRedirect(db: Db, slug: string): Promise<string | null> {
  const found = await published(db)
    .innerJoin('slug_redirects', 'slug_redirects.target_id', 'blog_posts.id')
    .where('slug_redirects.kind', '=', 'blog_post')
    .where('slug_redirects.slug', '=', slug)
    .select('blog_posts.slug')
    .executeTakeFirst();
  return found?.slug ?? null;
}

/** Other posts: those that share the most tags first, then the newest. */
export async function listRelatedPosts(
  db: Db,
  post: { id: number; tags: string[] },
  limit: number,
): Promise<PostSummary[]> {
  const shared = sql<number>`(select count(*) from unnest(tags) tag where tag = any(${post.tags}::text[]))`;
  return await published(db)
    .select(summaryColumns)
    .where('id', '<>', post.id)
    .orderBy(shared, 'desc')
    .orderBy(shownAt, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Posts with this tag in any spelling of its letters, newest first, at most 60; and the tag as it was written. */
export async function listPostsByTag(
  db: Db,
  tag: string,
): Promise<{ tag: string; posts: PostSummary[] } | null> {
  const posts = await summaries(db)
    .where(sql<boolean>`exists (select 1 from unnest(tags) own where lower(own) = lower(${tag}))`)
    .limit(mostTaggedPosts)
    .execute();
  const written = posts[0]?.tags.find((own) => own.toLowerCase() === tag.toLowerCase());
  return posts.length > 0 ? { tag: written ?? tag, posts } : null;
}

/** The newest posts with their whole content, for the blog's feed. */
export async function listPostsForFeed(db: Db, limit: number): Promise<Post[]> {
  return await summaries(db)
    .select(['content', 'seo_title', 'seo_description', 'updated_at'])
    .limit(limit)
    .execute();
}

/** Slugs of all published posts with the time of their last change, for the sitemap. */
export async function listPostAddresses(
  db: Db,
  limit: number,
): Promise<{ slug: string; updated_at: Date }[]> {
  return await published(db)
    .select(['slug', 'updated_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
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

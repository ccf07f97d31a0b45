import { describe, expect, it } from 'vitest';
import type { Insertable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  findPostBySlug,
  findPostRedirect,
  listFeaturedPosts,
  listLatestPosts,
  listPosts,
  listPostsByTag,
  listRelatedPosts,
  postsPerPage,
} from './blog-queries.server.ts';

const database = useTestDatabase();
const day = 86_400_000;

describe('lists of posts', () => {
  // Proves Storefront 7: Blog list by date, one by slug
  it('lists published posts, newest first', async () => {
    await addPost({ slug: 'old', published_at: daysAgo(9) });
    await addPost({ slug: 'new', published_at: daysAgo(1) });
    await addPost({ slug: 'middle', published_at: daysAgo(5) });
    expect(slugs(await listLatestPosts(database.db, 2))).toEqual(['new', 'middle']);
  });

  // Proves Back office 2: Blog: drafts are not shown
  it('never lists a draft or a post with a future date', async () => {
    await addPost({ slug: 'draft', is_published: false });
    await addPost({ slug: 'planned', published_at: daysAgo(-1), is_featured: true });
    expect(await listLatestPosts(database.db, 9)).toEqual([]);
    expect(await listFeaturedPosts(database.db, 9)).toEqual([]);
    expect((await listPosts(database.db, { page: 1 })).total).toBe(0);
    expect(await findPostBySlug(database.db, 'draft')).toBeNull();
    expect(await findPostBySlug(database.db, 'planned')).toBeNull();
  });

  it('dates a post without its own date by its creation', async () => {
    await addPost({ slug: 'undated', published_at: null, created_at: daysAgo(3) });
    const [post] = await listLatestPosts(database.db, 1);
    expect(post?.shown_at).toEqual(daysAgo(3));
  });

  it('does not omit posts between the featured posts and the main list', async () => {
    for (const n of [1, 2, 3])
      await addPost({ slug: `featured-${n}`, is_featured: true, published_at: daysAgo(n) });
    await addPost({ slug: 'plain', published_at: daysAgo(4) });
    const featured = await listFeaturedPosts(database.db, 2);
    const rest = await listPosts(database.db, { page: 1, besides: featured.map(({ id }) => id) });
    expect(slugs(featured)).toEqual(['featured-1', 'featured-2']);
    expect(slugs(rest.posts)).toEqual(['featured-3', 'plain']);
  });

  it('paginates posts, and shows the last page for a number past the end', async () => {
    for (let n = 0; n <= postsPerPage; n++)
      await addPost({ slug: `post-${n}`, published_at: daysAgo(n) });
    expect((await listPosts(database.db, { page: 1 })).posts).toHaveLength(postsPerPage);
    const last = await listPosts(database.db, { page: 99 });
    expect(last).toMatchObject({ page: 2, pageCount: 2, total: postsPerPage + 1 });
    expect(slugs(last.posts)).toEqual([`post-${postsPerPage}`]);
  });
});

describe('one post', () => {
  it('finds a post by its slug, with its content', async () => {
    await addPost({ slug: 'guide', content: '<p>Read me</p>', read_time: 7 });
    expect(await findPostBySlug(database.db, 'guide')).toMatchObject({
      content: '<p>Read me</p>',
      read_time: 7,
    });
    expect(await findPostBySlug(database.db, 'nothing')).toBeNull();
  });

  it('finds a post by a former slug', async () => {
    const id = await addPost({ slug: 'before' });
    await database.db
      .updateTable('blog_posts')
      .set({ slug: 'after' })
      .where('id', '=', id)
      .execute();
    expect(await findPostRedirect(database.db, 'before')).toBe('after');
    expect(await findPostRedirect(database.db, 'never')).toBeNull();
  });
});

describe('related posts', () => {
  it('lists related posts by shared tags first, then the newest, and never the post itself', async () => {
    const id = await addPost({ slug: 'this', tags: ['Audio', 'Guides'], published_at: daysAgo(1) });
    await addPost({ slug: 'both', tags: ['Guides', 'Audio'], published_at: daysAgo(9) });
    await addPost({ slug: 'one', tags: ['Audio'], published_at: daysAgo(8) });
    await addPost({ slug: 'none', tags: ['Kitchen'], published_at: daysAgo(2) });
    const related = await listRelatedPosts(database.db, { id, tags: ['Audio', 'Guides'] }, 3);
    expect(slugs(related)).toEqual(['both', 'one', 'none']);
  });

  it('lists the newest posts as related to a post without tags', async () => {
    const id = await addPost({ slug: 'this', tags: [] });
    await addPost({ slug: 'older', published_at: daysAgo(3) });
    await addPost({ slug: 'newer', published_at: daysAgo(2) });
    expect(slugs(await listRelatedPosts(database.db, { id, tags: [] }, 3))).toEqual([
      'newer',
      'older',
    ]);
  });
});

describe('posts of a tag', () => {
  it('finds posts by a tag in any letter case, and shows the tag as written', async () => {
    await addPost({ slug: 'a', tags: ['Price history'] });
    await addPost({ slug: 'b', tags: ['Kitchen'] });
    const found = await listPostsByTag(database.db, 'price HISTORY');
    expect(found?.tag).toBe('Price history');
    expect(slugs(found?.posts ?? [])).toEqual(['a']);
  });

  it('finds no post for an unused tag', async () => {
    await addPost({ slug: 'a', tags: ['Kitchen'] });
    expect(await listPostsByTag(database.db, 'Kit%')).toBeNull();
  });
});

async function addPost(
  fields: Partial<Insertable<Database['blog_posts']>> & { slug: string },
): Promise<number> {
  const { id } = await database.db
    .insertInto('blog_posts')
    .values({ title: fields.slug, is_published: true, published_at: daysAgo(7), ...fields })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A fixed time within this file, so that ages can be compared. */
const start = Date.now();
function daysAgo(days: number): Date {
  return new Date(start - days * day);
}

function slugs(posts: { slug: string }[]): string[] {
  return posts.map(({ slug }) => slug);
}

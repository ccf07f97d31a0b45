import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import {
  findPostBySlug,
  listFeaturedPosts,
  listLatestPosts,
  listPostAddresses,
  listPosts,
  listPostsByTag,
  listPostsForFeed,
  listRelatedPosts,
  postsPerPage,
} from './blog-queries.server.ts';

// Compares the pages, feeds and sitemaps with a naive implementation of the rules, for random
// posts.

const database = useTestDatabase();
const day = 86_400_000;

interface Post {
  id: number;
  slug: string;
  isPublished: boolean;
  isFeatured: boolean;
  /** Days ago, negative in the future. `null` for none. */
  publishedAgo: number | null;
  createdAgo: number;
  tags: string[];
}

const aPost = fc.record({
  isPublished: fc.constantFrom(true, true, true, false),
  isFeatured: fc.constantFrom(false, false, true),
  publishedAgo: fc.option(fc.constantFrom(-3, -1, 1, 2, 5, 5, 9)),
  createdAgo: fc.constantFrom(1, 3, 5, 8),
  tags: fc.uniqueArray(fc.constantFrom('Audio', 'audio', 'Kitchen', 'C & D', '100%', 'a_b'), {
    maxLength: 3,
  }),
});

const posts = fc
  .array(aPost, { maxLength: 40 })
  .map((list) => list.map((post, n): Post => ({ ...post, id: n + 1, slug: `post-${n + 1}` })));

async function store(list: readonly Post[]): Promise<void> {
  await sql`truncate blog_posts restart identity cascade`.execute(database.db);
  const now = Date.now();
  if (list.length === 0) return;
  await database.db
    .insertInto('blog_posts')
    .values(
      list.map((post) => ({
        title: post.slug,
        slug: post.slug,
        is_published: post.isPublished,
        is_featured: post.isFeatured,
        published_at: post.publishedAgo === null ? null : new Date(now - post.publishedAgo * day),
        created_at: new Date(now - post.createdAgo * day),
        tags: post.tags,
      })),
    )
    .execute();
}

const isShown = ({ isPublished, publishedAgo }: Post) =>
  isPublished && (publishedAgo === null || publishedAgo > 0);
const age = ({ publishedAgo, createdAgo }: Post) => publishedAgo ?? createdAgo;
const newest = (a: Post, b: Post) => age(a) - age(b) || b.id - a.id;
const shownOf = (list: readonly Post[]) => list.filter(isShown).toSorted(newest);
const slugs = (list: readonly { slug: string }[]) => list.map(({ slug }) => slug);

test('lists featured, paginated, newest and feed posts like a naive query, each once in the blog', async () => {
  await fc.assert(
    fc.asyncProperty(posts, fc.integer({ min: 0, max: 3 }), async (list, featuredCount) => {
      await store(list);
      const { db } = database;
      const shown = shownOf(list);
      expect(slugs(await listLatestPosts(db, 3))).toEqual(slugs(shown.slice(0, 3)));
      expect(slugs(await listPostsForFeed(db, 20))).toEqual(slugs(shown.slice(0, 20)));
      const featured = await listFeaturedPosts(db, featuredCount);
      const expectedFeatured = shown.filter(({ isFeatured }) => isFeatured).slice(0, featuredCount);
      expect(slugs(featured)).toEqual(slugs(expectedFeatured));

      const besides = featured.map(({ id }) => id);
      const rest = shown.filter(({ slug }) => !slugs(featured).includes(slug));
      const first = await listPosts(db, { page: 1, besides });
      const listed = [...first.posts];
      for (let page = 2; page <= first.pageCount; page += 1) {
        listed.push(...(await listPosts(db, { page, besides })).posts);
      }
      expect(slugs(listed)).toEqual(slugs(rest));
      expect(first.total).toBe(rest.length);
      expect(first.pageCount).toBe(Math.max(1, Math.ceil(rest.length / postsPerPage)));
      const addresses = slugs(await listPostAddresses(db, 100));
      expect(addresses.toSorted()).toEqual(slugs(shown).toSorted());
    }),
    { numRuns: 50 },
  );
});

test('finds each visible post by URL, but no draft or future post', async () => {
  await fc.assert(
    fc.asyncProperty(posts, async (list) => {
      await store(list);
      for (const post of list.slice(0, 12)) {
        const found = await findPostBySlug(database.db, post.slug);
        expect([post.slug, found?.slug ?? null]).toEqual([
          post.slug,
          isShown(post) ? post.slug : null,
        ]);
      }
    }),
    { numRuns: 20 },
  );
});

test('finds posts by tag in any case and by similarity, but never a draft or the post itself', async () => {
  await fc.assert(
    fc.asyncProperty(
      posts,
      fc.constantFrom('audio', 'AUDIO', 'c & d', '100%', '%', 'a_b', 'aXb'),
      async (list, tag) => {
        await store(list);
        const { db } = database;
        const shown = shownOf(list);
        const tagged = shown.filter(({ tags }) =>
          tags.some((own) => own.toLowerCase() === tag.toLowerCase()),
        );
        const found = await listPostsByTag(db, tag);
        expect(slugs(found?.posts ?? [])).toEqual(slugs(tagged));
        const written = tagged[0]?.tags.map((own) => own.toLowerCase());
        expect(found === null).toBe(written === undefined);
        expect(found?.tag.toLowerCase() ?? tag.toLowerCase()).toBe(tag.toLowerCase());

        const [post] = shown;
        const shared = (other: Post) => other.tags.filter((own) => post?.tags.includes(own)).length;
        const nearest = shown
          .filter(({ id }) => id !== post?.id)
          .toSorted((a, b) => shared(b) - shared(a) || newest(a, b))
          .slice(0, 3);
        const related = post ? await listRelatedPosts(db, post, 3) : [];
        expect(slugs(related)).toEqual(slugs(nearest));
      },
    ),
    { numRuns: 50 },
  );
});

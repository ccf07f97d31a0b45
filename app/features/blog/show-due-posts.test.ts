import { expect, test } from 'vitest';
import { insertBlogPost } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { findPostBySlug, listLatestPosts } from './blog-queries.server.ts';
import { showDuePosts } from './show-due-posts-job.server.ts';

const database = useTestDatabase();

/** Returns the invalidations sent during `act`. */
async function notificationsDuring(act: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const client = await database.pool.connect();
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await client.query('listen pages');
  await act();
  // The query's response arrives after all earlier notifications.
  await client.query('select 1');
  await client.query('unlisten pages');
  client.release(true);
  return heard;
}

const isDue = async (slug: string) =>
  (
    await database.db
      .selectFrom('blog_posts')
      .select('is_due')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
  ).is_due;

/** Simulates that a scheduled post became due without any write. */
async function letTimePass(slug: string): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query("set local session_replication_role = 'replica'");
    await client.query(
      "update blog_posts set published_at = now() - interval '1 minute' where slug = $1",
      [slug],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

test('invalidates cached pages once when a scheduled post becomes due', async () => {
  await insertBlogPost(database.db, { slug: 'planned', published_at: new Date('2090-01-01') });
  expect(await isDue('planned')).toBe(false);
  expect(await notificationsDuring(() => showDuePosts(database.db))).toEqual([]);
  expect(await findPostBySlug(database.db, 'planned')).toBeNull();

  await letTimePass('planned');
  // The date alone makes the post visible; the job only sends the invalidation.
  expect(await findPostBySlug(database.db, 'planned')).not.toBeNull();
  expect(await notificationsDuring(() => showDuePosts(database.db))).toEqual(['old blog']);
  expect(await isDue('planned')).toBe(true);
  expect(await notificationsDuring(() => showDuePosts(database.db))).toEqual([]);
  expect(await listLatestPosts(database.db, 3)).toMatchObject([{ slug: 'planned' }]);
});

test('marks a post with a past date, or none, as due from the start', async () => {
  await insertBlogPost(database.db, { slug: 'past' });
  await insertBlogPost(database.db, { slug: 'undated', published_at: null });
  expect([await isDue('past'), await isDue('undated')]).toEqual([true, true]);
});

import type { Db } from '#database/connect.ts';

/**
 * Marks posts whose day has come. Readers find them by their time alone; the mark makes every process forget the pages
 * of the blog it kept from before.
 */
export async function showDuePosts(db: Db): Promise<void> {
  const isAnyDue = await db
    .selectFrom('blog_posts')
    .select('id')
    .where('is_due', '=', false)
    .where('published_at', '<=', (post) => post.fn<Date>('now'))
    .limit(1)
    .executeTakeFirst();
  // Every update is announced, an empty one too: pages are not dropped each minute for nothing.
  if (!isAnyDue) return;
  await db
    .updateTable('blog_posts')
    .set({ is_due: true })
    .where('is_due', '=', false)
    .where('published_at', '<=', (post) => post.fn<Date>('now'))
    .execute();
}

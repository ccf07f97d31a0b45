import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/**
 * Marks posts whose day has come. Readers find them by their date alone; the mark makes every process drop the blog
 * pages it kept.
 */
export async function showDuePosts(db: Db): Promise<void> {
  // Every update is announced, an empty one too: pages are not dropped each minute for nothing.
  const isDue = sql`not is_due and published_at <= now()`;
  if (!(await ask(db).row`select id from blog_posts where ${isDue} limit 1`)) return;
  await sql`update blog_posts set is_due = true where ${isDue}`.execute(db);
}

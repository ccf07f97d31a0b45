import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/**
 * Flags posts that have become due. Queries check the date themselves. The flag makes every process
 * invalidate its cached blog pages.
 */
export async function showDuePosts(db: Db): Promise<void> {
  // The query comes first, since even an empty update would notify all processes and invalidate
  // pages every minute.
  const isDue = sql`not is_due and published_at <= now()`;
  if (!(await ask(db).row`select id from blog_posts where ${isDue} limit 1`)) return;
  await sql`update blog_posts set is_due = true where ${isDue}`.execute(db);
}

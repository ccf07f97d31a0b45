import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { listenForPageChanges, type PageInvalidation } from '#server/page-invalidation.ts';

const database = useTestDatabase();
let news: PageInvalidation | undefined;
afterEach(() => news?.stop());

function listen() {
  const heard: string[] = [];
  const listener = {
    empty: (tags: readonly string[]) => void heard.push(tags.join(' ')),
    trust: (isTrusted: boolean) => void heard.push(isTrusted ? 'trusted' : 'distrusted'),
  };
  news = listenForPageChanges(database.url, listener, createLog('silent'));
  return heard;
}

it('hears what a committed change touches, and empties everything at the start', async () => {
  const heard = listen();
  await expect.poll(() => heard).toEqual(['distrusted', 'all', 'trusted']);
  await sql`select pg_notify('pages', 'deals deal:7')`.execute(database.db);
  await expect.poll(() => heard.at(-1)).toBe('deals deal:7');
});

it('empties everything when the line was cut and is back', async () => {
  const heard = listen();
  await expect.poll(() => heard.at(-1)).toBe('trusted');
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'deal-hub pages' and datname = current_database()`.execute(
    database.db,
  );
  await expect
    .poll(() => heard.slice(3), { timeout: 10_000 })
    .toEqual(['distrusted', 'all', 'trusted']);
});

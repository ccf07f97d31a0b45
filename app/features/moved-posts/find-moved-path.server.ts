import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** The parameters of WordPress links with a number, such as `/?p=12`. */
export const oldNumberParameters = ['p', 'page_id'] as const;

/**
 * Returns the path of the imported post, page or deal that an old link refers to by number, or
 * null.
 */
export async function findMovedPath(db: Db, search: URLSearchParams): Promise<string | null> {
  const id = oldNumberParameters.map((name) => search.get(name)).find((value) => value !== null);
  if (!id || !/^\d{1,18}$/.test(id)) return null;
  return ask(db).value<string>`
    select path from (
      select i.id, case i.kind
               when 'post' then (select '/blog/' || slug from blog_posts
                                  where id = i.row_id and is_published and published_at <= now())
               when 'page' then (select '/' || slug from site_pages where id = i.row_id and is_visible)
               when 'deal' then (select '/deals/' || slug from deals where id = i.row_id and is_active) end as path
        from post_move_items i
       where i.old_id = ${id} and i.outcome in ('moved', 'kept')) found
     where path is not null order by id limit 1`;
}

import { sql } from 'kysely';
import { errorCode } from '#database/error-code.ts';
import { ask } from '#database/ask.ts';
import { fold } from '#app/platform/fold.ts';
import type { Db } from '#database/connect.ts';
import { wordsOfPath } from './find-typed-address.server.ts';
import type { NearAddress } from './near-address.ts';

/**
 * The minimum similarity of two URLs, from 0 to 1. Less would be a guess, and a wrong guess is
 * worse than none.
 */
const closeEnough = 0.5;
const shortest = 4;
const longest = 100;
const patienceInMs = 300;
const canceled = '57014';

/**
 * Returns the deal, store, category or article with the most similar name, or `null` if none is
 * close. The query uses trigram indexes and takes at most 300 ms, since the suggestion is only a
 * courtesy on an error page.
 */
export async function findNearAddress(db: Db, pathname: string): Promise<NearAddress | null> {
  const words = wordsOfPath(fold(pathname.split('/').findLast(Boolean) ?? ''));
  if (words.length < shortest || words.length > longest) return null;
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(patienceInMs)}, true),
        set_config('pg_trgm.similarity_threshold', ${String(closeEnough)}, true)`.execute(tx);
      return ask(tx).row<NearAddress>`
        select path, title from (
          (select '/deals/' || d.slug as path, d.title, likeness
             from (select deal_id, similarity(title, ${words}) as likeness
                     from deal_texts where title % ${words} and is_active and not is_expired
                    order by likeness desc, deal_id limit 1) nearest
             join deals d on d.id = deal_id)
          union all
          (select '/categories/' || slug, name, similarity(fold(name), ${words}) + 0.01 as likeness
             from categories where fold(name) % ${words} order by likeness desc, id limit 1)
          union all
          (select '/merchants/' || slug, name, similarity(fold(name), ${words}) + 0.01 as likeness
             from merchants where fold(name) % ${words} order by likeness desc, id limit 1)
          union all
          (select '/blog/' || slug, title, similarity(fold(title), ${words}) as likeness
             from blog_posts
            where fold(title) % ${words} and is_published and (published_at is null or published_at <= now())
            order by likeness desc, id limit 1)
        ) near order by likeness desc, path limit 1`;
    });
  } catch (error) {
    if (errorCode(error) === canceled) return null;
    throw error;
  }
}

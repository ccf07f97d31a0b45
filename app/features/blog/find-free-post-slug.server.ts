import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { firstFreeSlug, slugify } from '#app/platform/slug.ts';

/** The title's slug, made unique (P6). Slugs other posts once had stay theirs: old links go on leading there. */
export async function findFreePostSlug(db: Db, title: string): Promise<string> {
  const base = slugify(title) || 'post';
  const isNear = sql`(slug = ${base} or slug like ${`${base}-%`})`;
  const taken = await ask(db).column<string>`
    select slug from blog_posts where ${isNear}
    union all
    select slug from slug_redirects where kind = 'blog_post' and ${isNear}`;
  return firstFreeSlug(base, new Set(taken));
}

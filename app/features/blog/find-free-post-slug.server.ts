import type { Db } from '#database/connect.ts';
import { firstFreeSlug, slugify } from '#app/platform/slug.ts';

/** The title's slug, made unique (P6). Slugs other posts once had stay theirs: old links go on leading there. */
export async function findFreePostSlug(db: Db, title: string): Promise<string> {
  const base = slugify(title) || 'post';
  const near = `${base}-%`;
  const rows = await db
    .selectFrom('blog_posts')
    .select('slug')
    .where((post) => post.or([post('slug', '=', base), post('slug', 'like', near)]))
    .unionAll(
      db
        .selectFrom('slug_redirects')
        .select('slug')
        .where('kind', '=', 'blog_post')
        .where((old) => old.or([old('slug', '=', base), old('slug', 'like', near)])),
    )
    .execute();
  return firstFreeSlug(base, new Set(rows.map(({ slug }) => slug)));
}

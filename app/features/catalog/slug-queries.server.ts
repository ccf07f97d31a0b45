import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { firstFreeSlug, mayBeSlug } from '#database/slug.ts';

type Table = 'categories' | 'merchants';
const kinds = {
  categories: 'category',
  merchants: 'merchant',
  deals: 'deal',
  blog_posts: 'blog_post',
  site_pages: 'page',
} as const;

/** Returns the current slug of the category or merchant that once had this one, or `null`. */
export async function findPresentSlug(db: Db, table: Table, slug: string) {
  if (!mayBeSlug(slug)) return null;
  return ask(db).value<string>`
    select present.slug from slug_redirects r join ${sql.table(table)} present on present.id = r.target_id
     where r.kind = ${kinds[table]} and r.slug = ${slug}`;
}

/**
 * Returns slugs of all categories or merchants with the time of their last change, for the sitemap.
 */
export function listAddresses(db: Db, table: Table, limit: number) {
  return ask(db).rows<{ slug: string; updated_at: Date }>`
    select slug, updated_at from ${sql.table(table)} where not noindex order by id limit ${limit}`;
}

/**
 * Returns the first free slug of `base`, `base-2`, `base-3` … Former slugs of other rows are not
 * free, since old links use them. If two writers find the same slug, the unique index decides.
 */
export async function findFreeSlug(
  db: Db,
  table: keyof typeof kinds,
  base: string,
  ownId: number | null = null,
): Promise<string> {
  const isNear = sql`(slug = ${base} or slug like ${`${base}-%`})`;
  const taken = await ask(db).column<string>`
    select slug from ${sql.table(table)} where ${isNear} and id is distinct from ${ownId}::bigint
    union all
    select slug from slug_redirects
     where kind = ${kinds[table]} and ${isNear} and target_id is distinct from ${ownId}::bigint`;
  return firstFreeSlug(base, new Set(taken));
}

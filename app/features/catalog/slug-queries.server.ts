import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

type Table = 'categories' | 'merchants';
const kinds = { categories: 'category', merchants: 'merchant' } as const;

/** The present slug of the category or merchant that once had this one (P6), or null. */
export function findPresentSlug(db: Db, table: Table, slug: string) {
  return ask(db).value<string>`
    select present.slug from slug_redirects r join ${sql.table(table)} present on present.id = r.target_id
     where r.kind = ${kinds[table]} and r.slug = ${slug}`;
}

/** Slugs of all categories or merchants with the time of their last change, for the sitemap. */
export function listAddresses(db: Db, table: Table, limit: number) {
  return ask(db).rows<{ slug: string; updated_at: Date }>`
    select slug, updated_at from ${sql.table(table)} order by id limit ${limit}`;
}

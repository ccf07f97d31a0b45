import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { firstFreeSlug, slugify } from '#app/platform/slug.ts';

/**
 * The slug wished for, or the title's, made unique (P6). Slugs that other deals once had count as taken:
 * their old links go on leading to them. Two writers may still find the same one; the unique index decides.
 */
export async function findFreeDealSlug(
  db: Db,
  wanted: { slug: string; title: string },
  ownId: number | null = null,
): Promise<string> {
  // Only digits would read as a deal's id in its address.
  const wish = slugify(wanted.slug) || slugify(wanted.title) || 'deal';
  const base = /^\d+$/.test(wish) ? `deal-${wish}` : wish;
  const { rows } = await sql<{ slug: string }>`
    select slug from deals
     where (slug = ${base} or slug like ${`${base}-%`}) and id is distinct from ${ownId}::bigint
    union all
    select slug from slug_redirects
     where kind = 'deal' and (slug = ${base} or slug like ${`${base}-%`})
       and target_id is distinct from ${ownId}::bigint`.execute(db);
  return firstFreeSlug(base, new Set(rows.map((row) => row.slug)));
}

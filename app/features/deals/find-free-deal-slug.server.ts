import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { firstFreeSlug, slugify } from '#app/platform/slug.ts';

/**
 * The wished slug, or the title's, made unique (P6). Slugs that other deals once had count as taken, since their old
 * links still lead there. Two writers may find the same one: the unique index decides.
 */
export async function findFreeDealSlug(
  db: Db,
  wanted: { slug: string; title: string },
  ownId: number | null = null,
): Promise<string> {
  // Only digits would read as a deal's id in its address.
  const wish = slugify(wanted.slug) || slugify(wanted.title) || 'deal';
  const base = /^\d+$/.test(wish) ? `deal-${wish}` : wish;
  const isNear = sql`(slug = ${base} or slug like ${`${base}-%`})`;
  const taken = await ask(db).column<string>`
    select slug from deals where ${isNear} and id is distinct from ${ownId}::bigint
    union all
    select slug from slug_redirects
     where kind = 'deal' and ${isNear} and target_id is distinct from ${ownId}::bigint`;
  return firstFreeSlug(base, new Set(taken));
}

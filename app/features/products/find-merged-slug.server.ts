import { ask } from '#database/ask.ts';
import { mayBeSlug } from '#database/slug.ts';
import type { Db } from '#database/connect.ts';

/** Returns the slug of the product that another one was merged into, or `null`. */
export async function findMergedSlug(db: Db, slug: string): Promise<string | null> {
  if (!mayBeSlug(slug)) return null;
  return ask(db).value<string>`
    select n.slug from products p join products n on n.id = current_product(p.id)
     where p.slug = ${slug} and p.merged_into is not null`;
}

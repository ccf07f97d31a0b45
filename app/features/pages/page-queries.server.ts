import type { Selectable } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { isSitePath } from '#app/features/catalog/live-paths.server.ts';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import { mayBeSlug } from '#database/slug.ts';
import { textNames } from './site-texts.ts';

const columns = ['slug', 'title', 'intro', 'content', 'updated_at', ...searchColumns] as const;

type Page = Pick<Selectable<Database['site_pages']>, (typeof columns)[number]>;

/** Returns the replacements of built-in texts. */
export function listStoredTexts(db: Db): Promise<Page[]> {
  return db.selectFrom('site_pages').select(columns).where('slug', 'in', textNames).execute();
}

/**
 * Returns one of the owner's visible pages, or `null`. Visitors cannot distinguish a draft from a
 * missing page.
 */
export async function findOwnPage(db: Db, slug: string): Promise<Page | null> {
  if (!mayBeSlug(slug)) return null;
  return (await visible(db).select(columns).where('slug', '=', slug).executeTakeFirst()) ?? null;
}

/** Returns the current slug of a visible page that once had this one, or `null`. */
export async function findPageRedirect(db: Db, slug: string): Promise<string | null> {
  if (!mayBeSlug(slug)) return null;
  const found = await visible(db)
    .innerJoin('slug_redirects as r', 'r.target_id', 'site_pages.id')
    .where('r.kind', '=', 'page')
    .where('r.slug', '=', slug)
    .select('site_pages.slug')
    .executeTakeFirst();
  return found?.slug ?? null;
}

/**
 * Returns visible pages that search engines may list, for the sitemap and `llms.txt`. Pages at a
 * URL that the site now uses itself are unreachable and excluded.
 */
export async function listPageAddresses(db: Db, limit: number) {
  const pages = await visible(db)
    .where('noindex', '=', false)
    .select(['slug', 'title', 'intro', 'updated_at'])
    .orderBy('id')
    .limit(limit)
    .execute();
  return pages.filter(({ slug }) => !isSitePath(`/${slug}`));
}

/** Returns the slugs of the site's texts that are hidden from search engines. */
export async function listHiddenTexts(db: Db): Promise<string[]> {
  const hidden = db.selectFrom('site_pages').select('slug').where('slug', 'in', textNames);
  return (await hidden.where('noindex', '=', true).execute()).map(({ slug }) => slug);
}

/** Selects the owner's own pages, without the site's texts. */
function visible(db: Db) {
  return db
    .selectFrom('site_pages')
    .where('is_visible', '=', true)
    .where('site_pages.slug', 'not in', textNames);
}

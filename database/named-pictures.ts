import type { AskRows } from '#database/media-store.ts';
import { isCopiedPicture } from '#database/is-copied-picture.ts';

/**
 * Columns that contain picture names, by table. A database before an upgrade may lack the newer
 * tables.
 */
const texts = {
  deals: `select image_url from deals where image_url like '/media/%'`,
  // A database before an upgrade may also lack the newer columns.
  merchants: `select unnest(array[logo_url, to_jsonb(merchants) ->> 'share_image_url']) from merchants`,
  categories: `select to_jsonb(categories) ->> 'share_image_url' from categories`,
  blog_posts: `select featured_image_url from blog_posts where featured_image_url like '/media/%'
    union all select content from blog_posts where content like '%/media/%'`,
  site_settings: `select value::text from site_settings where name in ('logoUrl', 'logoDarkUrl', 'iconUrl', 'homeBlock')`,
  site_pages: `select content from site_pages where content like '%/media/%'
    union all select intro from site_pages where intro like '%/media/%'`,
  slots: `select picture_url from slots where picture_url like '/media/%'`,
  newsletters: `select content from newsletters where content like '%/media/%'`,
  library_pictures: `select '/media/' || unnest(files) from library_pictures`,
  deleted_row_parts: `select '/media/' || jsonb_array_elements_text(kept #> '{0,files}')
     from deleted_row_parts where from_table = 'library_pictures'
    union all select kept::text from deleted_row_parts where kept::text like '%/media/%'`,
  deleted_deals: `select to_jsonb(d) #>> '{snapshot,deals,0,image_url}' from deleted_deals d`,
};

/**
 * Returns the names of stored pictures that pages or the media library show. Excludes copies of
 * stores' pictures, which can be downloaded again.
 */
export async function namedPictures(ask: AskRows): Promise<string[]> {
  const existing = await ask<{ name: keyof typeof texts }>(
    'select name from unnest($1::text[]) name where to_regclass(name) is not null',
    [Object.keys(texts)],
  );
  const all = existing.map(({ name }) => texts[name]).join('\nunion all ');
  const rows = await ask<{ name: string }>(
    `select distinct (regexp_matches(shown, '/media/([a-z0-9/-]+\\.[a-z]+)', 'g'))[1] as name
       from (${all}) as texts (shown) order by 1`,
    [],
  );
  return rows.map(({ name }) => name).filter((name) => !isCopiedPicture(name));
}

/** Returns the message to the owner about pictures that are missing from a backup. */
export function describeMissing(missing: readonly string[]): string {
  const [which, are] =
    missing.length === 1 ? ['picture that pages show', 'is'] : ['pictures that pages show', 'are'];
  const more = missing.length > 5 ? ' and more' : '';
  return `${missing.length} ${which} ${are} not in it, since this server does not reach ${missing.length === 1 ? 'it' : 'them'}: ${missing.slice(0, 5).join(', ')}${more}. docs/operations.md, “Pictures on every machine”.`;
}

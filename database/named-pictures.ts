import type { AskRows } from '#database/media-store.ts';
import { isCopiedPicture } from '#database/is-copied-picture.ts';

/**
 * Returns the names of stored pictures that pages or the media library show, except copies of stores' pictures, which
 * can be made again.
 */
export async function namedPictures(ask: AskRows): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    `select distinct (regexp_matches(shown, '/media/([a-z0-9/-]+\\.[a-z]+)', 'g'))[1] as name
       from (select image_url from deals where image_url like '/media/%'
             union all select logo_url from merchants where logo_url like '/media/%'
             union all select share_image_url from merchants where share_image_url like '/media/%'
             union all select share_image_url from categories where share_image_url like '/media/%'
             union all select featured_image_url from blog_posts where featured_image_url like '/media/%'
             union all select content from blog_posts where content like '%/media/%'
             union all select intro || content from site_pages
               where intro like '%/media/%' or content like '%/media/%'
             union all select content from newsletters where content like '%/media/%'
             union all select value::text from site_settings
               where name in ('logoUrl', 'logoDarkUrl', 'iconUrl')
             union all select kept::text from deleted_row_parts where kept::text like '%/media/%'
             union all select snapshot #>> '{deals,0,image_url}' from deleted_deals
               where snapshot #>> '{deals,0,image_url}' like '/media/%'
             union all select '/media/' || unnest(files) from library_pictures
             union all select '/media/' || jsonb_array_elements_text(kept #> '{0,files}')
               from deleted_row_parts where from_table = 'library_pictures') as texts (shown)
      order by 1`,
    [],
  );
  return rows.map(({ name }) => name).filter((name) => !isCopiedPicture(name));
}

/** Returns the owner's message about pictures that a backup lacks. */
export function describeMissing(missing: readonly string[]): string {
  const [which, are] =
    missing.length === 1 ? ['picture that pages show', 'is'] : ['pictures that pages show', 'are'];
  const more = missing.length > 5 ? ' and more' : '';
  return `${missing.length} ${which} ${are} not in it, since this server does not reach ${missing.length === 1 ? 'it' : 'them'}: ${missing.slice(0, 5).join(', ')}${more}. docs/operations.md, “Pictures on every machine”.`;
}

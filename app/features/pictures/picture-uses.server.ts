import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** A place that shows a library picture. */
export interface PictureUse {
  kind: 'deal' | 'merchant' | 'category' | 'post' | 'page' | 'slot' | 'newsletter' | 'setting';
  /** The row's id, or the name of a setting. */
  id: string;
  name: string;
}

export interface PictureUses {
  total: number;
  /** The first of these places. */
  first: PictureUse[];
}

const inText = sql.lit('%/media/library/%');
// This must be equal to the condition of the index on deals.
const inAddress = sql.lit('/media/library/%');
const pattern = sql.lit('/media/library/([0-9a-f]+)-');

/** Selects the pictures in a column that contains one address. */
function ofAddress(kind: PictureUse['kind'], table: string, column: string, name: string) {
  const address = sql.ref(column);
  return sql`select substring(${address} from ${pattern}) as hash, ${sql.lit(kind)} as kind, id::text as id, ${sql.ref(name)} as name
      from ${sql.table(table)} where ${address} like ${inAddress}`;
}

/** Selects the pictures in a text column, which may contain any number of addresses. */
function ofText(kind: PictureUse['kind'], table: string, column: string, name: string) {
  const text = sql.ref(column);
  return sql`select found[1], ${sql.lit(kind)}, id::text, ${sql.ref(name)}
      from ${sql.table(table)}, regexp_matches(${text}, ${pattern}, 'g') as found where ${text} like ${inText}`;
}

/** All places that may show library pictures. Columns of a new kind of place must be added here. */
const places: readonly RawBuilder<unknown>[] = [
  ofAddress('deal', 'deals', 'image_url', 'title'),
  ofAddress('merchant', 'merchants', 'logo_url', 'name'),
  ofAddress('merchant', 'merchants', 'share_image_url', 'name'),
  ofAddress('category', 'categories', 'share_image_url', 'name'),
  ofAddress('post', 'blog_posts', 'featured_image_url', 'title'),
  ofText('post', 'blog_posts', 'content', 'title'),
  ofText('page', 'site_pages', 'intro', 'title'),
  ofText('page', 'site_pages', 'content', 'title'),
  ofAddress('slot', 'slots', 'picture_url', 'title'),
  ofText('newsletter', 'newsletters', 'content', 'subject'),
  sql`select found[1], 'setting', s.name, s.name
      from site_settings s, regexp_matches(s.value::text, ${pattern}, 'g') as found
     where s.value::text like ${inText}`,
];

/** All places as rows of `hash`, `kind`, `id` and `name`. */
export const everyUse = sql`(${sql.join(places, sql` union `)})`;

/** Returns the hashes of pictures that deleted rows show, since these rows may be restored. */
export const findPicturesInTrash = (db: Db) => ask(db).column<string>`
  select distinct found[1]
    from (select kept::text from deleted_row_parts
          union all select snapshot #>> '{deals,0,image_url}' from deleted_deals) as deleted (text),
         regexp_matches(text, ${pattern}, 'g') as found
   where text like ${inText}`;

/** Returns the places where these pictures are shown, by hash. Unused pictures are absent. */
export async function findPictureUses(
  db: Db,
  hashes: readonly string[],
  most = 20,
): Promise<Map<string, PictureUses>> {
  if (hashes.length === 0) return new Map();
  const rows = await ask(db).rows<PictureUse & { hash: string; total: number }>`
    select hash, kind, id, name, total
      from (select u.*, count(*) over (partition by hash) as total,
                   row_number() over (partition by hash order by kind, name, id) as place
              from ${everyUse} as u where hash = any(${hashes})) numbered
     where place <= ${most} order by hash, place`;
  const uses = new Map<string, PictureUses>();
  for (const { hash, total, ...use } of rows) {
    const found = uses.get(hash) ?? { total, first: [] };
    found.first.push(use);
    uses.set(hash, found);
  }
  return uses;
}

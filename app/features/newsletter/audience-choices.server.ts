import { listCategories } from '#app/features/categories/category-queries.server.ts';
import type { Newsletter } from './managed-newsletter-queries.server.ts';
import { listSendableLists } from './newsletter-lists.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

interface Option {
  value: string;
  label: string;
}

/** The lists, categories and stores to which a newsletter can be sent. */
export interface AudienceChoices {
  lists: Option[];
  categories: Option[];
  stores: Option[];
}

/**
 * The maximum number of stores to offer. Stores with fewer deals are rarely followed, and a longer
 * select is unusable.
 */
const mostStores = 500;

export async function readAudienceChoices(db: Db): Promise<AudienceChoices> {
  const [lists, categories, stores] = await Promise.all([
    listSendableLists(db),
    listCategories(db),
    ask(db).rows<{ id: number; name: string }>`
      select id, name from (select id, name from merchants order by deal_count desc, id limit ${mostStores}) m
       order by lower(name), id`,
  ]);
  const optionsFrom = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: String(id), label: name }));
  return {
    lists: optionsFrom(lists),
    categories: optionsFrom(categories),
    stores: optionsFrom(stores),
  };
}

/**
 * Returns the names that describe a newsletter's audience. The list is `null` if the site has only
 * one.
 */
export async function nameAudience(
  db: Db,
  { list_id, audience_category_id, audience_merchant_id }: Newsletter,
): Promise<{ list: string | null; segment: string[] }> {
  const names = await ask(db).row<Record<'list' | 'category' | 'store', string | null>>`
    select (select name from newsletter_lists where id = ${list_id}
               and (select count(*) from newsletter_lists where automatic is null) > 1) as list,
           (select name from categories where id = ${audience_category_id}) as category,
           (select name from merchants where id = ${audience_merchant_id}) as store`;
  const segment = [
    ...(audience_category_id === null ? [] : [names?.category ?? 'a deleted category']),
    ...(audience_merchant_id === null ? [] : [names?.store ?? 'a deleted store']),
  ];
  return { list: names?.list ?? null, segment };
}

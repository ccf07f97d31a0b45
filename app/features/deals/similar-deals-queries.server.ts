import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { liveScope } from './deal-conditions.server.ts';
import { type DealSummary, listDealsByIds } from './deal-list-queries.server.ts';
import { newestFirst } from './deal-orders.server.ts';
import { listOnce, type ReadFirst } from './list-products-once.server.ts';

/** deals; only this many of the category's newest are compared, to limit the cost */
const similarAmong = 150;

/**
 * Returns live deals of the same category but of other products, most similar first. Similarity
 * compares title words, brand and price; ties are sorted newest first.
 */
export async function listSimilarDeals(
  db: Db,
  deal: { id: number; product_id: number | null; category: { id: number } },
  limit: number,
): Promise<DealSummary[]> {
  const read: ReadFirst = (most) => sql`
    with shown as materialized (
      select deal_texts.brand, sale_price, (
        select string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || ''':A', ' | ')::tsquery
          from unnest(ts_filter(search, '{a}'))) as words
        from deals join deal_texts on deal_id = id where id = ${deal.id}
    ), others as materialized (
      select id, product_id, sale_price, created_at from deals
       where ${liveScope} and category_id = ${deal.category.id} and id <> ${deal.id}
         and coalesce(product_id <> ${deal.product_id}, true)
       order by ${newestFirst.by} limit ${similarAmong}
    )
    select id, product_id from others join deal_texts texts on texts.deal_id = others.id, shown
     order by 5 * coalesce(ts_rank(texts.search, words), 0)
              + case when texts.brand = shown.brand then 0.3 else 0 end
              + 0.2 * least(others.sale_price, shown.sale_price) / greatest(others.sale_price, shown.sale_price) desc,
              others.created_at desc, others.id desc
     limit ${most}`;
  return listDealsByIds(db, (await listOnce(db, read, { limit })).ids);
}

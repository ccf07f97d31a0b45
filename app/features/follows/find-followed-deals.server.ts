import { type RawBuilder, sql } from 'kysely';
import {
  hasComparedPrice,
  liveScope,
  percentBelowUsual,
  shownPercent,
} from '#app/features/deals/deal-conditions.server.ts';
import { pageSize } from '#app/features/deals/deal-list-queries.server.ts';
import { newestFirst, orderOf } from '#app/features/deals/deal-orders.server.ts';
import {
  firstOf,
  listOnce,
  shownIds,
  type ReadFirst,
} from '#app/features/deals/list-products-once.server.ts';
import type { PriceClaims } from '#app/features/site-settings/site-settings.ts';
import { fold } from '#app/platform/fold.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Follow } from './follow-queries.server.ts';

/**
 * deals to rank: the newest ones of each follow, in equal shares, so that one large category is
 * neither slow nor able to fill every page
 */
const mostRanked = 1_200;
/** deals per follow; with more, the planner would sort all deals of a large store */
const mostOfOne = 240;

/** Returns the ids of the newest live deals of each follow. */
function newestOf(follows: readonly Follow[], condition: RawBuilder<boolean> = sql`true`) {
  const share = Math.min(mostOfOne, Math.ceil(mostRanked / Math.max(1, follows.length)));
  const idsOf = (kind: 'merchant' | 'category') =>
    follows.flatMap(({ target }) => (target.kind === kind ? [target.id] : []));
  const brands = follows.flatMap(({ target }) =>
    target.kind === 'brand' ? [fold(target.name)] : [],
  );
  const newest = (wanted: RawBuilder<unknown>, column: string, table: 'deals' | 'deal_texts') => {
    const id = sql.ref(table === 'deals' ? 'id' : 'deal_id');
    return sql`
      select found.id from unnest(${wanted}) followed (wanted) cross join lateral (
        select ${id} as id from ${sql.table(table)}
         where ${liveScope} and ${sql.ref(column)} = followed.wanted and ${condition}
         order by created_at desc, ${id} desc limit ${share}) found`;
  };
  return sql`
    ${newest(sql`${idsOf('merchant')}::bigint[]`, 'merchant_id', 'deals')}
    union ${newest(sql`${idsOf('category')}::bigint[]`, 'category_id', 'deals')}
    union ${newest(sql`${brands}::text[]`, 'brand', 'deal_texts')}`;
}

/**
 * Returns a page of live deals that a user follows, each product once, those furthest below their
 * usual price first. The total counts deals. A hidden price is ranked like an unknown one.
 */
export async function findFollowedDeals(
  db: Db,
  follows: readonly Follow[],
  page: number,
  priceClaims: PriceClaims,
): Promise<{ ids: number[]; total: number; pageCount: number }> {
  const found = await ask(db).row<{ ids: string[]; total: number; cards: number }>`
    with ranked as materialized (
      select id, product_id, created_at, case when ${hasComparedPrice} then ${percentBelowUsual} else 0 end as best
        from deals where id in (${newestOf(follows)})
    ), ${firstOf(sql`select id, product_id from ranked order by ${orderOf('best', priceClaims).by}`)}
    select total, total - linked + (select count(*) from firsts) as cards,
           ${shownIds(pageSize, (page - 1) * pageSize)} as ids
      from (select count(*) as total, count(product_id) as linked from ranked) counted`;
  return {
    ids: (found?.ids ?? []).map(Number),
    total: found?.total ?? 0,
    pageCount: Math.max(1, Math.ceil((found?.cards ?? 0) / pageSize)),
  };
}

/** A week that excludes `since` and includes `until`. */
export interface Week {
  since: Date;
  until: Date;
}

/**
 * Returns a week's best new deals for the email: the largest saving first and each product once, as
 * in the digest. An email is read hours later, so deals of stores that hide old prices are omitted.
 */
export async function findNewDeals(
  db: Db | Tx,
  follows: readonly Follow[],
  { since, until }: Week,
  priceClaims: PriceClaims,
  limit: number,
): Promise<number[]> {
  const isNew = sql<boolean>`created_at > ${since} and created_at <= ${until}`;
  const read: ReadFirst = (most) => sql`
    select id, product_id from deals
     where id in (${newestOf(follows, isNew)}) and availability <> 'out_of_stock'
       and merchant_id <> all(array(select m.id from merchants m where m.hide_price_after_hours is not null))
     order by ${sql.ref(shownPercent[priceClaims])} desc, ${newestFirst.by} limit ${most}`;
  return (await listOnce(db, read, { limit })).ids;
}

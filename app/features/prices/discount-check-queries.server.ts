import { type RawBuilder, sql } from 'kysely';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { oneOf, type PageParameters } from '#app/platform/page-parameters.ts';
import { pagedParameters } from '#app/platform/page-number.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import {
  type CheckedReduction,
  type ReductionList,
  reductionLists,
  type StoreCheck,
} from './discount-check.ts';

/** The URL parameters of a page of reductions. */
export const reductionParameters: PageParameters<{ list: ReductionList; page: number }> = {
  list: oneOf('show', reductionLists),
  ...pagedParameters,
};

export interface CheckedStore {
  /** `null` if the store forbids price history, or if nothing has been counted yet. */
  check: StoreCheck | null;
  reply: string | null;
  replied_at: Date | null;
}

/** Returns a store's discount check and the store's reply with one query. */
export async function findStoreCheck(db: Db, merchantId: number): Promise<CheckedStore> {
  const row = await ask(db).row<CheckedStore & StoreCheck>`
    select c.*, m.check_reply as reply, m.check_replied_at as replied_at
      from merchants m left join store_checks c on c.merchant_id = m.id and m.keep_history
     where m.id = ${merchantId}`;
  if (!row) return { check: null, reply: null, replied_at: null };
  const { reply, replied_at, ...check } = row;
  return { check: row.counted_at ? check : null, reply, replied_at };
}

/** Returns a store's discount check from the cache, for use on pages. */
export function cachedStoreCheck(services: AppServices, merchantId: number): Promise<CheckedStore> {
  const tags = [`deals:merchant:${merchantId}`];
  return cacheValue(services, `store check ${merchantId}`, tags, () =>
    findStoreCheck(services.db, merchantId),
  );
}

/** A reduction with its deal and the prices around its start. */
export interface ListedReduction extends CheckedReduction {
  deal_id: number;
  slug: string;
  title: string;
  is_active: boolean;
  price_checked_at: Date;
  hide_price_after_hours: number | null;
  /** Times in milliseconds since 1970, and prices in minor units. */
  steps: [at: number, price: number][];
}

const counted = sql`left_out is null`;
const conditions: Record<ReductionList, RawBuilder<unknown>> = {
  all: counted,
  checked: sql`${counted} and verdict in ('matches', 'smaller', 'none')`,
  matched: sql`${counted} and verdict = 'matches'`,
  smaller: sql`${counted} and verdict = 'smaller'`,
  none: sql`${counted} and verdict = 'none'`,
  raised: sql`${counted} and raised_before and verdict <> 'unknown'`,
  'never-seen': sql`${counted} and never_seen`,
  unchecked: sql`${counted} and verdict = 'unknown'`,
  'left-out': sql`left_out is not null`,
};

/** Returns a part of a list, newest first, for the 90 days before the last count. */
export function listReductions(
  db: Db,
  { merchantId, list, until }: { merchantId: number; list: ReductionList; until: Date },
  { limit, offset }: { limit: number; offset: number },
) {
  return ask(db).rows<ListedReduction>`
    select c.*, d.slug, d.title, d.is_active, greatest(d.price_checked_at, k.checked_at) as price_checked_at,
           m.hide_price_after_hours, chart.steps
      from (select * from valid_reductions
             where merchant_id = ${merchantId} and began_at >= ${until}::timestamptz - interval '90 days' and ${conditions[list]}
             order by began_at desc, deal_id desc limit ${limit} offset ${offset}) c
      join deals d on d.id = c.deal_id
      join merchants m on m.id = c.merchant_id and m.keep_history
      left join deal_price_checks k on k.deal_id = d.id
      cross join lateral (
        select coalesce(json_agg(json_build_array(epoch_ms(at), sale_price) order by at, id), '[]') as steps
          from (select l.id, l.at, l.sale_price from valid_prices l
                 where l.deal_id = c.deal_id and l.at < c.began_at + interval '7 days'
                   and l.at >= coalesce((select o.at from valid_prices o
                     where o.deal_id = c.deal_id and o.at <= c.began_at - interval '90 days'
                     order by o.at desc, o.id desc limit 1), '-infinity')
                 order by l.at desc, l.id desc limit 60) newest) chart
     order by c.began_at desc, c.deal_id desc`;
}

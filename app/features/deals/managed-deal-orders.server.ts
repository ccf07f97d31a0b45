import { type RawBuilder, sql } from 'kysely';
import type { DealsQuery, ManagedSort } from './deals-table.ts';

/** The order by clicks is found otherwise (`find-deals-by-clicks.server.ts`). */
type PartedSort = Exclude<ManagedSort, 'clicks'>;
export type PartedQuery = DealsQuery & { sort: PartedSort };

export type Key = number | boolean | string | Date;

/** In which order the back office lists deals, and by which parts of it they are counted. */
export interface Order {
  /** Within a part. Ends with the id, so that it can be walked from either end. */
  by: readonly RawBuilder<unknown>[];
  /** Never falls where the order rises: deals are counted by it, and a page is looked for where it lies alone. */
  part: RawBuilder<unknown>;
  /** The parts are merchants, in the order of their names. */
  isByName?: true;
  /** Within a part an index has this order, but not from one to the next. */
  isApart?: true;
  /** An index has all deals in this order: it leads from one part to another. */
  isWithin?: (first: Key, last: Key) => RawBuilder<unknown>;
}

// The statistics of 0056 and 0062 know how many parts there are, so that several processes count them.
const title = sql`fold(d.title) collate "C"`;
const orders: Record<PartedSort, Order> = {
  created: {
    by: [sql`d.created_at`, sql`d.id`],
    part: sql`date_bin('1 day', d.created_at, timestamptz '2000-01-01 00:00+00')`,
    isWithin: (first, last) =>
      sql`d.created_at >= ${first} and d.created_at < ${last}::timestamptz + interval '1 day'`,
  },
  title: {
    by: [title, sql`d.id`],
    part: sql`left(${title}, 1)`,
    isWithin: (first, last) =>
      sql`${title} >= ${first} and ${title} < ${last}::text || chr(1114111)`,
  },
  merchant: { by: [sql`d.id`], part: sql`d.merchant_id`, isByName: true },
  price: {
    by: [sql`d.sale_price`, sql`d.id`],
    part: sql`(ln(d.sale_price + 1) * 256)::integer`,
  },
  status: { by: [sql`d.created_at`, sql`d.id`], part: sql`d.is_active`, isApart: true },
};

/** A search is answered by the index of titles, which has no deals in the order of time. */
const searchedByStatus: Order = {
  by: [sql`d.created_at`, sql`d.id`],
  // Days of inactive deals, and behind them those of active ones.
  part: sql`(date_part('epoch', d.created_at) / 86400)::integer + d.is_active::integer * 10000000`,
};

export function orderOf({ sort, search }: PartedQuery): Order {
  return sort === 'status' && search !== '' ? searchedByStatus : orders[sort];
}

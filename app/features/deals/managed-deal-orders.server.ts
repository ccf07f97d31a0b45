import { type RawBuilder, sql } from 'kysely';
import type { DealsQuery, ManagedSort } from './deals-table.ts';

/** Sorting by clicks is implemented in `find-deals-by-clicks.server.ts`. */
type PartedSort = Exclude<ManagedSort, 'clicks'>;
export type PartedQuery = DealsQuery & { sort: PartedSort };

export type Key = number | boolean | string | Date;

/** A sort order of the admin's deals, which divides them into parts that are counted separately. */
export interface Order {
  /** The order within a part, which ends with the id, so that it can be read from either end. */
  by: readonly RawBuilder<unknown>[];
  /**
   * An expression that never decreases in this order. Counting deals by its value finds the part
   * that contains a page.
   */
  part: RawBuilder<unknown>;
  /** Set if the parts are merchants, sorted by name. */
  isByName?: true;
  /** Set if an index has this order within a part, but not across parts. */
  isApart?: true;
  /** Set if an index has all deals in this order, across parts. */
  isWithin?: (first: Key, last: Key) => RawBuilder<unknown>;
}

// Extended statistics estimate the number of parts, so that the planner uses parallel workers.
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

/** A search uses the title index, which is not sorted by time. */
const searchedByStatus: Order = {
  by: [sql`d.created_at`, sql`d.id`],
  // Sorts the days of inactive deals before those of active ones.
  part: sql`(date_part('epoch', d.created_at) / 86400)::integer + d.is_active::integer * 10000000`,
};

export function orderOf({ sort, search }: PartedQuery): Order {
  return sort === 'status' && search !== '' ? searchedByStatus : orders[sort];
}

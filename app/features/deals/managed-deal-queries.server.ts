import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import { pageOf, rowsPerPage, type TablePage } from '#app/platform/table-query.ts';
import { columnList } from './deal-column-sql.server.ts';
import type { DealColumns } from './deal-columns.ts';
import type { DealsQuery, ManagedDealFilter, ManagedSort } from './deals-table.ts';

const listed = [
  'id',
  'slug',
  'title',
  'image_url',
  'sale_price',
  'original_price',
  'held_price',
  'is_active',
  'is_featured',
  'is_expired',
  'created_at',
  'merchant_id',
] as const;

/** A deal as the back office lists it. Prices in cents. */
export interface ManagedDeal extends DealColumns<(typeof listed)[number]> {
  /** Where it leads, once nothing is there. */
  broken_url: string | null;
  merchant: string;
  category: string;
}

/**
 * A page of all deals. An index that covers filters and orders finds the ids, and only that page's rows are read whole.
 * Pages of the second half are found from the other end.
 */
export async function listManagedDeals(db: Db, query: DealsQuery): Promise<TablePage<ManagedDeal>> {
  const total = await countManagedDeals(db, query);
  const { page, pageCount, offset } = pageOf(query, total);
  const ids = await findPage(db, query, offset, Math.min(rowsPerPage, total - offset), total);
  return { rows: await readManagedDeals(db, ids), total, page, pageCount };
}

export async function countManagedDeals(db: Db, filter: ManagedDealFilter): Promise<number> {
  return (
    (await ask(db).value<number>`
    select count(*) from deals d where ${managedCondition(filter)}`) ?? 0
  );
}

/** Every deal of the filter, in the order of their ids. */
export async function listManagedIds(db: Db, filter: ManagedDealFilter): Promise<number[]> {
  return ask(db).column<number>`
    select d.id from deals d where ${managedCondition(filter)} order by d.id`;
}

/** The stat cards (P39). */
export async function countDealFigures(db: Db) {
  return db
    .selectFrom('deals')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('is_active', '=', true).as('active'),
      fn.countAll<number>().filterWhere('is_featured', '=', true).as('featured'),
      fn.countAll<number>().filterWhere('is_expired', '=', true).as('expired'),
    ])
    .executeTakeFirstOrThrow();
}

/** A filter as a condition over `deals d`. */
export function managedCondition({ search, filters }: ManagedDealFilter): RawBuilder<boolean> {
  const { status, stock, seller, show, category, merchant } = filters;
  const parts: RawBuilder<unknown>[] = [sql`true`];
  if (search !== '') {
    const pattern = containsPattern(search);
    parts.push(
      sql`(d.title ilike ${pattern}
        or d.merchant_id = any(array(select id from merchants where name ilike ${pattern})))`,
    );
  }
  for (const [name, value] of Object.entries({ status, stock, seller, show })) {
    const condition = conditions[`${name} ${value}`];
    if (condition) parts.push(condition);
  }
  if (category !== null) parts.push(sql`d.category_id = ${Number(category)}`);
  if (merchant !== null) parts.push(sql`d.merchant_id = ${Number(merchant)}`);
  return sql`(${sql.join(parts, sql` and `)})`;
}

const verified = sql`(select id from merchants where is_featured)`;
const conditions: Record<string, RawBuilder<unknown> | undefined> = {
  'status active': sql`d.is_active`,
  'status inactive': sql`not d.is_active`,
  'stock in': sql`d.availability = 'in_stock'`,
  'stock out': sql`d.availability = 'out_of_stock'`,
  'seller verified': sql`d.merchant_id = any(array${verified})`,
  'seller unverified': sql`d.merchant_id <> all(array${verified})`,
  'show featured': sql`d.is_featured`,
  'show expired': sql`d.is_expired`,
  'show no-picture': sql`d.image_url is null`,
  'show held': sql`d.held_price is not null`,
  'show broken-link': sql`d.link_broken_since is not null and d.link_trusted_at is null and d.is_active and not d.is_expired`,
  'show demo': sql`d.is_demo`,
};

/** Each ends with the id, so that it can be walked from either end. */
const orders: Record<ManagedSort, readonly RawBuilder<unknown>[]> = {
  created: [sql`d.created_at`, sql`d.id`],
  title: [sql`lower(d.title)`, sql`d.id`],
  merchant: [sql`lower(m.name)`, sql`m.id`, sql`d.id`],
  price: [sql`d.sale_price`, sql`d.id`],
  status: [sql`d.is_active`, sql`d.created_at`, sql`d.id`],
};

async function findPage(db: Db, query: DealsQuery, offset: number, length: number, total: number) {
  if (length <= 0) return [];
  const { sort, isDescending } = query;
  const isFromEnd = offset > total / 2;
  const direction = isDescending === isFromEnd ? sql`asc` : sql`desc`;
  const order = sql.join(orders[sort].map((column) => sql`${column} ${direction}`));
  const merchants = sort === 'merchant' ? sql`join merchants m on m.id = d.merchant_id` : sql``;
  const ids = await ask(db).column<number>`
    select d.id from deals d ${merchants} where ${managedCondition(query)}
     order by ${order} limit ${length} offset ${isFromEnd ? total - offset - length : offset}`;
  return isFromEnd ? ids.toReversed() : ids;
}

async function readManagedDeals(db: Db, ids: number[]): Promise<ManagedDeal[]> {
  if (ids.length === 0) return [];
  return ask(db).rows<ManagedDeal>`
    select ${columnList(listed, 'd')}, m.name as merchant, c.name as category,
           case when d.link_broken_since is not null and d.link_trusted_at is null then d.deal_url end as broken_url
      from unnest(${ids}::bigint[]) with ordinality wanted (id, place)
      join deals d on d.id = wanted.id
      join merchants m on m.id = d.merchant_id
      join categories c on c.id = d.category_id
     order by wanted.place`;
}

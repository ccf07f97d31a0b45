import { type RawBuilder, type Selectable, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { mayBeSlug } from '#database/slug.ts';
import type { Database } from '#database/schema.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { isPriceShown } from './deal-conditions.server.ts';
import { columnList } from './deal-column-sql.server.ts';
import { type ColumnFor, columnsFor, type DealColumns } from './deal-columns.ts';
import { listDealsByIds } from './deal-list-queries.server.ts';
import {
  asDealSummary,
  type DealSummary,
  dealSummaryColumns,
  dealSummaryJoins,
  type DealSummaryRow,
} from './deal-summary-columns.server.ts';
import { storedGtin } from './gtin.ts';

type Detail = DealColumns<ColumnFor<'detail'>>;

const merchantColumns = ['logo_url', 'keep_history', 'allow_alerts'] as const;
type MerchantDetail = Pick<Selectable<Database['merchants']>, (typeof merchantColumns)[number]>;

/** A deal as its own page shows it, with description and merchant. */
export interface DealDetail extends Omit<DealSummary, 'merchant'>, Detail {
  merchant: DealSummary['merchant'] & MerchantDetail & { description: string };
}

type DealDetailRow = DealSummaryRow &
  Detail &
  MerchantDetail & { full_description: string; merchant_description: string };

/** Returns an active deal, or `null`, since visitors never see an inactive one. */
export async function findDealBySlug(db: Db, slug: string): Promise<DealDetail | null> {
  return mayBeSlug(slug) ? findDeal(db, sql`d.slug = ${slug}`) : null;
}

export function findDealById(db: Db, id: number): Promise<DealDetail | null> {
  return findDeal(db, sql`d.id = ${id}`);
}

/** The price of deals `d` of merchants `m`. Null if hidden, since sorting by it would reveal it. */
const shownPrice = sql`case when ${isPriceShown} then d.sale_price end`;

/**
 * Returns active deals of a GTIN in any of its forms, live ones first. Deals of its product come
 * before other deals with the number, which may use it wrongly.
 */
export async function findDealIdsByGtin(db: Db, gtin: string, limit: number): Promise<number[]> {
  const stored = storedGtin(gtin);
  return ask(db).column<number>`
    select d.id from deals d join merchants m on m.id = d.merchant_id
     where (d.gtin = ${stored} or d.product_id = (select product_id from product_gtins where gtin = ${stored})) and d.is_active
     order by d.is_expired, d.product_id is distinct from (select product_id from product_gtins where gtin = ${stored}), ${shownPrice}, d.id
     limit ${limit}`;
}

/** Returns the live deals of a deal's product, without the deal, the cheapest shown price first. */
export function findSiblingIds(db: Db, dealId: number, limit: number): Promise<number[]> {
  return ask(db).column<number>`
    select d.id from deals own join deals d on d.product_id = own.product_id and d.id <> own.id
      join merchants m on m.id = d.merchant_id
     where own.id = ${dealId} and d.is_active and not d.is_expired
     order by ${shownPrice}, d.id limit ${limit}`;
}

/** Returns the current slug of the active deal that has this id or once had this slug. */
export async function findDealRedirect(db: Db, slug: string): Promise<string | null> {
  if (!mayBeSlug(slug)) return null;
  const id = parseRowId(slug);
  return ask(db).value<string>`
    select d.slug from slug_redirects r join deals d on d.id = r.target_id
     where r.kind = 'deal' and r.slug = ${slug} and d.is_active
    union all
    select slug from deals where id = ${id} and is_active
    limit 1`;
}

async function findDeal(db: Db, condition: RawBuilder<unknown>): Promise<DealDetail | null> {
  const columns = columnsFor('detail');
  const rows = await ask(db).rows<DealDetailRow>`/* often */
    select ${dealSummaryColumns}, d.description as full_description, ${columnList(columns, 'd')},
           m.description as merchant_description, m.logo_url, m.keep_history, m.allow_alerts
      from deals d ${dealSummaryJoins}
     where ${condition} and d.is_active`;
  const row = rows[0];
  if (!row) return null;
  const summary = asDealSummary(row);
  return {
    ...summary,
    ...pickFields(row, columns),
    description: row.full_description,
    merchant: {
      ...summary.merchant,
      ...pickFields(row, merchantColumns),
      description: row.merchant_description,
    },
  };
}

/** Returns up to `most` active deals with a higher id, lowest first. */
export async function listDealsAfter(db: Db, after: number, most: number): Promise<DealSummary[]> {
  const ids = await ask(db).column<number>`
    select id from deals where id > ${after} and is_active order by id limit ${most}`;
  return listDealsByIds(db, ids);
}

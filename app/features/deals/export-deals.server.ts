import { type Selectable, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { centsToDecimal } from '#app/platform/money.ts';
import type { ManagedDealFilter } from './deals-table.ts';
import { managedCondition } from './managed-deal-queries.server.ts';

const rowsAtATime = 1_000;

type ExportRow = Selectable<Database['deals']> & { merchant: string; category: string };

const columns: Record<string, (deal: ExportRow) => string | number | null> = {
  ID: (deal) => deal.id,
  Title: (deal) => deal.title,
  Slug: (deal) => deal.slug,
  Description: (deal) => deal.description,
  Merchant: (deal) => deal.merchant,
  Category: (deal) => deal.category,
  'Sale Price': (deal) => centsToDecimal(deal.sale_price),
  'Original Price': (deal) => decimal(deal.original_price),
  'Discount Percent': (deal) => deal.discount_percent,
  'Held Price': (deal) => decimal(deal.held_price),
  'Coupon Code': (deal) => deal.coupon_code,
  Status: (deal) => (deal.is_active ? 'Active' : 'Inactive'),
  Featured: (deal) => (deal.is_featured ? 'Yes' : 'No'),
  Availability: (deal) => deal.availability,
  'Product Status': (deal) => deal.status,
  Condition: (deal) => deal.condition,
  'Seller Type': (deal) => deal.seller_type,
  Brand: (deal) => deal.brand,
  GTIN: (deal) => deal.gtin,
  'Deal URL': (deal) => deal.deal_url,
  'Image URL': (deal) => deal.image_url,
  'Expires At': (deal) => deal.expires_at?.toISOString() ?? null,
  'External ID': (deal) => deal.external_id,
  'Created At': (deal) => deal.created_at.toISOString(),
  'Updated At': (deal) => deal.updated_at.toISOString(),
};

export const dealExportColumns = Object.keys(columns);

/** Every deal of the filter by id, read as fast as it is taken. */
export async function* exportDeals(
  db: Db,
  filter: ManagedDealFilter,
): AsyncGenerator<(string | number | null)[]> {
  let last = 0;
  for (;;) {
    const { rows } = await sql<ExportRow>`
      select d.*, m.name as merchant, c.name as category
        from deals d join merchants m on m.id = d.merchant_id join categories c on c.id = d.category_id
       where ${managedCondition(filter)} and d.id > ${last}
       order by d.id limit ${rowsAtATime}`.execute(db);
    for (const row of rows) {
      yield Object.values(columns).map((read) => read(row));
      last = row.id;
    }
    if (rows.length < rowsAtATime) return;
  }
}

function decimal(cents: number | null): string | null {
  return cents === null ? null : centsToDecimal(cents);
}

import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { toDecimal } from '#app/platform/money.ts';
import { columnList } from './deal-column-sql.server.ts';
import { type ColumnFor, columnsFor, type DealColumns, dealColumns } from './deal-columns.ts';
import type { ManagedDealFilter } from './deals-table.ts';
import { managedCondition } from './managed-deal-queries.server.ts';

const rowsAtATime = 1_000;

type Column = ColumnFor<'exported'>;
type Cell = string | number | null;
type ExportRow = DealColumns<Column> & {
  merchant: string;
  category: string;
  product: string | null;
  clicks: number;
};

/** The headings that differ from the column's label. */
const headings: Partial<Record<Column, string>> = { is_active: 'Status' };
const ownCells: Partial<Record<Column, (deal: ExportRow) => Cell>> = {
  merchant_id: (deal) => deal.merchant,
  category_id: (deal) => deal.category,
  is_active: (deal) => (deal.is_active ? 'Active' : 'Inactive'),
};

export function dealExportHeadings(): string[] {
  const columns = columnsFor('exported').map(
    (name) => headings[name] ?? dealColumns[name].label ?? name,
  );
  return [...columns, 'Product Slug', 'Clicks, 30 days'];
}

/** Yields every matching deal in the order of ids, as fast as the client consumes them. */
export async function* exportDeals(db: Db, filter: ManagedDealFilter): AsyncGenerator<Cell[]> {
  const columns = columnsFor('exported');
  let last = 0;
  for (;;) {
    const rows = await ask(db).rows<ExportRow>`
      select ${columnList(columns, 'd')}, m.name as merchant, c.name as category, coalesce(followed.count, 0) as clicks,
             (select slug from products where id = d.product_id) as product
        from deals d join merchants m on m.id = d.merchant_id join categories c on c.id = d.category_id
        left join recent_clicks followed on followed.deal_id = d.id
       where ${managedCondition(filter)} and d.id > ${last}
       order by d.id limit ${rowsAtATime}`;
    for (const row of rows) {
      const own = columns.map((name) => ownCells[name]?.(row) ?? cellOf(row, name));
      yield [...own, row.product, row.clicks];
      last = row.id;
    }
    if (rows.length < rowsAtATime) return;
  }
}

function cellOf(deal: ExportRow, name: Column): Cell {
  const value = deal[name];
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'number' && dealColumns[name].type === 'money'
    ? toDecimal(value, deal.currency)
    : value;
}

import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

const sorts = ['created', 'title', 'merchant', 'price', 'status'] as const;
export type ManagedSort = (typeof sorts)[number];

const filters = {
  status: ['active', 'inactive'],
  stock: ['in', 'out'],
  seller: ['verified', 'unverified'],
  show: ['featured', 'expired', 'no-picture', 'held', 'broken-link', 'demo'],
  category: 'id',
  merchant: 'id',
} as const;
type ManagedFilterName = keyof typeof filters;

/** What the address of deal management may ask. */
export const dealsTable: TableSpec<ManagedSort, ManagedFilterName> = {
  path: '/admin/deals',
  sorts,
  defaultSort: '-created',
  filters,
};

export type DealsQuery = TableQuery<ManagedSort, ManagedFilterName>;

/** What narrows the list of all deals. */
export type ManagedDealFilter = Pick<DealsQuery, 'search' | 'filters'>;

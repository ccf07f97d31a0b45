import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

/** The parameters of deal management's URL. */
export const dealsTable = {
  path: '/admin/deals',
  sorts: ['created', 'title', 'merchant', 'price', 'status', 'clicks'],
  defaultSort: '-created',
  filters: {
    status: ['active', 'expired', 'inactive'],
    stock: ['in', 'out'],
    seller: ['verified', 'unverified'],
    show: [
      'featured',
      'expired',
      'no-picture',
      'held',
      'waiting',
      'broken-link',
      'reported',
      'misplaced',
      'unclicked',
      'demo',
    ],
    category: 'id',
    merchant: 'id',
  },
  columns: [
    'merchant',
    'category',
    'price',
    'discount',
    'status',
    'stock',
    'created',
    'updated',
    'ends',
    'clicks',
  ],
} as const satisfies TableSpec<string, string>;

/** reports; from this number a deal's page shows it as expired, and staff must check it */
export const reportsThatMark = 3;

/** The default columns: those of the specification, and clicks. */
export const usualDealColumns = ['merchant', 'price', 'status', 'created', 'clicks'] as const;

export type ManagedSort = (typeof dealsTable.sorts)[number];
export type DealsQuery = TableQuery<ManagedSort, keyof typeof dealsTable.filters>;

/** The filters of the list of all deals. */
export type ManagedDealFilter = Pick<DealsQuery, 'search' | 'filters'>;

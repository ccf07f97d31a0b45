import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

/** What the address of deal management may ask. */
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

/** So many people must say that a deal is over before its page does, and it waits for a person. */
export const reportsThatMark = 3;

/** What is shown to whoever has chosen nothing: the columns of the specification, and clicks. */
export const usualDealColumns = ['merchant', 'price', 'status', 'created', 'clicks'] as const;

export type ManagedSort = (typeof dealsTable.sorts)[number];
export type DealsQuery = TableQuery<ManagedSort, keyof typeof dealsTable.filters>;

/** What narrows the list of all deals. */
export type ManagedDealFilter = Pick<DealsQuery, 'search' | 'filters'>;

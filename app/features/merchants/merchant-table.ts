import type { TableSpec } from '#app/platform/table-query.ts';

export const merchantTable = {
  path: '/admin/merchants',
  sorts: ['name', 'deals', 'clicks', 'created'],
  defaultSort: 'name',
  filters: { show: ['featured', 'with-website', 'without-link'] },
} as const satisfies TableSpec<string, string>;

export type MerchantSort = (typeof merchantTable.sorts)[number];
export type MerchantFilter = keyof typeof merchantTable.filters;

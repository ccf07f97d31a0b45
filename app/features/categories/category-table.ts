import type { TableSpec } from '#app/platform/table-query.ts';

export const categoryTable = {
  path: '/admin/categories',
  sorts: ['name', 'clicks'],
  defaultSort: 'name',
  filters: {},
} as const satisfies TableSpec<string, string>;

export type CategorySort = (typeof categoryTable.sorts)[number];

import type { TableSpec } from '#app/platform/table-query.ts';

export const pageTable = {
  path: '/admin/pages',
  sorts: ['title', 'changed'],
  defaultSort: 'title',
  filters: { show: ['own', 'drafts', 'texts', 'changed'] },
} as const satisfies TableSpec<string, string>;

export type PageSort = (typeof pageTable.sorts)[number];
export type PageFilter = keyof typeof pageTable.filters;

import type { TableSpec } from '#app/platform/table-query.ts';

export const libraryTable = {
  path: '/admin/media',
  sorts: ['created', 'name', 'size'],
  defaultSort: '-created',
  filters: { show: ['unused', 'undescribed'] },
} as const satisfies TableSpec<string, string>;

export type LibrarySort = (typeof libraryTable.sorts)[number];
export type LibraryFilter = keyof typeof libraryTable.filters;

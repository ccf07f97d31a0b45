import type { TableSpec } from '#app/platform/table-query.ts';

export const postTable = {
  path: '/admin/blog',
  sorts: ['date', 'title', 'author'],
  defaultSort: '-date',
  filters: { status: ['published', 'scheduled', 'draft'], show: ['featured'] },
} as const satisfies TableSpec<string, string>;

export type PostSort = (typeof postTable.sorts)[number];
export type PostFilter = keyof typeof postTable.filters;

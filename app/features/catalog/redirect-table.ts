import type { TableSpec } from '#app/platform/table-query.ts';

export const redirectTable = {
  path: '/admin/redirects',
  sorts: ['from', 'hits', 'last', 'created'],
  defaultSort: '-created',
  filters: { show: ['301', '302', '410', 'patterns', 'unused'] },
} as const satisfies TableSpec<string, string>;

export type RedirectSort = (typeof redirectTable.sorts)[number];
export type RedirectFilter = keyof typeof redirectTable.filters;

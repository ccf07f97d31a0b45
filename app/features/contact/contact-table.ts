import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

export const contactTable = {
  path: '/admin/messages',
  sorts: ['unread', 'received'],
  defaultSort: 'unread',
  filters: { state: ['unread', 'read'] },
} as const satisfies TableSpec<string, string>;

export type ContactSort = (typeof contactTable.sorts)[number];
export type ContactQuery = TableQuery<ContactSort, keyof typeof contactTable.filters>;

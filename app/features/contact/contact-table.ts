import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

/** The inbox lists open messages if no state is given. */
export const contactTable = {
  path: '/admin/messages',
  sorts: ['unread', 'received'],
  defaultSort: 'unread',
  filters: { state: ['mine', 'unread', 'read', 'closed', 'all'] },
} as const satisfies TableSpec<string, string>;

export type ContactSort = (typeof contactTable.sorts)[number];
export type ContactQuery = TableQuery<ContactSort, keyof typeof contactTable.filters>;

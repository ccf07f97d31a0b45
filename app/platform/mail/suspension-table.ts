import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

export const suspensionTable = {
  path: '/admin/outbox/suspended',
  sorts: ['since'],
  defaultSort: '-since',
  filters: { state: ['suspended', 'lifted'], reason: ['bounce', 'complaint'] },
} as const satisfies TableSpec<string, string>;

export type SuspensionSort = (typeof suspensionTable.sorts)[number];
type SuspensionFilter = keyof typeof suspensionTable.filters;
export type SuspensionQuery = TableQuery<SuspensionSort, SuspensionFilter>;

export const reasonLabels = { bounce: 'Bounced', complaint: 'Reported as spam' } as const;

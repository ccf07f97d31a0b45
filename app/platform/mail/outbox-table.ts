import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';
import { mailStates } from './mail-states.ts';

export const outboxTable = {
  path: '/admin/outbox',
  sorts: ['queued', 'tries'],
  defaultSort: '-queued',
  filters: { state: mailStates },
} as const satisfies TableSpec<string, string>;

/**
 * emails; the list shows and counts only the newest, so that its cost does not grow with the outbox
 */
export const mostListed = 10_000;

export type OutboxSort = (typeof outboxTable.sorts)[number];
export type OutboxQuery = TableQuery<OutboxSort, keyof typeof outboxTable.filters>;

import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';
import { newsletterStates } from './newsletter-state.ts';

export const newslettersTable = {
  path: '/admin/newsletters',
  sorts: ['changed', 'subject'],
  defaultSort: '-changed',
  filters: { state: newsletterStates },
} as const satisfies TableSpec<string, string>;

export type NewsletterSort = (typeof newslettersTable.sorts)[number];
export type NewslettersQuery = TableQuery<NewsletterSort, keyof typeof newslettersTable.filters>;

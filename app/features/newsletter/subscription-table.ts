import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

export const subscriptionTable = {
  path: '/admin/subscriptions',
  sorts: ['email', 'subscribed', 'unsubscribed'],
  defaultSort: '-subscribed',
  filters: { status: ['active', 'unsubscribed', 'waiting'] },
} as const satisfies TableSpec<string, string>;

export type SubscriptionSort = (typeof subscriptionTable.sorts)[number];
type SubscriptionFilter = keyof typeof subscriptionTable.filters;
export type SubscriptionQuery = TableQuery<SubscriptionSort, SubscriptionFilter>;
export type SubscriptionScope = Pick<SubscriptionQuery, 'search' | 'filters'>;

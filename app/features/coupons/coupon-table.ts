import type { TableSpec } from '#app/platform/table-query.ts';

export const couponTable = {
  path: '/admin/coupons',
  sorts: ['code', 'store', 'ends', 'clicks', 'created'],
  defaultSort: '-created',
  filters: { show: ['live', 'upcoming', 'ended', 'own', 'imported'], merchant: 'id' },
} as const satisfies TableSpec<string, string>;

export type CouponSort = (typeof couponTable.sorts)[number];
export type CouponFilter = keyof typeof couponTable.filters;

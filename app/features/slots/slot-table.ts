import type { TableSpec } from '#app/platform/table-query.ts';
import { slotPlaceNames } from './slot-kinds.ts';

export const slotTable = {
  path: '/admin/slots',
  sorts: ['title', 'ends', 'views', 'clicks', 'created'],
  defaultSort: '-created',
  filters: { show: ['live', 'scheduled', 'ended', 'off'], place: slotPlaceNames },
} as const satisfies TableSpec<string, string>;

export type SlotSort = (typeof slotTable.sorts)[number];
export type SlotFilter = keyof typeof slotTable.filters;

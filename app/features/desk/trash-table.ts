import type { TableSpec } from '#app/platform/table-query.ts';
import { trashKindNames } from './trash-kinds.ts';

export const trashTable = {
  path: '/admin/trash',
  sorts: ['deleted', 'name'],
  defaultSort: '-deleted',
  filters: { kind: trashKindNames },
} satisfies TableSpec<'deleted' | 'name', 'kind'>;

export type TrashSort = 'deleted' | 'name';
export type TrashFilter = 'kind';

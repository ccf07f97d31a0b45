import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/**
 * The audit log's list is always newest first, and paged by the last entry of a page instead of by
 * number.
 */
export const auditTable = {
  path: '/admin/audit',
  sorts: ['when'],
  defaultSort: '-when',
  filters: {
    actor: /^[\w-]{1,64}$/,
    action: /^[a-z0-9._-]{1,64}$/,
    entity: /^[a-z0-9_-]{1,64}$/,
    id: /^[\w.-]{1,64}$/,
    from: day,
    to: day,
  },
} as const satisfies TableSpec<string, string>;

export type AuditQuery = TableQuery<'when', keyof typeof auditTable.filters>;

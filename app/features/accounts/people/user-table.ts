import type { Role } from '#database/schema/account-tables.ts';
import type { TableQuery, TableSpec } from '#app/platform/table-query.ts';

export const roles = ['user', 'admin', 'super_admin'] as const satisfies readonly Role[];

export const staffRoles = ['admin', 'super_admin'] as const satisfies readonly Role[];

export const roleNames: Record<Role, string> = {
  user: 'User',
  admin: 'Admin',
  super_admin: 'Super Admin',
};

/** The role filter of the list. `set` means every role with fewer rights than an admin. */
export const roleFilter = { ...roleNames, set: 'Other roles' } as const;
export type FilteredRole = keyof typeof roleFilter;

export const userTable = {
  path: '/admin/users',
  sorts: ['name', 'role', 'joined'],
  defaultSort: '-joined',
  filters: { role: [...roles, 'set'], state: ['active', 'suspended'] },
} as const satisfies TableSpec<string, string>;

export type UserSort = (typeof userTable.sorts)[number];
export type UserQuery = TableQuery<UserSort, keyof typeof userTable.filters>;

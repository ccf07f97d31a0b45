import type { Role } from '#database/schema/account-tables.ts';
import { roleNames } from '#app/features/accounts/people/user-table.ts';
import { type PillLook, StatusPill } from '../frame/status-pill.tsx';

const looks: Record<Role, PillLook> = { user: 'plain', admin: 'good', super_admin: 'warn' };

export function RoleBadge({ role }: { role: Role }) {
  return <StatusPill look={looks[role]}>{roleNames[role]}</StatusPill>;
}

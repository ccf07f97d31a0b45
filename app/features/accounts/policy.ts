import type { Role } from '#database/schema/account-tables.ts';

/**
 * Who may do what, for every guard and every button: the one place that knows. Ownership of a row is not decided
 * here but in the `where` of its query (R03).
 */
const leastRole = {
  'favorites.use': 'user',
  'alerts.use': 'user',
  'profile.use': 'user',
  'session.monitor': 'user',
  'admin.open': 'admin',
  'catalog.write': 'admin',
  'blog.write': 'admin',
  'newsletter.manage': 'admin',
  'contact.manage': 'admin',
  'users.read': 'admin',
  'feeds.import': 'admin',
  'mail.read': 'admin',
  'audit.read': 'admin',
  'settings.write': 'admin',
  'api.manage': 'admin',
  'users.change-role': 'super_admin',
  'users.delete': 'super_admin',
} as const satisfies Record<string, Role>;

export type Action = keyof typeof leastRole;

const rank: Record<Role, number> = { user: 1, admin: 2, super_admin: 3 };

export const actions = Object.keys(leastRole) as Action[];

/** `null` is somebody who is not signed in. */
export function can(role: Role | null, action: Action): boolean {
  return role !== null && rank[role] >= rank[leastRole[action]];
}

export function isStaff(role: Role | null): boolean {
  return can(role, 'admin.open');
}

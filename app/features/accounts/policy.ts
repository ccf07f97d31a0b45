import type { Role } from '#database/schema/account-tables.ts';

const ofEverybody = ['favorites.use', 'alerts.use', 'profile.use', 'session.monitor'] as const;

const ofStaff = [
  'admin.open',
  'dashboard.read',
  'catalog.read',
  'catalog.write',
  'blog.read',
  'blog.write',
  'media.read',
  'media.write',
  'feeds.import',
  'earnings.read',
  'earnings.write',
  'newsletter.manage',
  'newsletter.send',
  'contact.manage',
  'users.read',
  'mail.read',
  'mail.retry',
  'audit.read',
  'settings.read',
  'settings.write',
  'api.manage',
] as const;

const ofOwners = [
  'users.change-role',
  'users.invite',
  'users.suspend',
  'users.delete',
  // The mail server receives every password reset.
  'mail.configure',
] as const;

export const rights = [...ofEverybody, ...ofStaff, ...ofOwners] as const;
export type Right = (typeof rights)[number];

/**
 * Rights by role, for every guard and button. A role is a set of rights, not a rank. Ownership of
 * rows is checked in each query's `where` instead.
 */
const rightsOfRole: Record<Role, ReadonlySet<Right>> = {
  user: new Set(ofEverybody),
  admin: new Set([...ofEverybody, ...ofStaff]),
  super_admin: new Set(rights),
};

export function rightsOf(role: Role): ReadonlySet<Right> {
  return rightsOfRole[role];
}

/** null: signed out. */
export function can(role: Role | null, right: Right): boolean {
  return role !== null && rightsOf(role).has(right);
}

/**
 * Returns whether `held` includes all rights of a role, since users may grant only rights that they
 * have.
 */
export function covers(held: { has(right: Right): boolean }, role: Role): boolean {
  return [...rightsOf(role)].every((right) => held.has(right));
}

export function isStaff(role: Role | null): boolean {
  return can(role, 'admin.open');
}

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
  // The mail server sees every password reset link.
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
 * Returns whether `held` includes all these rights, since users may grant only rights they have.
 */
export function covers(held: { has(right: Right): boolean }, given: Iterable<Right>): boolean {
  return [...given].every((right) => held.has(right));
}

/** A right that a set may contain. All sets open the admin, and none manages staff. */
export type StaffRight = Exclude<(typeof ofStaff)[number], 'admin.open'>;
export const staffRights = ofStaff.filter((right): right is StaffRight => right !== 'admin.open');

/** The built-in sets. */
const builtInSets = {
  editor: [
    'dashboard.read',
    'catalog.read',
    'catalog.write',
    'blog.read',
    'blog.write',
    'media.read',
    'media.write',
    'feeds.import',
    'newsletter.manage',
    'newsletter.send',
    'contact.manage',
  ],
  writer: [
    'dashboard.read',
    'catalog.read',
    'blog.read',
    'blog.write',
    'media.read',
    'media.write',
  ],
  analyst: ['dashboard.read', 'catalog.read', 'blog.read', 'earnings.read'],
} as const satisfies Record<string, readonly StaffRight[]>;

export type BuiltInSet = keyof typeof builtInSets;

/** Returns a built-in set's rights, or `null` for the id of a custom set. */
export function rightsOfBuiltIn(set: string): readonly StaffRight[] | null {
  return Object.hasOwn(builtInSets, set) ? builtInSets[set as BuiltInSet] : null;
}

/** The facts that decide a user's rights. */
export interface Holder {
  role: Role;
  rightSet: string | null;
  /** The rights of a custom set. `null` without one, or if it was deleted. */
  setRights: readonly string[] | null;
}

/**
 * Returns a user's rights: the role's rights that are also in the set. A missing set contains
 * none.
 */
export function rightsHeldBy(
  { role, rightSet, setRights }: Holder,
  ofRole: (role: Role) => ReadonlySet<string> = rightsOf,
): ReadonlySet<Right> {
  const all = ofRole(role);
  const isOfRole = (right: Right) => all.has(right);
  if (rightSet === null) return new Set(rights.filter(isOfRole));
  const inSet = rightsOfBuiltIn(rightSet) ?? setRights ?? [];
  const kept = new Set<string>([...ofEverybody, 'admin.open', ...inSet]);
  return new Set(rights.filter((right) => isOfRole(right) && kept.has(right)));
}

export function isStaff(role: Role | null): boolean {
  return can(role, 'admin.open');
}

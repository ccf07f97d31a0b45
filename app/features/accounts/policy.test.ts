import { expect, test } from 'vitest';
import { can, rights } from './policy.ts';

// Proves R01: calls closed unless declared open (app/features/accounts/policy.ts)
test('R01: grants no right to signed-out visitors', () => {
  expect(rights.filter((right) => can(null, right))).toEqual([]);
});

// Proves Storefront 6: Roles
// Proves Storefront 6: Admin check, super-admin check
// Proves Back office 6: Roles; who changes them
test('grants users only rights to their own data, and admins all rights except changing roles', () => {
  expect(rights.filter((right) => can('user', right))).toEqual([
    'favorites.use',
    'alerts.use',
    'profile.use',
    'session.monitor',
  ]);
  expect(rights.filter((right) => !can('admin', right))).toEqual([
    'users.change-role',
    'users.invite',
    'users.suspend',
    'users.delete',
    'mail.configure',
  ]);
  expect(rights.every((right) => can('super_admin', right))).toBe(true);
});

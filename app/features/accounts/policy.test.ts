import { expect, test } from 'vitest';
import { actions, can } from './policy.ts';

test('R01: nobody may do anything without being signed in', () => {
  expect(actions.filter((action) => can(null, action))).toEqual([]);
});

test('a user has only what is their own, an admin all but other people’s roles', () => {
  expect(actions.filter((action) => can('user', action))).toEqual([
    'favorites.use',
    'alerts.use',
    'profile.use',
    'session.monitor',
  ]);
  expect(actions.filter((action) => !can('admin', action))).toEqual([
    'users.change-role',
    'users.delete',
  ]);
  expect(actions.every((action) => can('super_admin', action))).toBe(true);
});

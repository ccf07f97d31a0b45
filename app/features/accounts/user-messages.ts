/** The words of the list of users, as the specification has them where it has any. */
export const userMessages = {
  roleUpdated: 'User role updated successfully!',
  roleFailed: 'Failed to update user role',
  confirmDelete: 'Are you sure you want to delete this user? This action cannot be undone.',
  deleted: 'User deleted successfully!',
  deleteFailed: 'Failed to delete user',
  readOnly: 'Only a super admin changes roles and deletes users. You can look.',
  self: 'Nobody changes or deletes themself here. Another super admin can, or you on your profile.',
  missing: 'This user is gone.',
  lastSuperAdmin: 'The last super admin stays. Make somebody else one first.',
  unproved:
    'This address is not verified yet, so a stranger may have signed up with it. A role is for whoever has verified theirs.',
  noRole: 'Choose a role',
  notAllowed: 'You are no super admin any more.',
} as const;

/** Why a verb refused, for whoever pressed the button. */
export function describeRefusal(
  reason: 'not-allowed' | 'self' | 'missing' | 'last-super-admin' | 'unproved',
): string {
  const words = {
    'not-allowed': userMessages.notAllowed,
    self: userMessages.self,
    missing: userMessages.missing,
    'last-super-admin': userMessages.lastSuperAdmin,
    unproved: userMessages.unproved,
  };
  return words[reason];
}

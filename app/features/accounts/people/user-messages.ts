/** The words of the list of users, as the specification has them where it has any. */
export const userMessages = {
  roleUpdated: 'User role updated successfully!',
  roleFailed: 'Failed to update user role',
  confirmDelete: 'Are you sure you want to delete this user? This action cannot be undone.',
  deleted: 'User deleted successfully!',
  deleteFailed: 'Failed to delete user',
  readOnly: 'Only a super admin can change roles and delete users. You can view them.',
  self: 'You cannot change or delete yourself here. Ask another super admin, or use your profile.',
  missing: 'This user no longer exists.',
  lastSuperAdmin: 'The last super admin cannot be removed. Make somebody else a super admin first.',
  unproved:
    'This address is not verified yet, so a stranger may have signed up with it. Only verified users can be given a role.',
  noRole: 'Choose a role',
  notAllowed: 'You are no longer a super admin.',
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

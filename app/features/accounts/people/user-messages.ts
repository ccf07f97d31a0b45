/** Reasons why a change was refused. */
const refusals = {
  'not-allowed': 'You are no longer a super admin.',
  self: 'You cannot change or delete yourself here. Ask another super admin, or use your profile.',
  missing: 'This user no longer exists.',
  'last-super-admin':
    'The last super admin cannot be removed. Make someone else a super admin first.',
  'no-role': 'This role no longer exists. Choose another one.',
  suspended: 'This user is already suspended.',
  'not-suspended': 'This user is no longer suspended.',
  unproved:
    'This address is not verified yet, so a stranger may have signed up with it. Only verified users can be given a role.',
} as const;

export const describeRefusal = (reason: keyof typeof refusals) => refusals[reason];

/** Messages of the list of users. The specification's messages are quoted word for word. */
export const userMessages = {
  roleUpdated: 'User role updated successfully!',
  roleFailed: 'Failed to update user role',
  confirmDelete: 'Are you sure you want to delete this user? This action cannot be undone.',
  deleted: 'User deleted successfully!',
  deleteFailed: 'Failed to delete user',
  readOnly: 'Only a super admin can change roles and delete users. You can view them.',
  suspended: 'User suspended, and signed out everywhere.',
  suspendFailed: 'Failed to suspend user',
  reinstated: 'User reinstated. They can sign in again.',
  reinstateFailed: 'Failed to reinstate user',
  reasonRequired: 'Enter a reason for your colleagues',
  reasonTooLong: 'The reason may have at most 300 characters',
  sessionEnded: 'Session ended.',
  sessionGone: 'This session had already ended.',
  signedOut: 'Signed out everywhere.',
  noRole: 'Choose a role',
  self: refusals.self,
  unproved: refusals.unproved,
} as const;

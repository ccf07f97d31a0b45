/** Messages of the role screens. */
export const rightSetMessages = {
  readOnly: 'Only a super admin can change roles. You can view them.',
  builtIn: 'This role is part of Deal Hub and cannot be changed. Copy it to make your own.',
  created: 'Role created.',
  updated: 'Role updated. It applies at once to everyone who has it.',
  deleted: 'Role deleted.',
  saveFailed: 'Error saving role',
  deleteFailed: 'Failed to delete role',
  nameRequired: 'Enter a name',
  nameTooLong: 'The name may have at most 60 characters',
  notYours: 'You can only give rights that you have.',
  changedMeanwhile: 'Someone changed this role while you were editing it.',
} as const;

const refusals = {
  'not-allowed': 'You are no longer a super admin.',
  'not-found': 'This role no longer exists.',
  'name-taken': 'A role with this name exists already',
  'in-use': 'Choose a role for the people who have this one',
  'no-target': 'That role no longer exists. Choose another one.',
} as const;

export type RightSetRefusal = keyof typeof refusals;

export const describeRightSetRefusal = (reason: RightSetRefusal) => refusals[reason];

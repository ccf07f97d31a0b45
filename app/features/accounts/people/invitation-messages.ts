/** Messages of the invitation form and list. */
export const invitationMessages = {
  readOnly: 'Only a super admin can invite colleagues. You can see who is invited.',
  failed: 'The invitation was not sent',
  sent: (email: string) => `Invitation sent to ${email}. It is valid for 7 days.`,
  sentAgain: (email: string) => `Invitation sent to ${email} again. It is valid for 7 more days.`,
  withdrawn: 'Invitation withdrawn. Its links no longer work.',
  gone: 'This invitation was already accepted or withdrawn.',
  tooMany: 'This invitation was emailed three times within an hour. Please wait.',
  roleRequired: 'Choose a role',
  wordsTooLong: 'The message may have at most 500 characters',
} as const;

const refusals = {
  'not-allowed': 'You can only invite to roles that have no more rights than your own.',
  'bad-address': 'Please enter a valid email address',
  invited: 'This address has an open invitation. Send that one again, or withdraw it first.',
  'no-role': 'This role no longer exists. Choose another one.',
  staff: 'This address already belongs to a colleague. Change their role in the list of users.',
  suspended: 'The account with this address is suspended. Reinstate it first.',
  'too-many': invitationMessages.tooMany,
} as const;

export type InvitationRefusal = keyof typeof refusals;

export const describeInvitationRefusal = (reason: InvitationRefusal) => refusals[reason];

/** Reasons why the page of an invitation link has no form. */
export const deadInvitations = {
  unknown: 'There is no such invitation. Please open the link exactly as it appears in the email.',
  accepted: 'This invitation was already accepted. Each one works once.',
  withdrawn: 'This invitation was withdrawn.',
  over: 'This invitation has expired. It was valid for 7 days.',
  'not-allowed': 'The person who invited you may no longer do so. Ask for a new invitation.',
  suspended: 'The account with this address is suspended.',
} as const;

export type DeadInvitation = keyof typeof deadInvitations;

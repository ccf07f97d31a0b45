/** What the form and the list of invitations say. */
export const invitationMessages = {
  readOnly: 'Only a super admin can invite colleagues. You can see who is invited.',
  failed: 'The invitation was not sent',
  sent: (email: string) => `Invitation sent to ${email}. It is good for 7 days.`,
  sentAgain: (email: string) => `Invitation sent to ${email} again. It is good for 7 more days.`,
  withdrawn: 'Invitation withdrawn. Its links no longer work.',
  gone: 'This invitation was accepted or withdrawn meanwhile.',
  tooMany: 'This invitation was mailed three times within an hour. Please wait a while.',
  roleRequired: 'Choose a role',
  wordsTooLong: 'The words may have at most 500 characters',
} as const;

const refusals = {
  'not-allowed': 'You can only invite to roles that have no more rights than your own.',
  'bad-address': 'Please enter a valid email address',
  invited: 'This address has an open invitation. Send that one again, or withdraw it first.',
  staff:
    'Somebody with this address works here already. Their role is changed in the list of users.',
  suspended: 'The account with this address is suspended. Reinstate it first.',
  'too-many': invitationMessages.tooMany,
} as const;

export type InvitationRefusal = keyof typeof refusals;

export const describeInvitationRefusal = (reason: InvitationRefusal) => refusals[reason];

/** Why the page of a link has no form. */
export const deadInvitations = {
  unknown: 'There is no such invitation. Please open the link exactly as it stands in the mail.',
  accepted: 'This invitation has been accepted already. Each works once.',
  withdrawn: 'This invitation was withdrawn.',
  over: 'This invitation is too old: it was good for 7 days.',
  'not-allowed': 'Whoever invited you may no longer do so. Ask for a new invitation.',
  suspended: 'The account with this address is suspended.',
} as const;

export type DeadInvitation = keyof typeof deadInvitations;

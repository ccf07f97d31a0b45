export const newsletterStates = ['draft', 'scheduled', 'sending', 'paused', 'sent'] as const;
export type NewsletterState = (typeof newsletterStates)[number];

/**
 * Returns whether a newsletter's content can be changed, since nothing is being sent at the moment.
 */
export function isEditable(state: NewsletterState): boolean {
  return state === 'draft' || state === 'scheduled' || state === 'paused';
}

/** Reasons why a newsletter cannot be sent. */
export type SendProblem =
  | 'no-postal-address'
  | 'no-mail-server'
  | 'list-retired'
  | 'nobody'
  | 'empty'
  | 'too-late';

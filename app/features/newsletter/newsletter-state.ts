export const newsletterStates = ['draft', 'scheduled', 'sending', 'paused', 'sent'] as const;
export type NewsletterState = (typeof newsletterStates)[number];

/** Its words can be changed: nobody will get it before they are saved. */
export function isEditable(state: NewsletterState): boolean {
  return state === 'draft' || state === 'scheduled' || state === 'paused';
}

/** Why a newsletter cannot leave. */
export type SendProblem = 'no-postal-address' | 'no-mail-server' | 'nobody' | 'empty' | 'too-late';

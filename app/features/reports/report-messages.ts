import type { LinkAnswer } from '#app/features/deals/link-check-queries.server.ts';

/** The words of what visitors report, and of what is done about it. */
export const reportMessages = {
  noted: 'Thank you. It is noted.',
  notAnswered: 'Say whether the code worked.',
  overAlready: 'This deal is over already.',
  gone: 'This deal no longer exists.',
  codeChanged: 'This deal has another code by now, or none.',
  failed: 'This could not be noted. Please try again.',
  dismissed: 'The deal stays, and what was reported is cleared.',
  nothingToDismiss: 'Nobody reports this deal over any more.',
  linkAnswers: {
    there: 'The link leads somewhere: what was reported before is cleared.',
    gone: 'The store says that there is nothing at this link any more.',
    unclear: 'The store gave no clear answer.',
  } satisfies Record<LinkAnswer, string>,
} as const;

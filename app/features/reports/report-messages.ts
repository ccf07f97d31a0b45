import type { LinkAnswer } from '#app/features/deals/link-check-queries.server.ts';

/** Messages for visitors' reports and staff's decisions. */
export const reportMessages = {
  noted: 'Thank you for your report.',
  notAnswered: 'Choose whether the code worked.',
  overAlready: 'This deal has already expired.',
  noOffer: 'This deal is no longer compared with other offers.',
  gone: 'This deal no longer exists.',
  codeChanged: 'The code of this deal was changed or removed.',
  failed: 'Your report could not be saved. Please try again.',
  dismissed: 'Reports dismissed. The deal stays live.',
  nothingToDismiss: 'This deal is no longer reported as expired.',
  productKept: 'Reports dismissed. The deal stays part of its product.',
  noProductReports: 'This deal is no longer reported as another product.',
  linkAnswers: {
    there: 'The link works, so earlier reports were cleared.',
    gone: 'The store says that this page no longer exists.',
    unclear: 'The store gave no clear response.',
  } satisfies Record<LinkAnswer, string>,
} as const;

import type { BulkVerb } from '../frame/bulk-bar.tsx';

/** Returns the bulk verbs for held prices. `what` names the deals in the questions. */
export function heldVerbsOf(what: string): readonly BulkVerb[] {
  return [
    {
      value: 'approve-price',
      label: 'Approve prices',
      question: `Approve ${what}?`,
      detail:
        'The prices are published at once, and matching alerts are sent. You cannot undo this.',
      variant: 'primary',
    },
    {
      value: 'refuse-price',
      label: 'Reject prices',
      question: `Refuse ${what}?`,
      detail: 'The old prices stay, and the same feed prices will not be held again.',
    },
  ];
}

export const heldVerbs = heldVerbsOf('the held prices of {n}');

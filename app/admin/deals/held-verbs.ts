import type { BulkVerb } from '../frame/bulk-bar.tsx';

/** What can be said of many prices that wait for a person (P7b); `what` names them in the questions. */
export function heldVerbsOf(what: string): readonly BulkVerb[] {
  return [
    {
      value: 'approve-price',
      label: 'Approve prices',
      question: `Approve ${what}?`,
      detail:
        'They are on the site at once, and whoever waits for such a price is told. This cannot be undone.',
      look: 'primary',
    },
    {
      value: 'refuse-price',
      label: 'Refuse prices',
      question: `Refuse ${what}?`,
      detail: 'The old prices stay, and the feeds will not ask for these again.',
    },
  ];
}

export const heldVerbs = heldVerbsOf('the held prices of {n}');

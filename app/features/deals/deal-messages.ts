import { countChanged } from '#app/platform/count-changed.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { BulkVerb } from '#database/schema/catalog-tables.ts';
import type { ChangeFailure } from './change-deals.server.ts';

/** The words of deal management. */
export const dealMessages = {
  deleteQuestion: 'Are you sure you want to delete this deal?',
  deleted: 'Deal deleted successfully!',
  deleteFailed: 'Failed to delete deal',
  created: 'Deal created successfully!',
  updated: 'Deal updated successfully!',
  copied: 'Deal copied. The copy is inactive until you activate it.',
  saveFailed: 'Error saving deal',
  gone: 'This deal no longer exists.',
  goneWhileEdited:
    'Somebody deleted this deal in the meantime. What you typed is still here: copy it into a new deal to keep it.',
  changedMeanwhile: 'Somebody else saved this deal after you opened it.',
  slugTaken: 'Another deal has this slug',
  noMerchant: 'Merchant is required',
  noCategory: 'Category is required',
  unknownMerchant: (typed: string, names: readonly string[]) =>
    names.length === 0
      ? `No merchant is called “${typed}”`
      : `No merchant is called just “${typed}”. Pick one: ${names.join(', ')}`,
  noTime: 'Must be a date and time',
  otherCurrency: (currency: string) => `Prices are in ${currency} now. Enter the price again.`,
  nothingSelected: 'Select at least one deal first.',
  noTargetCategory: 'Choose the category to move the deals to.',
  tooLate: 'This can no longer be undone: deletions are kept for an hour.',
  tooLateToPutBack: 'This can no longer be undone: what deals had before is kept for an hour.',
  countChanged: countChanged('deals'),
  linkTrusted: 'The link counts as working until a check says otherwise or it is changed.',
  linkDoubted: 'The link counts as broken again.',
  linkUnknown: 'This link is no longer reported as broken.',
  priceApproved: 'The new price is on the site.',
  priceRefused: 'The old price stays. The feed will not ask for this one again.',
  priceVoided: 'The price is voided: it counts for nothing from now on.',
  noVoidReason: 'Give a reason to void a price.',
  notVoided: {
    'not-found': 'This price is no longer in the log.',
    'already-voided': 'This price was voided before.',
    'needs-price': 'This is the present price. Enter the right one to void it.',
    'same-price': 'The right price must differ from the one that you void.',
  },
  priceGone: 'That price is no longer waiting for review: the feed has sent another one since.',
} as const;

const doneWords: Record<BulkVerb, string> = {
  activate: 'Activated',
  deactivate: 'Deactivated',
  feature: 'Featured',
  unfeature: 'Unfeatured',
  category: 'Moved',
  delete: 'Deleted',
  restore: 'Restored',
  price: 'Changed the price of',
  end: 'Changed the end of',
  'put-back': 'Put back',
  'approve-price': 'Approved the price of',
  'refuse-price': 'Refused the price of',
};

export const failureWords: Record<ChangeFailure, string> = {
  gone: 'no longer exists',
  'changed-meanwhile': 'was changed by somebody else meanwhile, and stays as it is',
  'too-late': 'can no longer be restored',
  'imported-again': 'has been imported again since',
  'no-such-merchant': 'its merchant is gone',
  'no-such-category': 'its category is gone',
};

/** `Deactivated 3 deals. 1 was already that way. 1 failed.` */
export function describeChange(
  verb: BulkVerb,
  { asked, changed, failed }: { asked: number; changed: number; failed: number },
): string {
  const same = asked - changed - failed;
  return [
    `${doneWords[verb]} ${countNoun(changed, 'deal')}.`,
    same > 0 ? `${countNoun(same, 'was', 'were')} already that way.` : '',
    failed > 0 ? `${failed.toLocaleString('en-US')} failed.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** What a change under way is called: `Deactivate 412 deals`. */
export function nameChange(verb: BulkVerb, total: number, category: string | null): string {
  const deals = countNoun(total, 'deal');
  if (verb === 'category') return `Move ${deals}${category === null ? '' : ` to ${category}`}`;
  if (verb === 'price' || verb === 'end') return `Change the ${verb} of ${deals}`;
  if (verb === 'approve-price') return `Approve the held prices of ${deals}`;
  if (verb === 'refuse-price') return `Refuse the held prices of ${deals}`;
  if (verb === 'put-back') return `Put back ${deals}`;
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${deals}`;
}

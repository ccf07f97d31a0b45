import { countChanged } from '#app/platform/count-changed.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { BulkVerb } from '#database/schema/catalog-tables.ts';
import type { ChangeFailure } from './change-deals.server.ts';

/** Messages of deal management. */
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
    'Someone deleted this deal in the meantime. What you typed is still here: copy it into a new deal to keep it.',
  changedMeanwhile: 'Someone else saved this deal after you opened it.',
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
  tooLate: 'This can no longer be undone here. Restore the deals from Trash.',
  tooLateToPutBack: 'This can no longer be undone: earlier values are kept for an hour.',
  countChanged: countChanged('deals'),
  linkTrusted: 'The link counts as working until a check fails or the link changes.',
  linkDoubted: 'The link counts as broken again.',
  linkUnknown: 'This link is no longer reported as broken.',
  priceApproved: 'The new price is published.',
  priceRefused: 'The old price stays. The same price from the feed will not be held again.',
  priceVoided: 'Price voided. It no longer counts.',
  movedPricesRemoved: 'The prices from other trackers were removed.',
  linkKnown: 'This deal already has the requested link.',
  noMovedPrices: 'This deal has no prices from other trackers.',
  noVoidReason: 'Give a reason to void a price.',
  notVoided: {
    'not-found': 'This price is no longer in the log.',
    'already-voided': 'This price was already voided.',
    'needs-price': 'This is the current price. Enter the correct one to void it.',
    'same-price': 'The correct price must differ from the one you void.',
  },
  priceGone: 'That price is no longer waiting for review, because the feed has sent a newer one.',
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
  end: 'Changed the expiry of',
  'put-back': 'Restored',
  'approve-price': 'Approved the price of',
  'refuse-price': 'Rejected the price of',
};

export const failureWords: Record<ChangeFailure, string> = {
  gone: 'no longer exists',
  'changed-meanwhile': 'was changed by someone else in the meantime, and was skipped',
  'too-late': 'can no longer be restored',
  'imported-again': 'has been imported again since',
  'no-such-merchant': 'its merchant was deleted',
  'no-such-category': 'its category was deleted',
};

/** Returns a text such as `Deactivated 3 deals. 1 was already that way. 1 failed.` */
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

/** Names a change in progress, such as `Deactivate 412 deals`. */
export function nameChange(verb: BulkVerb, total: number, category: string | null): string {
  const deals = countNoun(total, 'deal');
  if (verb === 'category') return `Move ${deals}${category === null ? '' : ` to ${category}`}`;
  if (verb === 'price' || verb === 'end') return `Change the ${verb} of ${deals}`;
  if (verb === 'approve-price') return `Approve the held prices of ${deals}`;
  if (verb === 'refuse-price') return `Reject the held prices of ${deals}`;
  if (verb === 'put-back') return `Restore ${deals}`;
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${deals}`;
}

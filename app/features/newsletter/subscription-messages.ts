import { countChanged } from '#app/platform/count-changed.ts';
import { countNoun } from '#app/platform/count-noun.ts';

/** Messages of the list of subscriptions. Those in the specification are quoted word for word. */
export const subscriptionMessages = {
  confirmDelete: 'Are you sure you want to delete this subscription?',
  deleted: 'Subscription deleted successfully!',
  deleteFailed: 'Failed to delete subscription',
  deactivated: 'Subscription deactivated successfully!',
  activated: 'Subscription activated successfully!',
  updateFailed: 'Failed to update subscription',
  reasonRequired: 'Enter the reason why this person should get emails again',
  reasonTooLong: 'The reason may have at most 300 characters',
  added: 'Confirmation email queued. They are subscribed once they follow its link.',
  addFailed: 'Failed to add subscriber',
  addRefused: {
    'invalid-email': 'Enter a valid email address',
    subscribed: 'This address is already subscribed',
    unsubscribed: 'This address unsubscribed. Reactivate it in the list if they asked for it.',
    'too-often': 'A confirmation was sent to this address within the last day. Try again tomorrow.',
  },
  nothingSelected: 'Select at least one subscription first.',
  countChanged: countChanged('subscriptions'),
  changedMany: (verb: 'deactivate' | 'delete', changed: number) =>
    `${verb === 'delete' ? 'Deleted' : 'Deactivated'} ${countNoun(changed, 'subscription')}.`,
} as const;

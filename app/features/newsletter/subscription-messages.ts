/** The words of the list of subscriptions, as the specification has them where it has any. */
export const subscriptionMessages = {
  confirmDelete: 'Are you sure you want to delete this subscription?',
  deleted: 'Subscription deleted successfully!',
  deleteFailed: 'Failed to delete subscription',
  deactivated: 'Subscription deactivated successfully!',
  activated: 'Subscription activated successfully!',
  updateFailed: 'Failed to update subscription',
  reasonRequired: 'Say why this person should get mail again',
  reasonTooLong: 'The reason may have at most 300 characters',
  nothingSelected: 'Select at least one subscription first.',
  countChanged: (seen: number, now: number) =>
    `Nothing was changed: ${seen.toLocaleString('en-US')} subscriptions matched when you chose them, and ${now.toLocaleString('en-US')} do now. Look again, then repeat it.`,
  changedMany: (verb: 'deactivate' | 'delete', changed: number) =>
    `${verb === 'delete' ? 'Deleted' : 'Deactivated'} ${changed.toLocaleString('en-US')} ${changed === 1 ? 'subscription' : 'subscriptions'}.`,
} as const;

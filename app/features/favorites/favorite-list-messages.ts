import { countNoun } from '#app/platform/count-noun.ts';

export const favoriteListMessages = {
  gone: 'This list no longer exists.',
  dealGone: 'This deal is no longer among your favorites.',
  nameMissing: 'Enter a name for the list',
  nameTooLong: 'Must be at most 60 characters',
  nameTaken: 'You already have a list with this name',
  tooMany: 'You have 50 lists, which is the limit. Delete one to add another.',
  restoreNameTaken: 'You have another list with this name now. Rename it to restore this one.',
  unverified: 'Verify your email address to share a list.',
  /** The toast that is shown after a favorite is removed. */
  removed: (lists: number) =>
    lists === 0
      ? 'Removed from your favorites.'
      : `Removed from your favorites and ${countNoun(lists, 'list')}.`,
} as const;

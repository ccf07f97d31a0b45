export const favoriteMessages = {
  tooMany: 'You have 1,000 favorites, which is the limit. Remove one to add another.',
  dealGone: 'This deal no longer exists.',
  failed: 'Your favorites could not be changed. Please try again.',
  /** The message shown in place of the favorites if the site does not respond. */
  notShown: {
    title: 'Error Loading Favorites',
    text: 'The site could not be reached. Please try again.',
  },
  signedOut: 'Please sign in to keep favorites.',
} as const;

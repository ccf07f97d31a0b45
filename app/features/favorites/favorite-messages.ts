export const favoriteMessages = {
  tooMany: 'You have 1,000 favorites, which is the limit. Remove one to add another.',
  dealGone: 'This deal no longer exists.',
  failed: 'Your favorites could not be changed. Please try again.',
  signedOut: 'Please sign in to keep favorites.',
} as const;

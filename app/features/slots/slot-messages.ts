/** Messages of the screen for ads and announcements. */
export const slotMessages = {
  confirmDelete: {
    ad: 'Are you sure you want to delete this ad?',
    announcement: 'Are you sure you want to delete this announcement?',
  },
  deleted: 'Ad deleted.',
  deleteFailed: 'Failed to delete ad',
  saveFailed: 'Error saving ad',
  adNeedsLink: 'An ad needs a link',
  notInLibrary: 'Choose a picture from the media library',
  noPictureInBar: 'The bar shows no picture. Leave this blank',
  noSuchCategory: 'Choose a category',
  noCategoryHere: 'Only ads and announcements in lists and on deal pages have a category',
  wrongLink: 'Must be a path such as /newsletter or a URL with https://',
} as const;

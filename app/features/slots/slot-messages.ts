/** Messages of the screen for ads and announcements. */
export const slotMessages = {
  confirmDelete: 'Are you sure you want to delete this slot?',
  deleted: 'Slot deleted.',
  deleteFailed: 'Failed to delete slot',
  saveFailed: 'Error saving slot',
  adNeedsLink: 'An ad needs a link',
  notInLibrary: 'Choose a picture of the media library',
  noPictureInBar: 'The bar shows no picture. Leave this blank',
  noSuchCategory: 'Choose a category',
  noCategoryHere: 'Only slots in lists and on deal pages have a category',
  wrongLink: 'Must be a path such as /newsletter or a URL with https://',
} as const;

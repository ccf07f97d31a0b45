/** Messages of merchant management. */
export const merchantMessages = {
  confirmDelete: 'Are you sure you want to delete this merchant?',
  deleted: 'Merchant deleted successfully!',
  deleteFailed: 'Failed to delete merchant',
  slugTaken: 'Error saving merchant. Please check if the slug is unique.',
} as const;

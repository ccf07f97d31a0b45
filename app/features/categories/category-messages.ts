/** Messages of category management. */
export const categoryMessages = {
  confirmDelete: 'Are you sure you want to delete this category?',
  deleted: 'Category deleted successfully!',
  deleteFailed: 'Failed to delete category',
  slugTaken: 'Error saving category. Please check if the slug is unique.',
} as const;

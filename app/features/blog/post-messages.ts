/** Messages of blog management. */
export const postMessages = {
  confirmDelete: 'Are you sure you want to delete this blog post?',
  created: 'Blog post created successfully!',
  createFailed: 'Failed to create blog post',
  updated: 'Blog post updated successfully!',
  updateFailed: 'Failed to update blog post',
  deleted: 'Blog post deleted successfully!',
  deleteFailed: 'Failed to delete blog post',
  statusUpdated: 'Blog post status updated successfully!',
  notFound: 'Blog post not found',
  restored: 'The blog post was restored.',
  restoreFailed: 'The blog post could not be restored.',
  goneWhileEdited:
    'Blog post not found: someone deleted it in the meantime. What you typed is still here.',
  changedMeanwhile: 'Someone else saved this blog post in the meantime.',
  slugTaken: 'Another blog post has this slug.',
  pictureMissing: 'Featured image is required to publish',
  contentEmpty: 'Content is required',
  contentTooLong: 'Content must be at most 200 KB',
} as const;

export type PostState = 'published' | 'scheduled' | 'draft';

/**
 * Returns the state of a post. Unpublished posts are drafts, and published ones with a future date
 * are scheduled.
 */
export function postState(
  post: { is_published: boolean; published_at: Date | null },
  now: Date,
): PostState {
  if (!post.is_published) return 'draft';
  return post.published_at && post.published_at > now ? 'scheduled' : 'published';
}

export type PostState = 'published' | 'scheduled' | 'draft';

/** P40: `is_published` alone makes a draft; a published one whose day is yet to come is scheduled. */
export function postState(
  post: { is_published: boolean; published_at: Date | null },
  now: Date,
): PostState {
  if (!post.is_published) return 'draft';
  return post.published_at && post.published_at > now ? 'scheduled' : 'published';
}

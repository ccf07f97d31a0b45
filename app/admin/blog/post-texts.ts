import type { EditablePost } from '#app/features/blog/change-post.server.ts';
import { searchLabels } from '#app/features/catalog/search-fields.ts';
import { defaultReadTime } from '#app/features/blog/post-input.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';

/** The labels of the fields, in the order of the form. */
export const postLabels = {
  title: 'Title',
  slug: 'Slug',
  excerpt: 'Excerpt',
  content: 'Content',
  is_published: 'Published',
  is_featured: 'Featured',
  published_at: 'Publication date',
  author: 'Author',
  read_time: 'Read Time (minutes)',
  featured_image_url: 'Featured Image URL',
  tags: 'Tags',
  ...searchLabels,
  seo_title: 'SEO Title',
  seo_description: 'SEO Description',
};

/** Returns a post's form values as text, with times in the site's time zone. */
export function postTexts(post: EditablePost, timeZone: string): Record<string, string> {
  const { published_at: at } = post;
  return { ...rowTexts(post), published_at: at ? toWallClock(at, timeZone) : '' };
}

/** Returns the initial values of a new post. */
export function newPostTexts(siteName: string) {
  return { author: teamOf(siteName), read_time: String(defaultReadTime) };
}

/** Returns the author's name for posts without one. */
export function teamOf(siteName: string): string {
  return `${siteName} Team`;
}

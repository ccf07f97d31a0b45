import type { EditablePost } from '#app/features/blog/change-post.server.ts';
import { defaultReadTime } from '#app/features/blog/post-input.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';
import type { PostFieldName } from './post-labels.ts';

type PostTexts = Partial<Record<PostFieldName, string>>;

/** A post as the texts of its form, with times on the clock of the site. */
export function postTexts(post: EditablePost, timeZone: string): PostTexts {
  const tick = (isTicked: boolean) => (isTicked ? 'on' : '');
  return {
    title: post.title,
    slug: post.slug,
    excerpt: post.excerpt,
    content: post.content,
    is_published: tick(post.is_published),
    is_featured: tick(post.is_featured),
    published_at: post.published_at ? toWallClock(post.published_at, timeZone) : '',
    author: post.author,
    read_time: String(post.read_time),
    featured_image_url: post.featured_image_url ?? '',
    tags: post.tags.join(', '),
    seo_title: post.seo_title ?? '',
    seo_description: post.seo_description ?? '',
  };
}

/** What a new post starts with. */
export function newPostTexts(siteName: string): PostTexts {
  return { author: teamOf(siteName), read_time: String(defaultReadTime) };
}

/** Whoever is named where nobody is. */
export function teamOf(siteName: string): string {
  return `${siteName} Team`;
}

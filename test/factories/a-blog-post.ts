import type { Insertable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { nextNumber } from './sequence.ts';

export type NewBlogPost = Insertable<Database['blog_posts']>;

export function aBlogPost(overrides: Partial<NewBlogPost> = {}): NewBlogPost {
  const number = nextNumber();
  return {
    title: `Post ${number}`,
    slug: `post-${number}`,
    excerpt: `What post ${number} is about.`,
    content: `<p>The text of post ${number}.</p>`,
    featured_image_url: null,
    author: 'Deal Hub Team',
    is_published: true,
    is_featured: false,
    seo_title: null,
    seo_description: null,
    tags: ['shopping'],
    published_at: new Date('2026-01-10T09:00:00Z'),
    ...overrides,
  };
}

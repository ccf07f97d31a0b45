import posts from './demo-posts.json' with { type: 'json' };
import type { ProductKind } from './product-art.ts';

export interface DemoPost {
  title: string;
  excerpt: string;
  tags: readonly string[];
  kind: ProductKind;
  isFeatured: boolean;
  /** Paragraphs of HTML; a line that starts with `## ` is a heading. */
  body: readonly string[];
}

/** Newest first. */
export const demoPosts = posts as readonly DemoPost[];

/** The post as HTML, in the few elements that the blog's sanitiser keeps. */
export function postHtml(post: DemoPost): string {
  return post.body
    .map((block) => (block.startsWith('## ') ? `<h2>${block.slice(3)}</h2>` : `<p>${block}</p>`))
    .join('\n');
}

/** Minutes at 200 words a minute, at least two. */
export function readTimeOf(post: DemoPost): number {
  const words = post.body.join(' ').split(/\s+/).length;
  return Math.max(2, Math.round(words / 200));
}

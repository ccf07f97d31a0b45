import posts from './demo-posts.json' with { type: 'json' };

/**
 * Demo posts, newest first. The body consists of HTML paragraphs; a line that starts with `## ` is
 * a heading.
 */
export const demoPosts = posts;

type DemoPost = (typeof demoPosts)[number];

/** Returns the post as HTML, with only the elements that the blog's sanitizer allows. */
export function postHtml(post: DemoPost): string {
  return post.body
    .map((block) => (block.startsWith('## ') ? `<h2>${block.slice(3)}</h2>` : `<p>${block}</p>`))
    .join('\n');
}

/** Returns the reading time in minutes at 200 words a minute, at least two. */
export function readTimeOf(post: DemoPost): number {
  const words = post.body.join(' ').split(/\s+/).length;
  return Math.max(2, Math.round(words / 200));
}

import { marked } from 'marked';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { withoutAnchors } from './divide-text.ts';

/** Returns Markdown of staff as HTML, sanitised like posts. */
export function renderMarkdown(markdown: string, ownOrigin: string): string {
  return sanitisePost(marked.parse(withoutAnchors(markdown), { async: false }), ownOrigin);
}

/** Returns one paragraph of staff as the HTML of its words. */
export function renderLine(markdown: string, ownOrigin: string): string {
  return sanitisePost(marked.parseInline(markdown, { async: false }), ownOrigin);
}

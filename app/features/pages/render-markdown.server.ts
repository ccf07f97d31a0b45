import { marked } from 'marked';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { withoutAnchors } from './divide-text.ts';

/** Converts Markdown by staff to HTML, sanitized like posts. */
export function renderMarkdown(markdown: string, ownOrigin: string): string {
  return sanitisePost(marked.parse(withoutAnchors(markdown), { async: false }), ownOrigin);
}

/** Converts one paragraph by staff to inline HTML. */
export function renderLine(markdown: string, ownOrigin: string): string {
  return sanitisePost(marked.parseInline(markdown, { async: false }), ownOrigin);
}

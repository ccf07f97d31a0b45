import { cutText } from '#app/platform/cut-text.ts';

/** Shortcodes that may have no attributes. Other bare names are ordinary words in brackets. */
const bareShortcodes = new Set(
  'gallery playlist audio video embed caption toc products cart checkout contact_form more_from login'.split(
    ' ',
  ),
);
const shortcode = /\[(\/?)([a-z][\w-]{0,60})((?:\s|=)[^[\]]{0,2000})?\]/gi;
const mostNamed = 10;

/**
 * Removes shortcodes and the comments of WordPress blocks, but keeps text between shortcodes.
 * `[caption]` becomes a figure, and `[embed]` becomes its URL. Returns the names of the removed
 * shortcodes.
 */
export function withoutShortcodes(html: string): { html: string; removed: string[] } {
  const closed = new Set<string>();
  for (const [, slash, name = ''] of html.matchAll(shortcode))
    if (slash) closed.add(name.toLowerCase());
  const removed = new Set<string>();
  const cleaned = withoutComments(html).replace(
    shortcode,
    (whole, slash: string, written: string, more: string | undefined) => {
      const name = written.toLowerCase();
      if (name === 'caption' || name === 'wp_caption') return slash ? '</figure>' : '<figure>';
      if (name === 'embed') return slash ? '</p>' : '<p>';
      const isShortcode =
        slash ||
        closed.has(name) ||
        bareShortcodes.has(name) ||
        name.includes('_') ||
        more?.includes('=');
      if (!isShortcode) return whole;
      if (removed.size < mostNamed) removed.add(cutText(name, 60));
      return '';
    },
  );
  return { html: cleaned, removed: [...removed] };
}

function withoutComments(html: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = html.indexOf('<!--', from);
    const end = start < 0 ? -1 : html.indexOf('-->', start + 4);
    if (end < 0) break;
    parts.push(html.slice(from, start));
    from = end + 3;
  }
  return parts.join('') + html.slice(from);
}

const blockStart =
  /^<\/?(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th|blockquote|pre|figure|figcaption|hr|section|article|aside|header|footer|form|iframe|script|style)\b/i;

const shortcodeStart = /^\[\/?(?:wp_caption|caption|embed)\b/i;

/**
 * Turns blank lines into paragraphs, as WordPress does when it shows a classic post. Posts from the
 * block editor already have paragraphs.
 */
export function withParagraphs(html: string): string {
  if (html.includes('<!-- wp:')) return html;
  const done: string[] = [];
  let lines: string[] = [];
  let isInPre = false;
  const flush = () => {
    if (lines.length > 0) done.push(`<p>${lines.join('<br>\n')}</p>`);
    lines = [];
  };
  for (const line of html.split(/\r\n?|\n/)) {
    const text = isInPre ? line : line.trim();
    const isBlock = isInPre || blockStart.test(text) || shortcodeStart.test(text);
    if (/<(?:pre|script|style)\b/i.test(text)) isInPre = true;
    if (/<\/(?:pre|script|style)\b/i.test(text)) isInPre = false;
    if (isBlock || text === '') {
      flush();
      if (isBlock) done.push(text);
    } else lines.push(text);
  }
  flush();
  return done.join('\n');
}

/** Decodes an old slug, in which other alphabets are percent-encoded. */
export function decodedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

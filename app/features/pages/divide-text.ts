// Divides a text at its headings.
import { marked, type Token, type Tokens } from 'marked';
import { slugify } from '#database/slug.ts';

/** The content below a heading. */
export interface TextPart {
  /**
   * The anchor, given in braces after the title (`## Title {#anchor}`) or else derived from the
   * title.
   */
  id: string;
  title: string;
  tokens: Token[];
}

/** Splits a heading into title and anchor. Returns `null` if there is no anchor. */
function splitAnchor(heading: string): { title: string; id: string } | null {
  const start = heading.lastIndexOf('{#');
  if (start < 0 || !heading.endsWith('}')) return null;
  const id = heading.slice(start + 2, -1);
  return /^[\w-]+$/.test(id) ? { title: heading.slice(0, start).trimEnd(), id } : null;
}

/**
 * Returns the parts below the headings of one level. `taken` contains the anchors that the page
 * already has.
 */
export function divideText(
  tokens: readonly Token[],
  depth: number,
  taken: Set<string> = new Set(),
): TextPart[] {
  const parts: TextPart[] = [];
  for (const token of tokens) {
    if (isHeading(token) && token.depth === depth) {
      const { title, id } = splitAnchor(token.text) ?? {
        title: token.text,
        id: slugify(token.text) || 'part',
      };
      let free = id;
      for (let n = 2; taken.has(free); n++) free = `${id}-${n}`;
      taken.add(free);
      parts.push({ id: free, title, tokens: [] });
    } else parts.at(-1)?.tokens.push(token);
  }
  return parts;
}

export function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** Returns the paragraphs as plain text. */
export function paragraphsOf(tokens: readonly Token[]): string {
  const paragraphs = tokens.filter(({ type }) => type === 'paragraph');
  return paragraphs.map(({ raw }) => raw.replace(/\s+/g, ' ').trim()).join(' ');
}

/** Returns a Markdown text without its markup, for searches and descriptions. */
export function plainText(markdown: string): string {
  let words = '';
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'text' && !('tokens' in token && token.tokens)) words += ` ${token.text}`;
  });
  return words.replace(/\s+/g, ' ').trim();
}

/** Removes the anchors of headings, which only divided texts have. */
export function withoutAnchors(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => (line.startsWith('#') ? (splitAnchor(line)?.title ?? line) : line))
    .join('\n');
}

import { marked, type Token } from 'marked';
import type { RouterContextProvider } from 'react-router';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import type { SearchTexts } from '#app/features/catalog/search-fields.ts';
import { appServices, cacheValue } from '#app/platform/app-context.server.ts';
import { escapeXml } from '#app/platform/escape-xml.ts';
import { longDate } from '#app/platform/time-words.ts';
import { divideText, isHeading, paragraphsOf, plainText, type TextPart } from './divide-text.ts';
import { fillFacts } from './fill-facts.ts';
import { originalText } from './original-texts.server.ts';
import { listStoredTexts } from './page-queries.server.ts';
import { readSiteFacts, type SiteFacts } from './site-facts.server.ts';
import type { TextName } from './site-texts.ts';

/** The cache tag of all responses that show pages. */
export const pagesTag = 'pages';

/** A question with its answer. */
export interface AnsweredQuestion {
  id: string;
  question: string;
  /** The answer as plain text. */
  answer: string;
  /** The answer as HTML, if staff wrote it. */
  html?: string;
  links?: { to: string; label: string }[] | undefined;
}

export type SiteText = Awaited<ReturnType<typeof readSiteText>>;

/**
 * Returns one of the site's texts: the version by staff, or else the original. Facts about the site
 * are filled in.
 */
export async function readSiteText(context: Readonly<RouterContextProvider>, name: TextName) {
  const services = appServices(context);
  const { origin } = services.env;
  const [site, stored] = await Promise.all([
    readSiteFacts(context),
    cacheValue(services, 'site texts', [pagesTag], () => listStoredTexts(services.db)),
  ]);
  const original = originalText(name);
  const own = stored.find(({ slug }) => slug === name) ?? null;
  const { title, intro, content } = own ?? original;
  const fill = (text: string) => fillFacts(text, site);
  return {
    name,
    origin,
    site,
    isOriginal: own === null,
    title: fill(title),
    intro: introOf(intro, { site, origin, isOriginal: own === null }),
    dated: own ? longDate(own.updated_at, site.timeZone) : original.dated,
    content,
    head: headOf(own, fill(own && name !== 'about' ? own.title : original.pageTitle), {
      description: fill(original.description),
    }),
  };
}

interface Shown {
  site: SiteFacts;
  origin: string;
  isOriginal: boolean;
}

function introOf(markdown: string, shown: Shown): string {
  return htmlOf(shown, marked.parseInline(markdown, { async: false }));
}

function headOf(own: SearchTexts | null, title: string, { description }: { description: string }) {
  return {
    title: own?.seo_title || title,
    description: own?.seo_description || description,
    shareText: own?.share_text || null,
    isIndexed: !own?.noindex,
  };
}

/** Returns the sections of a text with their HTML. */
export function sectionsOf(text: SiteText) {
  return (
    partsOf(text, 2)
      .map(({ id, title, tokens }) => ({
        id,
        title: fillFacts(title, text.site),
        html: htmlOf(text, marked.parser(tokens)),
      }))
      // If the fact of a section is missing, only an empty paragraph remains.
      .filter(({ html }) => !/^<p>\s*<\/p>$/.test(html.trim()))
  );
}

/** Returns the questions below each second-level heading, with the text in between. */
export function questionsOf(text: SiteText) {
  const fill = (words: string) => fillFacts(words, text.site);
  const parts = partsOf(text, 2);
  const taken = new Set(parts.map(({ id }) => id));
  return parts.map(({ id, title, tokens }) => {
    const first = tokens.findIndex(isHeading);
    return {
      id,
      title: fill(title),
      about: fill(paragraphsOf(first < 0 ? tokens : tokens.slice(0, first))),
      entries: divideText(tokens, 3, taken).map((part) => readQuestion(part, text)),
    };
  });
}

/** Original texts are parsed only once, since only the site's facts may change. */
const parsed = new Map<string, TextPart[]>();

function partsOf({ content, isOriginal }: SiteText, depth: number): TextPart[] {
  const known = isOriginal ? parsed.get(content) : undefined;
  const parts = known ?? divideText(marked.lexer(content), depth);
  if (isOriginal) parsed.set(content, parts);
  return parts;
}

/** HTML by staff is sanitized after facts are filled in. */
function htmlOf({ site, isOriginal, origin }: Shown, html: string): string {
  const filled = fillFacts(html, site, escapeXml);
  return isOriginal ? filled : sanitisePost(filled, origin);
}

function readQuestion({ id, title, tokens }: TextPart, text: SiteText): AnsweredQuestion {
  const question = fillFacts(title, text.site);
  if (!text.isOriginal) {
    const answer = plainText(fillFacts(tokens.map(({ raw }) => raw).join(''), text.site));
    return { id, question, answer, html: htmlOf(text, marked.parser(tokens)) };
  }
  const links = tokens.flatMap((token) => (token.type === 'list' ? linksIn(token) : []));
  const answer = fillFacts(paragraphsOf(tokens), text.site);
  return { id, question, answer, ...(links.length > 0 && { links }) };
}

function linksIn(list: Token): { to: string; label: string }[] {
  const found: { to: string; label: string }[] = [];
  void marked.walkTokens([list], (token) => {
    if (token.type === 'link') found.push({ to: token.href, label: token.text });
  });
  return found;
}

// The site's long texts from `content/`: Markdown with facts about this site filled in.
import { marked, type Token, type Tokens } from 'marked';
import aboutUs from '#content/about.md?raw';
import cookies from '#content/cookies.md?raw';
import disclaimer from '#content/disclaimer.md?raw';
import faq from '#content/faq.md?raw';
import help from '#content/help.md?raw';
import privacy from '#content/privacy.md?raw';
import terms from '#content/terms.md?raw';
import { escapeXml } from '#app/platform/escape-xml.ts';
import type { AnsweredQuestion } from './question-list.tsx';
import type { SiteFacts } from './site-facts.server.ts';

const documents = { cookies, disclaimer, privacy, terms };
const questions = { about: aboutUs, faq, help };
export type DocumentName = keyof typeof documents;

/** Returns a policy: the text before its first section by name, and its sections. */
export function readDocument(name: DocumentName, site: SiteFacts) {
  const { front, sections } = parsedDocument(name);
  const field = (key: string) =>
    fill(new RegExp(`^${key}: (.*)$`, 'm').exec(front)?.[1] ?? '', site);
  return {
    title: field('title'),
    description: field('description'),
    lead: field('lead'),
    /**
     * The date from which the policy applies. A material change sets a new date and is announced 30
     * days before.
     */
    dated: field('dated'),
    sections: sections
      .map(({ id, title, html }) => ({
        id,
        title: fill(title, site),
        html: fill(html, site, escapeXml),
      }))
      // A section whose fact is missing leaves only an empty paragraph.
      .filter(({ html }) => !/^<p>\s*<\/p>$/.test(html.trim())),
  };
}

/** The document is parsed once, since only the site's facts may change. */
const parsedDocument = once((name: DocumentName) => {
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(documents[name]) ?? [];
  const sections = split(marked.lexer(body), 2).map(({ id, title, tokens }) => ({
    id,
    title,
    html: marked.parser(tokens),
  }));
  return { front, sections };
});

/** Returns the questions below each second-level heading, with the text in between. */
export function readQuestions(name: keyof typeof questions, site: SiteFacts) {
  return parsedQuestions(name).map(({ id, title, about, entries }) => ({
    id,
    title: fill(title, site),
    about: fill(about, site),
    entries: entries.map((entry) => ({
      ...entry,
      question: fill(entry.question, site),
      answer: fill(entry.answer, site),
    })),
  }));
}

const parsedQuestions = once((name: keyof typeof questions) =>
  split(marked.lexer(questions[name]), 2).map(({ id, title, tokens }) => ({
    id,
    title,
    about: textOf(tokens.slice(0, tokens.findIndex(isHeading))),
    entries: split(tokens, 3).map(readQuestion),
  })),
);

function once<Name, Parsed>(parse: (name: Name) => Parsed): (name: Name) => Parsed {
  const known = new Map<Name, Parsed>();
  return (name) => {
    const parsed = known.get(name) ?? parse(name);
    known.set(name, parsed);
    return parsed;
  };
}

function readQuestion({ id, title, tokens }: Part): AnsweredQuestion {
  const links = tokens.flatMap((token) => (token.type === 'list' ? linksIn(token) : []));
  return { id, question: title, answer: textOf(tokens), ...(links.length > 0 && { links }) };
}

function linksIn(list: Token): { to: string; label: string }[] {
  const found: { to: string; label: string }[] = [];
  void marked.walkTokens([list], (token) => {
    if (token.type === 'link') found.push({ to: token.href, label: token.text });
  });
  return found;
}

function textOf(tokens: readonly Token[]): string {
  const paragraphs = tokens.filter(({ type }) => type === 'paragraph');
  return paragraphs.map(({ raw }) => raw.replace(/\s+/g, ' ').trim()).join(' ');
}

interface Part {
  /** The anchor in braces: `## Title {#anchor}`. */
  id: string;
  title: string;
  tokens: Token[];
}

/** Returns the content below each heading of a level. */
function split(tokens: readonly Token[], depth: number): Part[] {
  const parts: Part[] = [];
  for (const token of tokens) {
    if (isHeading(token) && token.depth === depth) {
      const [, title = '', id = ''] = /^(.*?) *\{#([\w-]+)\}$/.exec(token.text) ?? [];
      parts.push({ id, title, tokens: [] });
    } else parts.at(-1)?.tokens.push(token);
  }
  return parts;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/**
 * Replaces placeholders of facts: `{{name}}`. In addresses, Markdown has escaped the braces. Text
 * between `{{name?` and `?}}` is omitted if that fact is missing.
 */
function fill(text: string, site: SiteFacts, escape = (value: string) => value): string {
  const facts: Record<string, string> = {
    ...site,
    replyHours: String(site.replyHours ?? ''),
    passwordMinLength: String(site.passwordMinLength),
    newsletterRhythm: site.hasDigest
      ? 'once a week with the best new deals, each with what our log says about its price'
      : 'when there is something worth an email',
    hasDigest: '',
    isAmazonAssociate: site.isAmazonAssociate ? 'yes' : '',
  };
  const told = text.replace(/\{\{(\w+)\?(.*?)\?\}\}/gs, (_whole, key: string, words: string) =>
    facts[key] ? words : '',
  );
  return told.replace(/(?:\{\{|%7B%7B)(\w+)(?:\}\}|%7D%7D)/g, (whole, key: string) =>
    escape(facts[key] ?? whole),
  );
}

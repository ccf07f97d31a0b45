import { marked, type Token } from 'marked';
import { divideText, isHeading } from './divide-text.ts';
import { pageMessages } from './page-messages.ts';
import { renderMarkdown } from './render-markdown.server.ts';
import type { TextForm } from './site-texts.ts';

/** Returns why a page could not show this Markdown, or `null`. */
export function checkMarkdown(markdown: string, form: TextForm | null): string | null {
  try {
    renderMarkdown(markdown, 'https://site.example');
    return form === null || form === 'intro' ? null : checkForm(marked.lexer(markdown), form);
  } catch (error) {
    // The parser recurses at each level of nesting.
    if (error instanceof RangeError) return pageMessages.tooDeep;
    throw error;
  }
}

function checkForm(tokens: readonly Token[], form: 'sections' | 'questions'): string | null {
  const isSection = (token: Token) => isHeading(token) && token.depth === 2;
  const first = tokens.findIndex(isSection);
  if (first < 0) return pageMessages.needsSections;
  if (tokens.slice(0, first).some(({ type }) => type !== 'space')) return pageMessages.looseText;
  if (form === 'sections') return null;
  const hasQuestions = divideText(tokens, 2).every((part) => divideText(part.tokens, 3).length > 0);
  return hasQuestions ? null : pageMessages.needsQuestions;
}

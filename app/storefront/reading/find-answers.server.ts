import { fold } from '#app/platform/fold.ts';
import { type PageParameters, textParameter } from '#app/platform/page-parameters.ts';
import faqCategories from '#app/storefront/faq/faq-categories.json' with { type: 'json' };
import type { AnsweredQuestion } from './question-list.tsx';
import { longestReadingSearch } from './reading-search.tsx';

/**
 * Returns those whose question or answer contains the words, in any case and with or without
 * accents; all for a blank search.
 */
export function findAnswers<Entry extends AnsweredQuestion>(
  entries: readonly Entry[],
  search: string,
): Entry[] {
  const wanted = fold(search);
  return entries.filter(
    ({ question, answer }) => fold(question).includes(wanted) || fold(answer).includes(wanted),
  );
}

/** The parameters of the Help Center's address: a search, cleaned to one line of limited length. */
export const helpParameters: PageParameters<{ search: string }> = {
  search: textParameter('search', (text) =>
    text.replace(/\s+/g, ' ').trim().slice(0, longestReadingSearch),
  ),
};

/** The FAQ can also be filtered by category. */
export const faqParameters: PageParameters<{ search: string; category: string }> = {
  ...helpParameters,
  category: {
    name: 'category',
    read: (text) => (Object.hasOwn(faqCategories, text) ? text : undefined),
    write: (category) => category,
  },
};

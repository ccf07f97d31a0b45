import { fold } from '#app/platform/fold.ts';
import { type PageParameters, textParameter } from '#app/platform/page-parameters.ts';
import faqCategories from '#app/storefront/faq/faq-categories.json' with { type: 'json' };
import type { AnsweredQuestion } from './question-list.tsx';
import { longestReadingSearch } from './reading-search.tsx';

/** Those whose question or answer holds the words as they stand, in any case and with any accents; all for a blank search. */
export function findAnswers<Entry extends AnsweredQuestion>(
  entries: readonly Entry[],
  search: string,
): Entry[] {
  const wanted = fold(search);
  return entries.filter(
    ({ question, answer }) => fold(question).includes(wanted) || fold(answer).includes(wanted),
  );
}

/** What the Help Center reads of its address: a search, as it is looked for: one line, not endless. */
export const helpParameters: PageParameters<{ search: string }> = {
  search: textParameter('search', (text) =>
    text.replace(/\s+/g, ' ').trim().slice(0, longestReadingSearch),
  ),
};

/** The questions can be narrowed to one of their categories, too. */
export const faqParameters: PageParameters<{ search: string; category: string }> = {
  ...helpParameters,
  category: {
    name: 'category',
    read: (text) => (Object.hasOwn(faqCategories, text) ? text : undefined),
    write: (category) => category,
  },
};

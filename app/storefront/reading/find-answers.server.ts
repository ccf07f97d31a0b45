import { fold } from '#app/platform/fold.ts';
import { type PageParameters, textParameter } from '#app/platform/page-parameters.ts';
import type { AnsweredQuestion } from '#app/features/pages/read-site-text.server.ts';
import { longestReadingSearch } from './reading-search.tsx';

/**
 * Returns the entries whose question or answer contains the words, in any case and with or without
 * accents. A blank search returns all entries.
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

/** The parameters of the Help Center's URL: a search, cleaned to one line of limited length. */
export const helpParameters: PageParameters<{ search: string }> = {
  search: textParameter('search', (text) =>
    text.replace(/\s+/g, ' ').trim().slice(0, longestReadingSearch),
  ),
};

/** The parameters of the FAQ's URL, which can also be filtered by category. */
export const faqParameters: PageParameters<{ search: string; category: string }> = {
  ...helpParameters,
  category: {
    name: 'category',
    read: (text) => (/^[\w-]{1,100}$/.test(text) ? text : undefined),
    write: (category) => category,
  },
};

import type { AnsweredQuestion } from './question-list.tsx';

/** Those whose question or answer holds the words as they stand, in any case; all for a blank search. */
export function findAnswers<Entry extends AnsweredQuestion>(
  entries: readonly Entry[],
  search: string,
): Entry[] {
  const wanted = search.toLowerCase();
  return entries.filter(
    ({ question, answer }) =>
      question.toLowerCase().includes(wanted) || answer.toLowerCase().includes(wanted),
  );
}

/** The search of an address, as it is looked for: one line, not endless. */
export function readReadingSearch(params: URLSearchParams, longest: number): string {
  return (params.get('search') ?? '').replace(/\s+/g, ' ').trim().slice(0, longest);
}

import { debounceMs, shortestSuggestion, suggestAddress } from './suggestion.ts';

let early: { query: string; answer: Promise<Response> } | undefined;

/** Fetches suggestions while the search box's script is still loading. */
export function startEarlySuggestions(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.role !== 'combobox') return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const query = target.value.trim();
      const isAsleep = target.closest('deal-island:not([data-awake])') !== null;
      if (!isAsleep || query.length < shortestSuggestion) return;
      const answer = fetch(suggestAddress(query));
      answer.catch(() => {});
      early = { query, answer };
    }, debounceMs);
  });
}

/** Hands the request over to the hydrated search box, since a response can be read only once. */
export function takeEarlyAnswer(query: string): Promise<Response> | undefined {
  const answer = early?.query === query ? early.answer : undefined;
  early = undefined;
  return answer;
}

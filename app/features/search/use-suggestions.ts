import { useEffect, useRef, useState } from 'react';
import { takeEarlyAnswer } from './early-suggestions.ts';
import {
  debounceMs,
  shortestSuggestion,
  suggestAddress,
  type Suggestion,
  suggestionTypeLabels,
} from './suggestion.ts';

/** The empty result, a constant so that it does not cause a render. */
export const nothing: Suggestion[] = [];

export interface SuggestionState {
  /** The text that these suggestions belong to, possibly an earlier one. */
  query: string;
  items: Suggestion[];
  isLoading: boolean;
  /** Whether the result for the current text has arrived. */
  isAnswered: boolean;
}

interface Answer {
  query: string;
  items: Suggestion[];
  hasFailed: boolean;
}

/**
 * Returns suggestions, fetched 150 ms after the last key, or at once for the initial text. A new
 * request aborts the previous one, whose result stays until then. A failure shows nothing, since
 * the search itself still works.
 */
export function useSuggestions(text: string): SuggestionState {
  const query = text.trim();
  const isAsked = query.length >= shortestSuggestion;
  const [answer, setAnswer] = useState<Answer | null>(null);

  // Clears old results, which must not reappear when the first letters of a new text are typed.
  if (!isAsked && answer) setAnswer(null);

  const patience = useRef(0);
  useEffect(() => {
    const patienceMs = patience.current;
    patience.current = debounceMs;
    if (!isAsked) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      askForSuggestions(query, controller.signal).then(
        (items) => setAnswer({ query, items, hasFailed: false }),
        () => {
          if (!controller.signal.aborted) setAnswer({ query, items: [], hasFailed: true });
        },
      );
    }, patienceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, isAsked]);

  if (!isAsked) return { query, items: nothing, isLoading: false, isAnswered: false };
  const isPresent = answer?.query === query;
  return {
    query: answer?.query ?? query,
    items: answer?.items ?? nothing,
    isLoading: !isPresent,
    isAnswered: isPresent && !answer.hasFailed,
  };
}

async function askForSuggestions(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await (takeEarlyAnswer(query) ?? fetch(suggestAddress(query), { signal }));
  if (!response.ok) throw new Error(`Suggestions returned ${response.status}`);
  return readSuggestions(await response.json(), 'suggestions');
}

const mostPopular = 5;
let popular: Promise<Suggestion[]> | null = null;

/** Returns popular searches, fetched once per visit for all search boxes. */
export function popularSearches(): Promise<Suggestion[]> {
  popular ??= fetch('/api/popular-searches')
    .then(async (response) => {
      if (!response.ok) throw new Error(`Popular searches returned ${response.status}`);
      return readSuggestions(await response.json(), 'searches').slice(0, mostPopular);
    })
    .catch(() => {
      popular = null;
      return [];
    });
  return popular;
}

function readSuggestions(body: unknown, name: 'suggestions' | 'searches'): Suggestion[] {
  const rows: unknown = isRecord(body) ? body[name] : null;
  return Array.isArray(rows) ? rows.filter(isSuggestion) : [];
}

function isSuggestion(row: unknown): row is Suggestion {
  return (
    isRecord(row) &&
    typeof row.text === 'string' &&
    typeof row.type === 'string' &&
    Object.hasOwn(suggestionTypeLabels, row.type)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

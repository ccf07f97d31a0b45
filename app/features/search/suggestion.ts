import type { Suggestion as StoredSuggestion } from './suggestion-queries.server.ts';

/** One row below the search box. Choosing it searches for its text. */
export type Suggestion = Pick<StoredSuggestion, 'text' | 'type'> & { image_url?: string | null };

/** Suggestions start here; a shorter text matches too much to suggest anything. */
export const shortestSuggestion = 2;

/** Stores are merchants to the database and stores to visitors. */
export const suggestionTypeLabels: Record<Suggestion['type'], string> = {
  deal: 'Deal',
  category: 'Category',
  merchant: 'Store',
};

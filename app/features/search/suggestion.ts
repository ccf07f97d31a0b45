/** One row below the search box. Choosing it searches for its text. */
export interface Suggestion {
  text: string;
  type: 'deal' | 'category' | 'merchant';
  image_url?: string | null;
}

/** Suggestions start here; a shorter text matches too much to suggest anything. */
export const shortestSuggestion = 2;

/** So long after the last key it is asked what there is to suggest. */
export const debounceMs = 150;

export function suggestAddress(query: string): string {
  return `/api/suggest?q=${encodeURIComponent(query)}`;
}

/** Stores are merchants to the database and stores to visitors. */
export const suggestionTypeLabels: Record<Suggestion['type'], string> = {
  deal: 'Deal',
  category: 'Category',
  merchant: 'Store',
};

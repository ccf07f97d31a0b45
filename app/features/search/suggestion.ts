/** One row below the search box. Choosing it searches for its text. */
export interface Suggestion {
  text: string;
  /** The kind of suggestion. `product` is a deal whose product several stores sell. */
  type: 'deal' | 'product' | 'category' | 'merchant';
  image_url?: string | null;
}

/** The minimum length of text for suggestions, since a shorter text matches too much. */
export const shortestSuggestion = 2;

/** ms after the last key until suggestions are fetched */
export const debounceMs = 150;

export function suggestAddress(query: string): string {
  return `/api/suggest?q=${encodeURIComponent(query)}`;
}

/** The labels of the types. Visitors know merchants as stores. */
export const suggestionTypeLabels: Record<Suggestion['type'], string> = {
  deal: 'Deal',
  product: 'Several stores',
  category: 'Category',
  merchant: 'Store',
};

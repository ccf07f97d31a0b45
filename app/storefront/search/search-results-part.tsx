import { lazy, Suspense } from 'react';
import type { SearchView } from './read-search-results.server.ts';

const load = async () => (await import('./search-results.tsx')).SearchResults;

/**
 * The search results, which share an address with the list of all deals. The server renders them at once; a
 * browser that opens the plain list never loads their script. Their styles are in the shared sheet (vite.config.ts).
 */
const Results = import.meta.env.SSR ? await load() : lazy(async () => ({ default: await load() }));

export function SearchResultsPart({ view }: { view: SearchView }) {
  return (
    <Suspense>
      <Results view={view} />
    </Suspense>
  );
}

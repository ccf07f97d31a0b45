import type { DataStrategyResult, MiddlewareFunction } from 'react-router';

type Results = Record<string, DataStrategyResult>;

/**
 * Client middleware of pages without a router. Opens them as documents when a page with a router
 * links to them.
 */
export const openAsDocument: MiddlewareFunction<Results> = ({ request }) => {
  location.assign(request.url);
  // The page is about to be replaced, so the navigation never resolves. If the browser restores the
  // page from its cache, it is reloaded.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  return new Promise<Results>(() => {});
};

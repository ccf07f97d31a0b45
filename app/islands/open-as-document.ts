import type { DataStrategyResult, MiddlewareFunction } from 'react-router';

type Results = Record<string, DataStrategyResult>;

/**
 * The client middleware of pages without a router. Opens these pages as documents when a page with
 * a router links to them.
 */
export const openAsDocument: MiddlewareFunction<Results> = ({ request }) => {
  location.assign(request.url);
  // The page is about to be replaced, so the navigation never resolves. If the browser restores the
  // page from its cache, the page is reloaded.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  return new Promise<Results>(() => {});
};

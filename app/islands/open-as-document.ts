import type { DataStrategyResult, MiddlewareFunction } from 'react-router';

type Results = Record<string, DataStrategyResult>;

/**
 * Opens pages without a router as documents, if a link of a page with a router leads there. Used as
 * client middleware.
 */
export const openAsDocument: MiddlewareFunction<Results> = ({ request }) => {
  location.assign(request.url);
  // The page is about to be replaced, so the navigation never resolves. If the browser restores the
  // page from its cache, it is reloaded.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  return new Promise<Results>(() => {});
};

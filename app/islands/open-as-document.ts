import type { DataStrategyResult, MiddlewareFunction } from 'react-router';

type Results = Record<string, DataStrategyResult>;

/** Client middleware of pages without a router: from a page with one they are opened as browsers do. */
export const openAsDocument: MiddlewareFunction<Results> = ({ request }) => {
  location.assign(request.url);
  // The page is about to go, and nothing takes its place until then. It would wait still if the browser kept it.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  return new Promise<Results>(() => {});
};

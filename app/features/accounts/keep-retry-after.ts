/**
 * Passes on `Retry-After` of an action that returns 429, since the router drops an action's
 * headers. Used as a page's `headers` export.
 */
export function keepRetryAfter({ actionHeaders }: { actionHeaders: Headers }): HeadersInit {
  const seconds = actionHeaders.get('retry-after');
  return seconds === null ? {} : { 'retry-after': seconds };
}

/**
 * The `headers` export of a page whose action may return 429; otherwise the router drops the
 * action's headers.
 */
export function keepRetryAfter({ actionHeaders }: { actionHeaders: Headers }): HeadersInit {
  const seconds = actionHeaders.get('retry-after');
  return seconds === null ? {} : { 'retry-after': seconds };
}

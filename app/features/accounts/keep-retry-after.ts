/** The `headers` export of a page whose action may refuse for a while: the router drops an action's headers otherwise. */
export function keepRetryAfter({ actionHeaders }: { actionHeaders: Headers }): HeadersInit {
  const seconds = actionHeaders.get('retry-after');
  return seconds === null ? {} : { 'retry-after': seconds };
}

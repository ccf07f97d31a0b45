/** The headers of a page whose action may lead on to a provider, or ask to wait. */
export function keepWayOn({
  actionHeaders,
  errorHeaders,
}: {
  actionHeaders: Headers;
  errorHeaders: Headers | undefined;
}): Headers {
  const kept = new Headers(errorHeaders);
  for (const name of ['refresh', 'retry-after']) {
    const value = actionHeaders.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

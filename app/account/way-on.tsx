import type { HeadersArgs } from 'react-router';

/** What a page says whose header leads on to another site. */
export function WayOn({ url }: { url: string }) {
  return (
    <p>
      Taking you there. If nothing happens, <a href={url}>use this link</a>.
    </p>
  );
}

/** The headers of a page whose action may lead on to a provider, or ask to wait. */
export function keepWayOn({ actionHeaders, errorHeaders }: HeadersArgs): Headers {
  const kept = new Headers(errorHeaders);
  for (const name of ['refresh', 'retry-after']) {
    const value = actionHeaders.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

import type { HeadersArgs } from 'react-router';

/** The content of a page whose headers redirect to another site. */
export function WayOn({ url }: { url: string }) {
  return (
    <p>
      Redirecting. If nothing happens, <a href={url}>use this link</a>.
    </p>
  );
}

/** Keeps the headers of an action that redirects to a provider or asks to wait. */
export function keepWayOn({ actionHeaders, errorHeaders }: HeadersArgs): Headers {
  const kept = new Headers(errorHeaders);
  for (const name of ['refresh', 'retry-after']) {
    const value = actionHeaders.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

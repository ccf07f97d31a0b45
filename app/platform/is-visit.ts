import { isbot } from 'isbot';

/** Returns whether a person is navigating: not a HEAD request or a prefetch. */
export function isVisit({ method, headers }: Request): boolean {
  const ahead = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name));
  return (
    method === 'GET' && !ahead.some((value) => /prefetch|preview|prerender/i.test(value ?? ''))
  );
}

/** Returns whether the user agent is a bot's, or missing. */
export function isProgram(userAgent: string | null): boolean {
  return !userAgent || isbot(userAgent);
}

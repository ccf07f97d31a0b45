/**
 * Fetches over a new connection, because the site may close a keep-alive connection just when it is
 * reused.
 */
export function fetchOnce(
  address: string,
  init: Omit<RequestInit, 'headers'> = {},
): Promise<Response> {
  return fetch(address, { ...init, headers: { connection: 'close' } });
}

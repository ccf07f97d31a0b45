/**
 * Fetches over a new connection, because the site may close a keep-alive connection at the moment
 * of its reuse.
 */
export function fetchOnce(
  address: string,
  init: Omit<RequestInit, 'headers'> = {},
): Promise<Response> {
  return fetch(address, { ...init, headers: { connection: 'close' } });
}

/**
 * Fetches over a connection of its own: the site may close a keep-alive one just when it is used
 * again.
 */
export function fetchOnce(
  address: string,
  init: Omit<RequestInit, 'headers'> = {},
): Promise<Response> {
  return fetch(address, { ...init, headers: { connection: 'close' } });
}

/** Fetches over a connection of its own: one that was kept may be closed by the site just when it is used again. */
export function fetchOnce(
  address: string,
  init: Omit<RequestInit, 'headers'> = {},
): Promise<Response> {
  return fetch(address, { ...init, headers: { connection: 'close' } });
}

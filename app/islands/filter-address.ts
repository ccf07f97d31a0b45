export interface AskedField {
  name: string;
  value: string;
  /** The default value, which the URL omits. */
  usual?: string | undefined;
}

/** Returns the URL of the filters in the server's format: without empty values and defaults. */
export function filterAddress(path: string, fields: Iterable<AskedField>): string {
  const query = new URLSearchParams();
  for (const { name, value, usual } of fields) {
    const wanted = value.trim();
    if (name && wanted && wanted !== usual) query.append(name, wanted);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

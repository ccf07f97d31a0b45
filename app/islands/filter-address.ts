export interface AskedField {
  name: string;
  value: string;
  /** What is in force without a word of it in the address. */
  usual?: string | undefined;
}

/** The address that filters ask for, as the server itself writes it: without what is empty or usual. */
export function filterAddress(path: string, fields: Iterable<AskedField>): string {
  const query = new URLSearchParams();
  for (const { name, value, usual } of fields) {
    const wanted = value.trim();
    if (name && wanted && wanted !== usual) query.append(name, wanted);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

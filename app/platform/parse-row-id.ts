/** Parses the id of a row in an address or a form. Returns null if it is invalid. */
export function parseRowId(text: unknown): number | null {
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

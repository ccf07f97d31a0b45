/** The number of a row as an address or a form gives it; null when it is none. */
export function parseRowId(text: unknown): number | null {
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/**
 * Returns a form's field as text. A file in its place counts as empty, and NUL is removed, since no
 * column accepts it.
 */
export function readText(form: { get(name: string): unknown }, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\0', '') : '';
}

/**
 * Returns a form's field as text. A file in its place counts as empty. NUL characters are removed,
 * since no column accepts them.
 */
export function readText(form: { get(name: string): unknown }, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\0', '') : '';
}

/** A form's field as text. A file in its place counts as empty; no column accepts a NUL. */
export function readText(form: { get(name: string): unknown }, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\0', '') : '';
}

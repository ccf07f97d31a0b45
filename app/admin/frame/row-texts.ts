/**
 * Returns a row's form values as text, except for values that need the form's formats, such as
 * times and money.
 */
export function rowTexts(row: object): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: string | number | boolean | readonly string[] | null): string {
  if (typeof value === 'boolean') return value ? 'on' : '';
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

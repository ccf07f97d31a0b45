import type { SelectOption } from '#app/ui/select-field.tsx';

/** Returns select options from labels by value. */
export function optionsOf(labels: Readonly<Record<string, string>>): SelectOption[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

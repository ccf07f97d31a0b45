import { parseRowId } from '#app/platform/parse-row-id.ts';

/** A page's worth and some more: a form with more boxes was made by hand. */
export const mostTicked = 500;

/** The ticked rows, or all that the list shows, with how many were seen. */
export type RowChoice = { ids: number[] } | { expectedCount: number };

/** What the bar below a list was pressed for; null when the form makes no sense. */
export function readSelection(form: FormData): RowChoice | null {
  if (form.get('all') !== '1') {
    const ids = form.getAll('ids').map((id) => parseRowId(typeof id === 'string' ? id : null));
    if (ids.length > mostTicked || !ids.every((id) => id !== null)) return null;
    return { ids: [...new Set(ids)] };
  }
  const expectedCount = Number(form.get('expected'));
  return Number.isSafeInteger(expectedCount) ? { expectedCount } : null;
}

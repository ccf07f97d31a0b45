import { parseRowId } from '#app/platform/parse-row-id.ts';

/** rows; more than fit on a page, so only a forged form has more */
export const mostTicked = 500;

/** The selected rows, or all rows of the list with the number that the user saw. */
export type RowChoice = { ids: number[] } | { expectedCount: number };

/** Parses a bulk action. Returns `null` if the form is invalid. */
export function readSelection(form: FormData): RowChoice | null {
  if (form.get('all') !== '1') {
    const ids = form.getAll('ids').map((id) => parseRowId(typeof id === 'string' ? id : null));
    if (ids.length > mostTicked || !ids.every((id) => id !== null)) return null;
    return { ids: [...new Set(ids)] };
  }
  const expectedCount = Number(form.get('expected'));
  return Number.isSafeInteger(expectedCount) ? { expectedCount } : null;
}

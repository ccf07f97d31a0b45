/**
 * Returns whether a script posted the form and wants the action's response instead of a page.
 * Loaders run after the action.
 */
export function wantsJson({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.get('accept') === 'application/json';
}

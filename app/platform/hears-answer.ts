/** Whether a form was posted by a script that wants the action's answer and no page. Loaders run after the action. */
export function hearsAnswer({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.get('accept') === 'application/json';
}

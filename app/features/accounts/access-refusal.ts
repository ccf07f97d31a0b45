import { isRouteErrorResponse } from 'react-router';

/** What a guard throws: nobody is signed in, or somebody who may not, not without a second step, or not so often. */
export type AccessRefusal =
  | { refused: 'nobody' | 'role' | 'factor' }
  | { refused: 'haste'; /** Until the next try. */ seconds: number };

export function isAccessRefusal(error: unknown): error is { data: AccessRefusal; status: number } {
  if (!isRouteErrorResponse(error)) return false;
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null && 'refused' in data;
}

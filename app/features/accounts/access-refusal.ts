import { data, isRouteErrorResponse } from 'react-router';

/** The reasons why a guard refuses: signed out, no right, no two-factor, or too many changes. */
export type AccessRefusal =
  | { refused: 'nobody' | 'role' | 'factor' }
  | { refused: 'haste'; /** Seconds until the next attempt. */ seconds: number };

const statuses = { nobody: 401, role: 403, factor: 403, haste: 429 };

export function refuseAccess(refusal: AccessRefusal): never {
  throw data(refusal, { status: statuses[refusal.refused] });
}

export function isAccessRefusal(error: unknown): error is { data: AccessRefusal; status: number } {
  if (!isRouteErrorResponse(error)) return false;
  const refusal: unknown = error.data;
  return typeof refusal === 'object' && refusal !== null && 'refused' in refusal;
}

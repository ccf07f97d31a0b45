import { data, type RouterContextProvider } from 'react-router';
import type { AccessRefusal } from './access-refusal.ts';
import type { Right } from './policy.ts';
import { currentUser, type SessionUser } from './sessions/session-context.server.ts';

/**
 * Who asks, when they may do this; else the answer is a refusal. The first line of every loader and action below
 * `admin/` (R61): the guard of the layout lets all of the staff pass.
 */
export function requireRight(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
  right: Right,
): SessionUser {
  const user = currentUser(context);
  if (user && user.rights.has(right)) return user;
  const refusal: AccessRefusal = { refused: user ? 'role' : 'nobody' };
  throw data(refusal, { status: user ? 403 : 401 });
}

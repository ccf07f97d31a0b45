import type { RouterContextProvider } from 'react-router';
import { refuseAccess } from './access-refusal.ts';
import type { Right } from './policy.ts';
import { currentUser, type SessionUser } from './sessions/session-context.server.ts';

/**
 * Returns the signed-in user if they have this right, and throws a refusal otherwise. The call is
 * the first line of every loader and action in `admin/`, since the layout's guard admits all staff.
 */
export function requireRight(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
  right: Right,
): SessionUser {
  const user = currentUser(context);
  if (user?.rights.has(right)) return user;
  refuseAccess({ refused: user ? 'role' : 'nobody' });
}

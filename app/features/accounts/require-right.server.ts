import { data, type RouterContextProvider } from 'react-router';
import type { AccessRefusal } from './access-refusal.ts';
import { type Action, can } from './policy.ts';
import { currentUser, type SessionUser } from './session-context.server.ts';

/** Who asks, when they may do this; else the answer is a refusal. The layout's guard lets all of the staff pass. */
export function requireRight(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
  action: Action,
): SessionUser {
  const user = currentUser(context);
  if (user && can(user.role, action)) return user;
  const refusal: AccessRefusal = { refused: user ? 'role' : 'nobody' };
  throw data(refusal, { status: user ? 403 : 401 });
}

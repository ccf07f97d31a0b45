import { data, type MiddlewareFunction } from 'react-router';
import type { AccessRefusal } from './access-refusal.ts';
import { isStaff } from './policy.ts';
import { currentUser } from './session-context.server.ts';

/**
 * Lets staff pass only. As middleware of a layout it stands before every loader and action below it, also when one of
 * them is asked for alone; a layout's loader would not.
 */
export const staffGuard: MiddlewareFunction<Response> = (args, next) => {
  const user = currentUser(args.context);
  if (user && isStaff(user.role)) return next();
  const refusal: AccessRefusal = { refused: user ? 'role' : 'nobody' };
  throw data(refusal, { status: user ? 403 : 401 });
};

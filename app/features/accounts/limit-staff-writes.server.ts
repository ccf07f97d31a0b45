import { createContext, data, type MiddlewareFunction } from 'react-router';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import type { AccessRefusal } from './access-refusal.ts';
import { requireUser } from './sessions/session-context.server.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const waitContext = createContext<{ retryAfterSeconds: number } | null>(null);

const nameTheWait: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next();
  const wait = context.get(waitContext);
  if (wait) response.headers.set('retry-after', retryAfter(wait)['retry-after']);
  return response;
};

const countWrite: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (safeMethods.has(request.method)) return next();
  const admitted = await limit(appServices(context), 'admin-write', requireUser(context).id);
  if (admitted.ok) return next();
  context.set(waitContext, admitted);
  const refusal: AccessRefusal = { refused: 'haste', seconds: admitted.retryAfterSeconds };
  throw data(refusal, { status: 429 });
};

/**
 * Counts what an account changes, whichever screen it is sent to. Two steps, because what is thrown here becomes a page
 * whose headers the router makes anew: the outer one adds to that page how long to wait.
 */
export const limitStaffWrites: MiddlewareFunction<Response>[] = [nameTheWait, countWrite];

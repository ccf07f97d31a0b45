import { createContext, type MiddlewareFunction } from 'react-router';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { refuseAccess } from './access-refusal.ts';
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
  refuseAccess({ refused: 'haste', seconds: admitted.retryAfterSeconds });
};

/**
 * Limits an account's changes on all screens together. The outer step adds Retry-After, because the
 * router makes new headers for a thrown error's page.
 */
export const limitStaffWrites: MiddlewareFunction<Response>[] = [nameTheWait, countWrite];

import {
  createContext,
  type MiddlewareFunction,
  redirect,
  type RouterContextProvider,
} from 'react-router';
import type { Role } from '#database/schema/account-tables.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { type Right, rightsOf } from '../policy.ts';
import { endSessionCookie, readCookie, sessionCookieName } from './session-cookie.server.ts';
import { findOpenSession, touchSession } from './session-queries.server.ts';

/** The signed-in user of a request. */
export interface SessionUser {
  id: string;
  email: string;
  fullName: string;
  role: Role;
  rights: { has(right: Right): boolean };
  emailVerified: boolean;
  hasTwoFactor: boolean;
  /** This session, not the account. */
  byPasskey: boolean;
  sessionId: string;
  sessionExpiresAt: Date;
}

const userContext = createContext<SessionUser | null>(null);

type ReadableContext = Readonly<Pick<RouterContextProvider, 'get'>>;

/** Set in root.tsx, so it runs before every loader and action: finds out who asks, once. */
export const sessionMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const { db, env, rightsOfRole = rightsOf } = appServices(context);
  const token = requestFacts(context).isForCache
    ? null
    : readCookie(request, sessionCookieName(env.origin));
  if (token === null) return next();

  const session = await findOpenSession(db, token);
  if (session) {
    const { id, userId, expiresAt, isDueForTouch, ...rest } = session;
    const movedTo = isDueForTouch ? await touchSession(db, session) : null;
    context.set(userContext, {
      ...rest,
      rights: rightsOfRole(rest.role),
      id: userId,
      sessionId: id,
      sessionExpiresAt: movedTo ?? expiresAt,
    });
  }
  const response = await next();
  // A dead cookie would keep its visitor out of the page cache for good.
  const isSet = response.headers
    .getSetCookie()
    .some((line) => line.startsWith(sessionCookieName(env.origin)));
  if (!session && !isSet) response.headers.append('set-cookie', endSessionCookie(env.origin));
  return response;
};

/** Null when nobody is signed in, and in every render for the shared cache. */
export function currentUser(context: ReadableContext): SessionUser | null {
  return context.get(userContext);
}

/**
 * Likewise for what no account holds before its address is proved (R59). Whoever has not done so is sent where they ask
 * for the link. The database refuses it, too.
 */
export function requireProvedUser(context: ReadableContext, request: Request): SessionUser {
  const user = requireUser(context, request);
  if (user.emailVerified) return user;
  throw redirect('/resend-verification?first', { status: 303 });
}

/** For loaders and actions that need somebody: sends everybody else to sign in, and back here afterwards. */
export function requireUser(context: ReadableContext, request?: Request): SessionUser {
  const user = currentUser(context);
  if (user) return user;
  const url = request && new URL(request.url);
  const here = url ? `${url.pathname.replace(/\.data$/, '')}${url.search}` : null;
  throw redirect(here ? `/sign-in?returnTo=${encodeURIComponent(here)}` : '/sign-in');
}

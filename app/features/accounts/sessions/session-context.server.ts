import {
  createContext,
  type MiddlewareFunction,
  redirect,
  type RouterContextProvider,
} from 'react-router';
import { appServices, bypassCachedValues, requestFacts } from '#app/platform/app-context.server.ts';
import { isPrefetch } from '#app/platform/is-prefetch.ts';
import { type Right, rightsHeldBy } from '../policy.ts';
import { beginFreshness, endFreshness, freshnessToken } from './own-mark.server.ts';
import { endSessionCookie, readCookie, sessionCookieName } from './session-cookie.server.ts';
import { findOpenSession, touchSession } from './session-queries.server.ts';

type OpenSession = NonNullable<Awaited<ReturnType<typeof findOpenSession>>>;

/** The signed-in user and session of a request. */
export type SessionUser = Omit<OpenSession, 'isDueForTouch' | 'rightSet' | 'setRights'> & {
  rights: { has(right: Right): boolean };
};

const userContext = createContext<SessionUser | null>(null);

type ReadableContext = Readonly<Pick<RouterContextProvider, 'get'>>;

/**
 * Reads the session once per request. root.tsx installs it, so it runs before every loader and
 * action.
 */
export const sessionMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const { db, env, rightsOfRole } = appServices(context);
  const name = sessionCookieName(env.origin);
  const token = requestFacts(context).isForCache ? null : readCookie(request, name);
  const session = token === null ? null : await findOpenSession(db, token);
  if (session) {
    const { isDueForTouch, rightSet, setRights, ...user } = session;
    const isUse = !isPrefetch(request.method, request.headers.get('sec-purpose'));
    const movedTo = isDueForTouch && isUse ? await touchSession(db, session) : null;
    const sessionExpiresAt = movedTo ?? session.sessionExpiresAt;
    const rights = rightsHeldBy({ role: user.role, rightSet, setRights }, rightsOfRole);
    if (rights.has('admin.open')) bypassCachedValues(context);
    context.set(userContext, { ...user, sessionExpiresAt, rights });
    beginFreshness(request, context);
  }
  const response = await next();
  const given = response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
  // Deletes an expired cookie, which would otherwise exclude its visitor from the page cache.
  if (token !== null && !session && !given) {
    response.headers.append('set-cookie', endSessionCookie(env.origin));
  }
  endFreshness(request, response, {
    shown: freshnessToken(context),
    isSignedIn: given ? !given.startsWith(`${name}=;`) : session !== null,
    changesSession: given !== undefined,
    origin: env.origin,
  });
  return response;
};

/** Returns `null` if signed out, and always when rendering for the shared cache. */
export function currentUser(context: ReadableContext): SessionUser | null {
  return context.get(userContext);
}

/**
 * Returns the signed-in user, and redirects users with an unverified email to request the link. The
 * database enforces the same.
 */
export function requireVerifiedUser(context: ReadableContext, request: Request): SessionUser {
  const user = requireUser(context, request);
  if (user.emailVerified) return user;
  throw redirect('/resend-verification?first', { status: 303 });
}

/** Returns the signed-in user, and redirects everyone else to sign in and back. */
export function requireUser(context: ReadableContext, request?: Request): SessionUser {
  const user = currentUser(context);
  if (user) return user;
  const url = request && new URL(request.url);
  const here = url ? `${url.pathname.replace(/\.data$/, '')}${url.search}` : null;
  throw redirect(here ? `/sign-in?returnTo=${encodeURIComponent(here)}` : '/sign-in');
}

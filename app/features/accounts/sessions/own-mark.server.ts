import { randomBytes } from 'node:crypto';
import { createContext, type RouterContextProvider } from 'react-router';
import { readCookie } from './session-cookie.server.ts';

const form = /^[\w-]{8}$/;
const markContext = createContext<string | null>(null);

/**
 * Returns a freshness token, in the pages of signed-in users and in a cookie that JavaScript can
 * read. Every write renews it, so a cached or prefetched page can tell that it is outdated. It
 * grants no access. `null` if signed out.
 */
export function ownMark(context: Readonly<Pick<RouterContextProvider, 'get'>>): string | null {
  return context.get(markContext);
}

/** Decides the token before the page is rendered. Reads keep the browser's token. */
export function beginMark(
  request: Request,
  context: Readonly<Pick<RouterContextProvider, 'set'>>,
): void {
  const sent = readCookie(request, 'own');
  const isKept = isReading(request) && sent !== null && form.test(sent);
  context.set(markContext, isKept ? sent : newMark());
}

/**
 * Sets the page's token in the browser, or removes it once signed out, and clears pages prefetched
 * with another one. `changesSession`: the response opens or ends a session.
 */
export function endMark(
  request: Request,
  response: Response,
  who: { shown: string | null; isSignedIn: boolean; changesSession: boolean; origin: string },
): void {
  const { headers, status } = response;
  const { shown, isSignedIn, changesSession, origin } = who;
  const sent = readCookie(request, 'own');
  const kept = changesSession && shown === sent ? null : shown;
  const mark = isSignedIn ? (kept ?? newMark()) : null;
  if (mark === sent && !changesSession) return;
  // A page already carries its token, even if it only shows a form's errors.
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isSignedIn && status >= 400 && !isPage) return;
  const end = mark === null ? '; Max-Age=0' : ''; // otherwise a session cookie
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  headers.append('set-cookie', `own=${mark ?? ''}; Path=/${end}; SameSite=Lax${secure}`);
  headers.set('clear-site-data', '"prefetchCache", "prerenderCache"');
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function newMark(): string {
  return randomBytes(6).toString('base64url');
}

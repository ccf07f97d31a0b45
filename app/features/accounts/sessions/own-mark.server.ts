import { randomBytes } from 'node:crypto';
import { createContext, type RouterContextProvider } from 'react-router';
import { readCookie } from './session-cookie.server.ts';

const form = /^[\w-]{8}$/;
const tokenContext = createContext<string | null>(null);

/**
 * Returns the freshness token, or `null` if signed out. Pages of signed-in users and a cookie that
 * JavaScript can read contain the token. Every write renews it, so that a cached or prefetched page
 * is known to be outdated. The token grants no access.
 */
export function freshnessToken(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
): string | null {
  return context.get(tokenContext);
}

/** Chooses the token before the page is rendered. Reads keep the browser's token. */
export function beginFreshness(
  request: Request,
  context: Readonly<Pick<RouterContextProvider, 'set'>>,
): void {
  const sent = readCookie(request, 'own');
  const isKept = isReading(request) && sent !== null && form.test(sent);
  context.set(tokenContext, isKept ? sent : newToken());
}

/**
 * Sets the page's token in the browser, or removes it after signing out. Clears pages prefetched
 * with another token. `changesSession`: the response opens or ends a session.
 */
export function endFreshness(
  request: Request,
  response: Response,
  who: { shown: string | null; isSignedIn: boolean; changesSession: boolean; origin: string },
): void {
  const { headers, status } = response;
  const { shown, isSignedIn, changesSession, origin } = who;
  const sent = readCookie(request, 'own');
  const kept = changesSession && shown === sent ? null : shown;
  const mark = isSignedIn ? (kept ?? newToken()) : null;
  if (mark === sent && !changesSession) return;
  // A page that shows a form's errors already contains its token.
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isSignedIn && status >= 400 && !isPage) return;
  const end = mark === null ? '; Max-Age=0' : ''; // Without `Max-Age` it is a session cookie.
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  headers.append('set-cookie', `own=${mark ?? ''}; Path=/${end}; SameSite=Lax${secure}`);
  headers.set('clear-site-data', '"prefetchCache", "prerenderCache"');
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function newToken(): string {
  return randomBytes(6).toString('base64url');
}

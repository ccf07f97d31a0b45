import { randomBytes } from 'node:crypto';
import { createContext, type RouterContextProvider } from 'react-router';
import { readCookie } from './session-cookie.server.ts';

const form = /^[\w-]{8}$/;
const markContext = createContext<string | null>(null);

/**
 * The word that a page of somebody signed in carries, and a cookie that its script may read. Whatever a visitor does
 * renews it, so a page that the browser kept or fetched ahead can tell that it shows how things were. It opens nothing.
 * Null in the page of somebody signed out.
 */
export function ownMark(context: Readonly<Pick<RouterContextProvider, 'get'>>): string | null {
  return context.get(markContext);
}

/** Decides it before the page is made. Reading keeps the word that the browser has. */
export function beginMark(
  request: Request,
  context: Readonly<Pick<RouterContextProvider, 'set'>>,
): void {
  const sent = readCookie(request, 'own');
  const isKept = isReading(request) && sent !== null && form.test(sent);
  context.set(markContext, isKept ? sent : newMark());
}

/**
 * Has the browser hold the word of the page, or none once nobody is signed in, and forget what it fetched ahead with
 * another. `changesSession`: the answer opens a session, or ends one.
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
  // A page carries its word already, though it may only say what is wrong with a form.
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isSignedIn && status >= 400 && !isPage) return;
  const end = mark === null ? '; Max-Age=0' : ''; // else it lasts as long as the browser runs
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

import {
  cookieName,
  readCookie,
  writeCookie,
} from '#app/features/accounts/sessions/session-cookie.server.ts';
import { saveWish } from '#app/features/favorites/wished-favorite.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { type FollowTarget, parseTarget, targetText } from './follow-target.ts';
import { follow } from './set-follow.server.ts';

const wishedForSeconds = 15 * 60;
const name = 'follow-wished';

/** Returns the cookie that remembers what a signed-out visitor wanted to follow. */
export function rememberFollow(origin: string, target: FollowTarget): string {
  const value = encodeURIComponent(targetText(target));
  return writeCookie(name, value, { origin, seconds: wishedForSeconds });
}

/**
 * Saves the favorite and the follow that a visitor chose before signing in. Returns cookies to
 * send. A failure is logged, because it must not stop the sign-in.
 */
export async function saveWishes(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  request: Request,
  userId: string,
): Promise<string[]> {
  const { db, log, env } = services;
  const cookies = await saveWish(services, request, userId);
  const wished = readCookie(request, cookieName(name, env.origin));
  if (wished === null) return cookies;
  const target = parseTarget(decode(wished));
  if (target !== null) {
    const failed = (why: object) =>
      log.warn({ ...why, target }, 'could not follow after the sign-in');
    await follow(db, userId, [target]).then(
      (done) => done.ok || failed({ reason: done.message }),
      (err: unknown) => failed({ err }),
    );
  }
  return [...cookies, writeCookie(name, '', { origin: env.origin, seconds: 0 })];
}

/** Returns an empty string if the cookie was altered. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

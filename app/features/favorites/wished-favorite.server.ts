import type { AppServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import {
  cookieName,
  readCookie,
  writeCookie,
} from '#app/features/accounts/sessions/session-cookie.server.ts';
import { setFavorite } from './set-favorite.server.ts';

const wishedForSeconds = 15 * 60;

/** Returns a cookie that remembers the deal whose heart a signed-out visitor clicked. */
export function rememberWish(origin: string, dealId: number): string {
  return writeCookie('favorite-wished', String(dealId), { origin, seconds: wishedForSeconds });
}

/**
 * Saves the remembered deal for the user who has just signed in. Returns cookies to send. A failure
 * is logged, because it must not stop the sign-in.
 */
export async function saveWish(
  { db, log, env: { origin } }: Pick<AppServices, 'db' | 'env' | 'log'>,
  request: Request,
  userId: string,
): Promise<string[]> {
  const wished = readCookie(request, cookieName('favorite-wished', origin));
  if (wished === null) return [];
  const dealId = parseRowId(wished);
  if (dealId !== null) {
    const failed = (why: object) =>
      log.warn({ ...why, dealId }, 'a heart was not saved after the sign-in');
    await setFavorite(db, userId, dealId, true).then(
      (saved) => saved.ok || failed({ reason: saved.message }),
      (err: unknown) => failed({ err }),
    );
  }
  return [writeCookie('favorite-wished', '', { origin, seconds: 0 })];
}

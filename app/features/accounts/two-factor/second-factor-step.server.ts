import type { AppServices } from '#app/platform/app-context.server.ts';
import {
  admitSignIn,
  forgetWrongPasswords,
  type LimitAnswer,
} from '#app/platform/rate-limit.server.ts';
import { findDevice, readDeviceCookie } from '../sessions/device-mark.server.ts';
import { findOnce, storeOnce, takeOnce } from '../one-time-values.server.ts';
import { cookieName, readCookie, writeCookie } from '../sessions/session-cookie.server.ts';
import { userById } from '../people/user-queries.server.ts';
import { isRightSecondFactor } from './two-factor.server.ts';

const minutes = 10;

type Services = Pick<AppServices, 'db' | 'env'>;

/**
 * Returns the cookie of the code step, after the right password of an account with two-factor. The
 * cookie grants no access.
 */
export async function askForSecondFactor({ db, env }: Services, userId: string): Promise<string> {
  const token = await storeOnce(db, 'second-factor', userId, { validForMs: minutes * 60_000 });
  return writeCookie('second-factor', token, { origin: env.origin, seconds: minutes * 60 });
}

/** Returns the user about to sign in with this browser, or `null` if the step has expired. */
export async function findAwaited({ db, env }: Services, request: Request): Promise<string | null> {
  const token = readCookie(request, cookieName('second-factor', env.origin));
  return token === null ? null : findOnce(db, 'second-factor', token);
}

export type SecondFactorResult =
  | { ok: true; userId: string; clearedCookie: string }
  | { ok: false; reason: 'over' | 'wrong' }
  | (LimitAnswer & { ok: false; reason: 'too-many' });

/** Checks the code. Wrong codes count like wrong passwords, and the right one ends the step. */
export async function passSecondFactor(
  services: Services,
  request: Request,
  code: string,
): Promise<SecondFactorResult> {
  const { env } = services;
  const userId = await findAwaited(services, request);
  if (userId === null) return { ok: false, reason: 'over' };
  const guesser = await nameGuesser(services, request, userId);
  const admitted = await admitSignIn(services, guesser);
  if (!admitted.ok) return { ...admitted, reason: 'too-many' };
  if (!(await isRightSecondFactor(services, userId, code))) return { ok: false, reason: 'wrong' };
  const token = readCookie(request, cookieName('second-factor', env.origin)) ?? '';
  if ((await takeOnce(services.db, 'second-factor', token)) === null) {
    return { ok: false, reason: 'over' };
  }
  await forgetWrongPasswords(services, guesser);
  return {
    ok: true,
    userId,
    clearedCookie: writeCookie('second-factor', '', { origin: env.origin, seconds: 0 }),
  };
}

/**
 * Returns the name of the counter of wrong codes. Someone who knows only the password must not be
 * able to lock out the owner.
 */
async function nameGuesser(
  { db, env }: Services,
  request: Request,
  userId: string,
): Promise<string> {
  const user = await userById(db, userId).select('email').executeTakeFirst();
  const mark = readDeviceCookie(request, env.origin);
  const device = user ? await findDevice({ db }, mark, user.email) : null;
  return device === null ? `second-factor:${userId}` : `second-factor:${userId} ${device}`;
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import { cookieName, readCookie, writeCookie } from './session-cookie.server.ts';

/** As long as browsers keep a cookie. */
const keptForSeconds = 400 * 24 * 3600;
const mostAccounts = 5;
const form = /^[\w-]{22}(?:\.[\w-]{22}){1,5}$/;

type Services = Pick<AppServices, 'db' | 'env'>;

/** What a browser in which somebody has signed in brought, or null. It is worth what `findDevice` says. */
export function readDeviceMark(request: Request, origin: string): string | null {
  const mark = readCookie(request, cookieName('known-device', origin));
  return mark !== null && form.test(mark) ? mark : null;
}

/**
 * The number of a browser in which this account has signed in before; null for every other. Guesses from there count
 * apart: strangers who guess would else keep the owner waiting (R63). It opens nothing.
 */
export async function findDevice(
  { db }: Pick<Services, 'db'>,
  mark: string | null | undefined,
  email: string,
): Promise<string | null> {
  const [number = '', ...codes] = mark?.split('.') ?? [];
  const own = Buffer.from(await codeFor(db, number, email));
  return codes.some((code) => timingSafeEqual(Buffer.from(code), own)) ? number : null;
}

/**
 * The cookie of a browser in which this account has just signed in, beside others that did; null where it was marked
 * too often already: who knew the password for a while shall not gather counters to guess the next one with.
 */
export async function markDevice(
  services: Services,
  mark: string | null | undefined,
  email: string,
): Promise<string | null> {
  const { db, env } = services;
  const isKnown = (await findDevice(services, mark, email)) !== null;
  if (!isKnown && !(await limit(services, 'device-mark', email)).ok) return null;
  const [number = randomBytes(16).toString('base64url'), ...codes] = mark?.split('.') ?? [];
  const own = await codeFor(db, number, email);
  const others = codes.filter((code) => code !== own).slice(0, mostAccounts - 1);
  const value = [number, own, ...others].join('.');
  return writeCookie('known-device', value, { origin: env.origin, seconds: keptForSeconds });
}

/** 128 bits that only this site can make. */
async function codeFor(db: AppServices['db'], number: string, email: string): Promise<string> {
  const secret = await siteSecret(db, 'known devices');
  const code = createHmac('sha256', secret).update(`${number} ${email.trim().toLowerCase()}`);
  return code.digest().subarray(0, 16).toString('base64url');
}

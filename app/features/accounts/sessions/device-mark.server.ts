import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import { cookieName, readCookie, writeCookie } from './session-cookie.server.ts';

/** seconds; browsers cap a cookie's age at 400 days */
const validSeconds = 400 * 24 * 3600;
const mostAccounts = 5;
const form = /^[\w-]{22}(?:\.[\w-]{22}){1,5}$/;

type Services = Pick<AppServices, 'db' | 'env'>;

/** Returns this browser's trusted-device cookie, or `null`. `findDevice` validates it. */
export function readDeviceCookie(request: Request, origin: string): string | null {
  const mark = readCookie(request, cookieName('known-device', origin));
  return mark !== null && form.test(mark) ? mark : null;
}

/**
 * Returns the number of a browser in which this account has signed in before, or `null`. The number
 * gives no access. Its wrong attempts are counted separately, so that strangers cannot delay the
 * owner.
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
 * Returns the cookie for a browser in which this account has just signed in, or `null` past the
 * limit. Without the limit, someone who knew the password for a while could collect attempts for
 * guessing the next one.
 */
export async function issueDeviceCookie(
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
  return writeCookie('known-device', value, { origin: env.origin, seconds: validSeconds });
}

/** Returns a code of 128 bits that only this site can create. */
async function codeFor(db: AppServices['db'], number: string, email: string): Promise<string> {
  const secret = await siteSecret(db, 'known devices');
  const code = createHmac('sha256', secret).update(`${number} ${email.trim().toLowerCase()}`);
  return code.digest().subarray(0, 16).toString('base64url');
}

import type { AppServices } from '#app/platform/app-context.server.ts';
import { forgetWrongPasswords, limit } from '#app/platform/rate-limit.server.ts';
import type { SessionPlace } from '../sessions/open-session.server.ts';
import { anybody, takeChallenge } from './passkey-challenge.server.ts';
import type { PasskeyAnswer } from './passkey-input.ts';
import { countPasskeyUse, findPasskey } from './passkey-queries.server.ts';
import { cookieName, readCookie, writeCookie } from '../sessions/session-cookie.server.ts';
import { enter } from '../sessions/sign-in.server.ts';
import { verifyPasskeyUse } from './verify-passkey.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

export type PasskeySignInResult =
  | { ok: true; userId: string; cookies: string[] }
  | { ok: false; reason: 'refused' | 'suspended' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/**
 * Signs in with a passkey. Unlocking the device counts as the second factor, so no code is
 * required. The reason for a rejection is logged, not returned.
 */
export async function signInByPasskey(
  services: Services,
  request: Request,
  answer: PasskeyAnswer | null,
  place: SessionPlace,
  oldToken: string | null,
): Promise<PasskeySignInResult> {
  const { db, env, log } = services;
  const allowed = await limit(services, 'sign-in-address', place.address);
  if (!allowed.ok) return { ...allowed, reason: 'too-many' };

  const challenge = readCookie(request, cookieName('passkey-challenge', env.origin));
  if (!answer || challenge === null) return refuse('no-answer');
  if (!(await takeChallenge(db, 'sign-in', anybody, challenge))) return refuse('challenge');
  const passkey = await findPasskey(db, answer.id);
  if (!passkey) return refuse('unknown-key');
  const handle = Buffer.from(passkey.userId).toString('base64url');
  if (answer.response.userHandle !== handle) return refuse('other-user');
  const verified = await verifyPasskeyUse(answer, passkey, { challenge, origin: env.origin });
  if (!verified.ok) return refuse(verified.reason);
  if (!(await countPasskeyUse(db, passkey.id, verified.counter))) return refuse('counter');

  await forgetWrongPasswords(services, passkey.email);
  const cookies = await enter(services, passkey.userId, place, oldToken, { byPasskey: true });
  if (!cookies) return { ok: false, reason: 'suspended' };
  const spent = writeCookie('passkey-challenge', '', { origin: env.origin, seconds: 0 });
  return { ok: true, userId: passkey.userId, cookies: [...cookies, spent] };

  function refuse(reason: string): PasskeySignInResult {
    log.warn({ event: 'sign-in-refused', reason: `passkey: ${reason}` }, 'sign-in refused');
    return { ok: false, reason: 'refused' };
  }
}

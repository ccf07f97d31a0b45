import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';
import { storeOnce, takeOnce } from '../one-time-values.server.ts';
import { writeCookie } from '../sessions/session-cookie.server.ts';
import { listPasskeys } from './passkey-queries.server.ts';
import { relyingPartyId } from './verify-passkey.server.ts';

export const passkeyChallengeSeconds = 300;

type Services = Pick<AppServices, 'db' | 'env'>;
type Ceremony = 'add' | 'sign-in' | 'confirm';

/** The owner of a sign-in challenge, before the user is known. */
export const anybody = 'anybody';

/** Creates a challenge for a device to sign, valid once, for five minutes, and for `owner` only. */
export function giveChallenge(db: Db, ceremony: Ceremony, owner: string): Promise<string> {
  return storeOnce(db, `passkey-${ceremony}`, owner, {
    validForMs: passkeyChallengeSeconds * 1000,
  });
}

/**
 * Uses the challenge up in any case. Returns `false` if it is unknown, expired, or has another
 * owner.
 */
export async function takeChallenge(
  db: Db,
  ceremony: Ceremony,
  owner: string,
  challenge: string,
): Promise<boolean> {
  return (await takeOnce(db, `passkey-${ceremony}`, challenge)) === owner;
}

/**
 * Returns options for the browser's passkey prompt, and the cookie that binds the response to this
 * browser.
 */
export async function askForPasskey(services: Services) {
  const { origin } = services.env;
  const options = await optionsFor(services, 'sign-in', anybody);
  const validity = { origin, seconds: passkeyChallengeSeconds };
  return { options, cookie: writeCookie('passkey-challenge', options.challenge, validity) };
}

/**
 * Returns options for a signed-in user's passkey prompt. The challenge is bound to the user, so no
 * cookie is needed.
 */
export async function askForOwnPasskey(
  services: Services,
  { id: userId }: { id: string },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const own = await listPasskeys(services.db, userId);
  return {
    ...(await optionsFor(services, 'confirm', userId)),
    allowCredentials: own.map(({ id }) => ({ type: 'public-key', id })),
  };
}

async function optionsFor({ db, env }: Services, ceremony: Ceremony, owner: string) {
  return {
    challenge: await giveChallenge(db, ceremony, owner),
    rpId: relyingPartyId(env.origin),
    timeout: passkeyChallengeSeconds * 1000,
    userVerification: 'required' as const,
  };
}

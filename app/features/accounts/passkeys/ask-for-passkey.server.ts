import type { AppServices } from '#app/platform/app-context.server.ts';
import { giveChallenge, passkeyChallengeSeconds } from './passkey-challenge.server.ts';
import { listPasskeys } from './passkey-queries.server.ts';
import { writeCookie } from '../sessions/session-cookie.server.ts';
import { relyingPartyId } from './verify-passkey.server.ts';

type Services = Pick<AppServices, 'db' | 'env'>;

/** For whom a challenge to sign in is given out: nobody knows yet. */
export const anybody = 'anybody';

/** What the browser needs to offer its passkeys, and the cookie that binds the answer to this browser. */
export async function askForPasskey(
  services: Services,
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; cookie: string }> {
  const challenge = await giveChallenge(services.db, 'sign-in', anybody);
  return {
    options: optionsFor(services, challenge),
    cookie: writeCookie('passkey-challenge', challenge, {
      origin: services.env.origin,
      seconds: passkeyChallengeSeconds,
    }),
  };
}

/** Likewise for somebody signed in; it is bound to them, so no cookie is needed. */
export async function askForOwnPasskey(
  services: Services,
  user: { id: string },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const own = await listPasskeys(services.db, user.id);
  return {
    ...optionsFor(services, await giveChallenge(services.db, 'confirm', user.id)),
    allowCredentials: own.map(({ id }) => ({ type: 'public-key', id })),
  };
}

function optionsFor({ env }: Services, challenge: string): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge,
    rpId: relyingPartyId(env.origin),
    timeout: passkeyChallengeSeconds * 1000,
    userVerification: 'required',
  };
}

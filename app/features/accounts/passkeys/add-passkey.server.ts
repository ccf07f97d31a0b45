import type { AppServices } from '#app/platform/app-context.server.ts';
import { mailAccount } from '../people/mail-account.server.ts';
import {
  giveChallenge,
  passkeyChallengeSeconds,
  takeChallenge,
} from './passkey-challenge.server.ts';
import type { NewPasskeyAnswer } from './passkey-input.ts';
import { insertPasskey, listPasskeys } from './passkey-queries.server.ts';
import type { SessionUser } from '../sessions/session-context.server.ts';
import {
  challengeOf,
  passkeyAlgorithms,
  relyingPartyId,
  verifyNewPasskey,
} from './verify-passkey.server.ts';

export const mostPasskeysPerUser = 20;

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/** Returns options for the browser to create a passkey; called right after the identity check. */
export async function beginPasskey(
  services: Services,
  user: SessionUser,
  siteName: string,
): Promise<PublicKeyCredentialCreationOptionsJSON | null> {
  const existing = await listPasskeys(services.db, user.id);
  if (existing.length >= mostPasskeysPerUser) return null;
  return {
    challenge: await giveChallenge(services.db, 'add', user.id),
    rp: { id: relyingPartyId(services.env.origin), name: siteName },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email,
      displayName: user.fullName,
    },
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: passkeyChallengeSeconds * 1000,
    excludeCredentials: existing.map(({ id }) => ({ type: 'public-key', id })),
    // A passkey signs in without an address, but always requires the owner's fingerprint, face or
    // PIN.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** Stores the new passkey and notifies its owner by email. */
export async function addPasskey(
  services: Services,
  user: SessionUser,
  name: string,
  answer: NewPasskeyAnswer,
): Promise<boolean> {
  const { db, env, log } = services;
  const challenge = challengeOf(answer.response.clientDataJSON) ?? '';
  if (!(await takeChallenge(db, 'add', user.id, challenge))) return refuse('challenge');
  const verified = await verifyNewPasskey(answer, { challenge, origin: env.origin });
  if (!verified.ok) return refuse(verified.reason);
  const isAdded = await db.transaction().execute(async (tx) => {
    if (!(await insertPasskey(tx, user.id, name, verified.passkey))) return false;
    await mailAccount(tx, 'passkey-added', user, { fullName: user.fullName, name });
    return true;
  });
  if (!isAdded) return refuse('taken');
  log.info({ event: 'passkey-added', userId: user.id }, 'passkey added');
  return true;

  function refuse(reason: string): false {
    log.warn({ event: 'passkey-refused', reason, userId: user.id }, 'new passkey refused');
    return false;
  }
}

import type { AppServices } from '#app/platform/app-context.server.ts';
import { admitSignIn, forgetWrongPasswords } from '#app/platform/rate-limit.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { accountMessages } from './account-messages.ts';
import { checkPassword, placeOfSession } from './passwords/check-password.server.ts';
import { providerNames } from './providers/identity-providers.server.ts';
import { takeChallenge } from './passkeys/passkey-challenge.server.ts';
import { passkeyAnswer, readAnswer } from './passkeys/passkey-input.ts';
import { countPasskeyUse, findPasskey } from './passkeys/passkey-queries.server.ts';
import type { SessionUser } from './sessions/session-context.server.ts';
import { isRightSecondFactor } from './two-factor/two-factor.server.ts';
import { challengeOf, verifyPasskeyUse } from './passkeys/verify-passkey.server.ts';
import { findWaysIn, isFreshSession } from './ways-in-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env'>;
type Asked = Pick<SessionUser, 'id' | 'email' | 'hasTwoFactor' | 'sessionId'>;

/** Reads the proof of `IdentityField`: a password, a code or a passkey's signature. */
export function readProof(form: Pick<FormData, 'get'>) {
  return { typed: readText(form, 'password'), credential: readText(form, 'credential') };
}

export type IdentityCheck =
  | { ok: true }
  | { ok: false; reason: 'missing' | 'wrong' | 'wrong-passkey' | 'stale' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/**
 * Checks that the current user is the one who signed in, by password, authenticator code or
 * passkey. Without a password, a recent sign-in is enough. Wrong attempts count as they do at
 * sign-in.
 */
export async function confirmIdentity(
  services: Services,
  user: Asked,
  { typed, credential }: ReturnType<typeof readProof>,
): Promise<IdentityCheck> {
  if (credential) return confirmByPasskey(services, user, credential);
  if (user.hasTwoFactor && /^\d{6}$/.test(typed.trim())) {
    return confirmByCode(services, user, typed.trim());
  }
  const { hasPassword } = await findWaysIn(services.db, user.id);
  if (!hasPassword) {
    const isFresh = await isFreshSession(services.db, user.sessionId);
    return isFresh ? { ok: true } : { ok: false, reason: 'stale' };
  }
  if (typed === '') return { ok: false, reason: 'missing' };
  return checkPassword(services, user.email, typed.slice(0, 1000), placeOfSession(user));
}

async function confirmByCode(
  services: Services,
  user: Asked,
  code: string,
): Promise<IdentityCheck> {
  const key = `second-factor:${user.id} ${placeOfSession(user)}`;
  const admitted = await admitSignIn(services, key);
  if (!admitted.ok) return { ...admitted, reason: 'too-many' };
  if (!(await isRightSecondFactor(services, user.id, code))) return { ok: false, reason: 'wrong' };
  await forgetWrongPasswords(services, key);
  return { ok: true };
}

/** Passkey signatures cannot be guessed, so failures are not counted. */
async function confirmByPasskey(
  services: Services,
  user: Asked,
  credential: string,
): Promise<IdentityCheck> {
  const { db, env } = services;
  const refused: IdentityCheck = { ok: false, reason: 'wrong-passkey' };
  const answer = readAnswer(passkeyAnswer, credential);
  const challenge = answer && challengeOf(answer.response.clientDataJSON);
  if (!challenge || !(await takeChallenge(db, 'confirm', user.id, challenge))) return refused;
  const passkey = await findPasskey(db, answer.id);
  if (passkey?.userId !== user.id) return refused;
  const verified = await verifyPasskeyUse(answer, passkey, { challenge, origin: env.origin });
  if (!verified.ok || !(await countPasskeyUse(db, passkey.id, verified.counter))) return refused;
  return { ok: true };
}

/** The options of a signed-in user for the identity check. */
export type IdentityWays = Awaited<ReturnType<typeof identityWays>>;

/**
 * Returns the options for the identity check. `isFresh`: without a password, a recent sign-in is
 * proof enough.
 */
export async function identityWays({ db, env }: Services, user: Asked) {
  const { hasPassword, passkeys, providers } = await findWaysIn(db, user.id);
  const linked = new Set(providers.map(({ id }) => id));
  return {
    hasPassword,
    hasPasskey: passkeys > 0,
    hasCode: user.hasTwoFactor,
    isFresh: !hasPassword && (await isFreshSession(db, user.sessionId)),
    providers: providerNames(env).filter(({ id }) => linked.has(id)),
  };
}

const refusals = {
  missing: accountMessages.passwordRequired,
  wrong: accountMessages.wrongPassword,
  'wrong-passkey': accountMessages.passkeyUnconfirmed,
  stale: accountMessages.signInAgain,
  'too-many': tooManyAttempts,
} as const;

export function isIdentityRefusal(reason: string | null): reason is keyof typeof refusals {
  return reason !== null && Object.hasOwn(refusals, reason);
}

export function describeIdentityRefusal(reason: keyof typeof refusals): string {
  return refusals[reason];
}

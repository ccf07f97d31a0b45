import {
  type Challenge,
  createChallenge,
  type Payload,
  randomInt,
  verifySolution,
} from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { captchaMessages } from '#app/platform/captcha/captcha-messages.ts';
import { spendToken } from '#app/platform/captcha/spend-token.server.ts';
import { siteSecret } from '#app/platform/site-secret.server.ts';

const algorithm = 'PBKDF2/SHA-256';
const minutesToSolve = 10;
/**
 * The number of key derivations. A client needs 150 to 300, about a second on a phone, and the
 * server needs one.
 */
const work = { cost: 4_000, fewestGuesses: 150, mostGuesses: 300 };

export async function issueChallenge(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  { cost, fewestGuesses, mostGuesses } = work,
): Promise<Challenge> {
  return createChallenge({
    algorithm,
    cost,
    counter: randomInt(mostGuesses, fewestGuesses),
    deriveKey,
    expiresAt: new Date(now().getTime() + minutesToSolve * 60_000),
    hmacSignatureSecret: await siteSecret(db, 'captcha challenge'),
    hmacKeySignatureSecret: await siteSecret(db, 'captcha solution'),
  });
}

/** Returns null if the token is valid and unused, or the message for the visitor. */
export async function refuseSolution(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  token: string,
): Promise<string | null> {
  const failed = captchaMessages.failed('ALTCHA');
  const payload = readPayload(token);
  if (!payload) return failed;
  const { parameters, signature } = payload.challenge;
  const result = await verifySolution({
    ...payload,
    deriveKey,
    hmacSignatureSecret: await siteSecret(db, 'captcha challenge'),
    hmacKeySignatureSecret: await siteSecret(db, 'captcha solution'),
  }).catch(() => null); // The token is malformed.
  if (!result) return failed;
  const expiresAt = new Date((parameters.expiresAt ?? 0) * 1000);
  // The library checks the expiry by the system clock, so it is checked again by the site's clock.
  if (result.expired || (result.verified && expiresAt <= now()))
    return captchaMessages.expired('ALTCHA');
  if (!result.verified || !signature) return failed;
  // The challenge is spent instead of the token, since a token could be encoded in many ways.
  return (await spendToken(db, `altcha ${signature}`, expiresAt)) ? null : failed;
}

function readPayload(token: string): Payload | null {
  if (token.length > 4_096) return null;
  try {
    const payload: Payload | null = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    const isOurs = payload?.challenge?.parameters?.algorithm === algorithm;
    return isOurs && typeof payload.solution === 'object' ? payload : null;
  } catch {
    return null;
  }
}

import type { AppServices } from '#app/platform/app-context.server.ts';
import { authOn } from './auth.server.ts';
import { newToken } from './hash-token.server.ts';

export const passkeyChallengeSeconds = 300;

type Services = Pick<AppServices, 'db' | 'env'>;
type Ceremony = 'add' | 'sign-in' | 'confirm';

const identifier = (ceremony: Ceremony, challenge: string) => `passkey-${ceremony}:${challenge}`;

/** What a device is to sign; good once and for five minutes. `owner` says for whom it was given out. */
export async function giveChallenge(
  { db, env }: Services,
  ceremony: Ceremony,
  owner: string,
): Promise<string> {
  const challenge = newToken();
  const { store } = await authOn(db, { origin: env.origin });
  await store.createVerificationValue({
    identifier: identifier(ceremony, challenge),
    value: owner,
    expiresAt: new Date(Date.now() + passkeyChallengeSeconds * 1000),
  });
  return challenge;
}

/** Uses it up, whatever the answer is worth. False for one that was never given out, is over, or another's. */
export async function takeChallenge(
  { db, env }: Services,
  ceremony: Ceremony,
  owner: string,
  challenge: string,
): Promise<boolean> {
  const { store } = await authOn(db, { origin: env.origin });
  const found = await store.consumeVerificationValue(identifier(ceremony, challenge));
  return found !== null && found.value === owner && found.expiresAt.getTime() > Date.now();
}

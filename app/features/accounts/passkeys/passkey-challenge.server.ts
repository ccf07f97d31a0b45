import type { Db } from '#database/connect.ts';
import { keepOnce, takeOnce } from '../one-time-values.server.ts';

export const passkeyChallengeSeconds = 300;

type Ceremony = 'add' | 'sign-in' | 'confirm';

/** What a device is to sign; good once and for five minutes. `owner` says for whom it was given out. */
export function giveChallenge(db: Db, ceremony: Ceremony, owner: string): Promise<string> {
  return keepOnce(db, `passkey-${ceremony}`, owner, { validForMs: passkeyChallengeSeconds * 1000 });
}

/** Uses it up, whatever the answer is worth. False for one that was never given out, is over, or another's. */
export async function takeChallenge(
  db: Db,
  ceremony: Ceremony,
  owner: string,
  challenge: string,
): Promise<boolean> {
  return (await takeOnce(db, `passkey-${ceremony}`, challenge)) === owner;
}

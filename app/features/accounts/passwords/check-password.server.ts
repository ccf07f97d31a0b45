import type { AppServices } from '#app/platform/app-context.server.ts';
import { admitSignIn, forgetWrongPasswords } from '#app/platform/rate-limit.server.ts';
import type { Db } from '#database/connect.ts';
import { hashPassword, verifyPassword } from './password-hash.server.ts';

type Services = Pick<AppServices, 'db' | 'env'>;

export type PasswordCheck =
  | { ok: true; userId: string }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/**
 * Returns whether this is the account's password. Unknown addresses take the same time. Wrong
 * attempts in any form count towards the account. `from` names a known place such as a session,
 * whose wrong attempts are counted separately from strangers'.
 */
export async function checkPassword(
  services: Services,
  email: string,
  password: string,
  from: string | null = null,
): Promise<PasswordCheck> {
  const guesser = from === null ? email : `${email} ${from}`;
  const admitted = await admitSignIn(services, guesser);
  if (!admitted.ok) return { ...admitted, reason: 'too-many' };
  const userId = await findByPassword(services.db, email, password);
  if (userId === null) return { ok: false, reason: 'wrong' };
  await forgetWrongPasswords(services, guesser);
  return { ok: true, userId };
}

/** Returns the key under which a signed-in user's wrong attempts are counted. */
export function placeOfSession({ sessionId }: { sessionId: string }): string {
  return `session ${sessionId}`;
}

async function findByPassword(db: Db, email: string, typed: string): Promise<string | null> {
  const found = await db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.user_id', 'u.id')
    .select(['u.id', 'a.password'])
    .where('u.email', '=', email.toLowerCase())
    .where('a.provider_id', '=', 'credential')
    .executeTakeFirst();
  if (!found?.password) {
    await hashPassword(typed);
    return null;
  }
  return (await verifyPassword(found.password, typed)) ? found.id : null;
}

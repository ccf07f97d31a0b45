import type { AppServices } from '#app/platform/app-context.server.ts';
import { admitSignIn, forgetWrongPasswords } from '#app/platform/rate-limit.server.ts';
import { authOn } from './auth.server.ts';

type Services = Pick<AppServices, 'db' | 'env'>;

export type PasswordCheck =
  | { ok: true; userId: string }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/**
 * Whether this is the account's password. Costs the same for addresses nobody has (R11, R13), and counts wrong ones
 * against the account whichever form they came by (R12). `from` names a place that belongs to the account already, such
 * as a session: wrong ones from there are counted apart from those of strangers (R63).
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
  const userId = await findByPassword(services, email, password);
  if (userId === null) return { ok: false, reason: 'wrong' };
  await forgetWrongPasswords(services, guesser);
  return { ok: true, userId };
}

/** Whoever is signed in guesses from there, if at all. */
export function placeOfSession({ sessionId }: { sessionId: string }): string {
  return `session ${sessionId}`;
}

async function findByPassword(
  { db, env }: Services,
  email: string,
  typed: string,
): Promise<string | null> {
  const { store, password } = await authOn(db, { origin: env.origin });
  const found = await store.findUserByEmail(email, { includeAccounts: true });
  const hash = found?.accounts.find((account) => account.providerId === 'credential')?.password;
  if (!found || !hash) {
    await password.hash(typed);
    return null;
  }
  return (await password.verify({ hash, password: typed })) ? found.user.id : null;
}

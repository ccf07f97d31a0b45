import type { AppServices } from '#app/platform/app-context.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Db, Tx } from '#database/connect.ts';
import { checkPassword, type PasswordCheck } from '../passwords/check-password.server.ts';
import { newToken } from '../hash-token.server.ts';
import { accountOf, makeLink } from './make-link.server.ts';
import { mayMail } from './may-mail.server.ts';
import { findOnce, takeOnce } from '../one-time-values.server.ts';
import type { SessionPlace } from '../sessions/open-session.server.ts';
import { proveAddress } from './prove-address.server.ts';
import { enter } from '../sessions/sign-in.server.ts';

const validForMs = 24 * 3600 * 1000;

/** Mails a link that shows the address is the account's own. */
export async function queueVerification(
  tx: Tx,
  user: { id: string; email: string },
): Promise<void> {
  await queueMail(tx, {
    key: `verify-email:${newToken()}`,
    kind: 'verify-email',
    to: user.email,
    userId: user.id,
    props: {},
  });
}

/**
 * The path of that link, good for a day and once, made when its mail is written: the database never holds it (R60).
 * Null when the address is verified by now, or no longer the account's.
 */
export async function makeVerificationPath(
  db: Db,
  mail: Pick<OutboxMail, 'user_id' | 'recipient'>,
): Promise<string | null> {
  const user = await accountOf(db, mail).where('email_verified', '=', false).executeTakeFirst();
  return user ? makeLink(db, 'verify-email', { userId: user.id, validForMs }) : null;
}

/** Whose address a link verifies; null when it is over. Looking uses nothing up. */
export async function findUserToVerify(
  { db }: Pick<AppServices, 'db'>,
  token: string,
): Promise<{ id: string; email: string } | null> {
  const userId = await findOnce(db, 'verify-email', token);
  if (userId === null) return null;
  const user = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return user ?? null;
}

export type VerifyEmailResult =
  | { ok: true; cookies: string[] }
  | { ok: false; reason: 'dead-link' | 'missing' }
  | Exclude<PasswordCheck, { ok: true }>;

/**
 * Proves the address for whoever has the link and knows the password, and signs them in. The link alone is not enough:
 * whose address a stranger signed up with would give it to the stranger's account by a click (R59).
 */
export async function verifyEmail(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  { token, password }: { token: string; password: string },
  place: SessionPlace,
  oldToken: string | null,
): Promise<VerifyEmailResult> {
  const { db } = services;
  const user = await findUserToVerify(services, token);
  if (!user) return { ok: false, reason: 'dead-link' };
  if (password === '') return { ok: false, reason: 'missing' };
  const checked = await checkPassword(services, user.email, password, 'its mailbox');
  if (!checked.ok) return checked;
  const isProved = await db.transaction().execute(async (tx) => {
    if ((await takeOnce(tx, 'verify-email', token)) === null) return false;
    return proveAddress(tx, user.id, { knowsPassword: true });
  });
  if (!isProved) return { ok: false, reason: 'dead-link' };
  // An unproved account has no second step to ask for.
  return { ok: true, cookies: await enter(services, user.id, place, oldToken) };
}

/** Sends the link again, if there is such an account and it needs one; the answer never says so (R13). */
export async function resendVerification(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  email: string,
  address: string,
): Promise<void> {
  const { db } = services;
  if (!(await mayMail(services, email, address))) return;
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .executeTakeFirst();
    if (user) await queueVerification(tx, user);
  });
}

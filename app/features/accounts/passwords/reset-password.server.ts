import type { AppServices } from '#app/platform/app-context.server.ts';
import { forgetWrongPasswords } from '#app/platform/rate-limit.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { cancelMails } from '#app/platform/mail/outbox-queries.server.ts';
import type { Db } from '#database/connect.ts';
import type { WeakPasswordReason } from './find-weak-password-reasons.ts';
import { judgePassword } from './judge-password.server.ts';
import { keepPassword } from '../people/make-account.server.ts';
import { mailAccount, mayMail } from '../people/mail-account.server.ts';
import { findOnce, storeOnce, takeOnce } from '../one-time-values.server.ts';
import { hashPassword } from './password-hash.server.ts';
import { proveAddress } from '../people/prove-address.server.ts';
import { userByEmail, userById } from '../people/user-queries.server.ts';
import { endSessions } from '../sessions/session-queries.server.ts';

const validForMs = 30 * 60_000;

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/** Emails a reset link if the account exists. The response does not reveal whether it does. */
export async function requestPasswordReset(
  services: Services,
  email: string,
  address: string,
): Promise<void> {
  if (!(await mayMail(services, email, address))) return;
  await services.db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email).select(['id', 'email']).executeTakeFirst();
    if (user) await mailAccount(tx, 'reset-password', user);
  });
}

/**
 * Returns the link's path, created when the email is written and never stored. Returns `null` if
 * the address no longer belongs to an account.
 */
export async function makeResetPath(
  db: Db,
  mail: Pick<OutboxMail, 'user_id' | 'recipient'>,
): Promise<string | null> {
  const user = await userByEmail(db, mail.recipient)
    .select('id')
    .where('id', '=', mail.user_id)
    .executeTakeFirst();
  return user ? newResetPath(db, user.id) : null;
}

/** Returns a reset link for the command line, without an email. */
export async function makeResetLink(
  { db, env }: Pick<Services, 'db' | 'env'>,
  userId: string,
): Promise<string> {
  return env.origin + (await newResetPath(db, userId));
}

async function newResetPath(db: Db, userId: string): Promise<string> {
  return `/reset-password?token=${await storeOnce(db, 'reset-password', userId, { validForMs })}`;
}

/** Returns whether a link can set a password, without using the link up. */
export async function isResetLinkGood(
  { db }: Pick<Services, 'db'>,
  token: string,
): Promise<boolean> {
  return (await findOnce(db, 'reset-password', token)) !== null;
}

export type ResetResult =
  | { ok: true }
  | { ok: false; reason: 'dead-link' }
  | { ok: false; reason: 'weak'; reasons: WeakPasswordReason[] };

/** Sets the new password, uses up the link, ends every session and notifies the owner by email. */
export async function resetPassword(
  { db, env, log }: Services,
  { token, password }: { token: string; password: string },
): Promise<ResetResult> {
  const userId = await findOnce(db, 'reset-password', token);
  if (userId === null) return { ok: false, reason: 'dead-link' };
  const user = await userById(db, userId)
    .select(['id', 'email', 'full_name as fullName'])
    .executeTakeFirst();
  if (!user) return { ok: false, reason: 'dead-link' };
  const reasons = await judgePassword({ db, env }, password, user);
  if (reasons.length > 0) return { ok: false, reason: 'weak', reasons };

  const passwordHash = await hashPassword(password);
  const isDone = await db.transaction().execute(async (tx) => {
    // Another request has used the token in the meantime.
    if ((await takeOnce(tx, 'reset-password', token)) === null) return false;
    await keepPassword(tx, user.id, passwordHash);
    await endSessions(tx, user.id);
    // The reset verifies the address and invalidates all other emailed links.
    await proveAddress(tx, user.id, { knowsPassword: true });
    await tx.deleteFrom('verifications').where('value', '=', user.id).execute();
    await cancelMails(tx, 'reset-password', user.id);
    await mailAccount(tx, 'password-changed', user);
    return true;
  });
  if (!isDone) return { ok: false, reason: 'dead-link' };
  // Clears wrong attempts by others, which would otherwise delay the owner.
  await forgetWrongPasswords({ db, env }, user.email);
  log.info({ event: 'password-reset', userId: user.id }, 'password reset');
  return { ok: true };
}

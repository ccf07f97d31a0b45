import type { AppServices } from '#app/platform/app-context.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { liftByConfirming } from '#app/platform/mail/suspension-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { checkPassword, type PasswordCheck } from '../passwords/check-password.server.ts';
import { findOnce, storeOnce, takeOnce } from '../one-time-values.server.ts';
import { mailAccount, mayMail } from './mail-account.server.ts';
import type { SessionPlace } from '../sessions/open-session.server.ts';
import { proveAddress } from './prove-address.server.ts';
import { enter } from '../sessions/sign-in.server.ts';
import { userByEmail, userById } from './user-queries.server.ts';

const validForMs = 24 * 3600 * 1000;

/**
 * Returns the path of the verification link, valid once and for a day. The link is created when the
 * email is written, and never stored. Returns `null` if the address is already verified, or no
 * longer the account's.
 */
export async function makeVerificationPath(
  db: Db,
  mail: Pick<OutboxMail, 'user_id' | 'recipient'>,
): Promise<string | null> {
  const user = await userByEmail(db, mail.recipient)
    .select('id')
    .where('id', '=', mail.user_id)
    .where('email_verified', '=', false)
    .executeTakeFirst();
  if (!user) return null;
  return `/verify-email?token=${await storeOnce(db, 'verify-email', user.id, { validForMs })}`;
}

/**
 * Returns the user whose address a link verifies, without using the link up. Returns `null` if the
 * link has expired.
 */
export async function findUserToVerify(
  { db }: Pick<AppServices, 'db'>,
  token: string,
): Promise<{ id: string; email: string } | null> {
  const userId = await findOnce(db, 'verify-email', token);
  if (userId === null) return null;
  const user = await userById(db, userId).select(['id', 'email']).executeTakeFirst();
  return user ?? null;
}

export type VerifyEmailResult =
  | { ok: true; userId: string; cookies: string[] }
  | { ok: false; reason: 'dead-link' | 'missing' | 'suspended' }
  | Exclude<PasswordCheck, { ok: true }>;

/**
 * Verifies the address of a user with the link and the password, and signs them in. The link alone
 * is not enough: the real owner's click would verify the address for a stranger who signed up with
 * it.
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
    await liftByConfirming(tx, user.email);
    return proveAddress(tx, user.id, { knowsPassword: true });
  });
  if (!isProved) return { ok: false, reason: 'dead-link' };
  // An unverified account has no two-factor.
  const cookies = await enter(services, user.id, place, oldToken);
  return cookies ? { ok: true, userId: user.id, cookies } : { ok: false, reason: 'suspended' };
}

/**
 * Sends the verification link again if the account exists and is unverified. The response does not
 * reveal whether it does.
 */
export async function resendVerification(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  email: string,
  address: string,
): Promise<void> {
  const { db } = services;
  if (!(await mayMail(services, email, address))) return;
  await db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email)
      .select(['id', 'email'])
      .where('email_verified', '=', false)
      .executeTakeFirst();
    if (user) await mailAccount(tx, 'verify-email', user);
  });
}

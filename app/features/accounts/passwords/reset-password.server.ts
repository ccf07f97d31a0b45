import type { AppServices } from '#app/platform/app-context.server.ts';
import { forgetWrongPasswords } from '#app/platform/rate-limit.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { cancelMails } from '#app/platform/mail/outbox-queries.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Db } from '#database/connect.ts';
import type { WeakPasswordReason } from './find-weak-password-reasons.ts';
import { newToken } from '../hash-token.server.ts';
import { tellPasswordChanged } from './change-password.server.ts';
import { judgePassword } from './judge-password.server.ts';
import { keepPassword } from '../people/make-account.server.ts';
import { accountOf, makeLink } from '../people/make-link.server.ts';
import { mayMail } from '../people/may-mail.server.ts';
import { findOnce, takeOnce } from '../one-time-values.server.ts';
import { hashPassword } from './password-hash.server.ts';
import { proveAddress } from '../people/prove-address.server.ts';
import { endSessions } from '../sessions/session-queries.server.ts';

const validForMs = 30 * 60_000;

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/** Mails a link to set a new password, if there is such an account; the answer never says so (R13). */
export async function requestPasswordReset(
  services: Services,
  email: string,
  address: string,
): Promise<void> {
  if (!(await mayMail(services, email, address))) return;
  await services.db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    if (!user) return;
    await queueMail(tx, {
      key: `reset-password:${newToken()}`,
      kind: 'reset-password',
      to: email,
      userId: user.id,
      props: {},
    });
  });
}

/**
 * The path of that link, made when its mail is written: the database never holds it (R60). Null when the address is no
 * longer an account's.
 */
export async function makeResetPath(
  db: Db,
  mail: Pick<OutboxMail, 'user_id' | 'recipient'>,
): Promise<string | null> {
  const user = await accountOf(db, mail).executeTakeFirst();
  return user ? newResetPath(db, user.id) : null;
}

/** The same link without a mail, for whoever has the machine. */
export async function makeResetLink(
  { db, env }: Pick<Services, 'db' | 'env'>,
  userId: string,
): Promise<string> {
  return env.origin + (await newResetPath(db, userId));
}

function newResetPath(db: Db, userId: string): Promise<string> {
  return makeLink(db, 'reset-password', { userId, validForMs });
}

export type ResetResult =
  | { ok: true }
  | { ok: false; reason: 'dead-link' }
  | { ok: false; reason: 'weak'; reasons: WeakPasswordReason[] };

/** Sets the new password; the link dies, every session ends and a mail tells the owner (R49). */
export async function resetPassword(
  { db, env, log }: Services,
  { token, password }: { token: string; password: string },
): Promise<ResetResult> {
  const user = await findUserOfReset(db, token);
  if (!user) return { ok: false, reason: 'dead-link' };
  const reasons = await judgePassword({ db, env }, password, user);
  if (reasons.length > 0) return { ok: false, reason: 'weak', reasons };

  const passwordHash = await hashPassword(password);
  const isDone = await db.transaction().execute(async (tx) => {
    if ((await takeOnce(tx, 'reset-password', token)) === null) return false; // used a moment ago
    await keepPassword(tx, user.id, passwordHash);
    await endSessions(tx, user.id);
    // Who holds the mailbox has shown it; and the other links in it, or on their way, have done their work.
    await proveAddress(tx, user.id, { knowsPassword: true });
    await tx.deleteFrom('verifications').where('value', '=', user.id).execute();
    await cancelMails(tx, 'reset-password', user.id);
    await tellPasswordChanged(tx, user);
    return true;
  });
  if (!isDone) return { ok: false, reason: 'dead-link' };
  // Whoever guessed before must not keep the owner waiting.
  await forgetWrongPasswords({ db, env }, user.email);
  log.info({ event: 'password-reset', userId: user.id }, 'password reset');
  return { ok: true };
}

async function findUserOfReset(db: Db, token: string) {
  const userId = await findOnce(db, 'reset-password', token);
  if (userId === null) return null;
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'full_name as fullName'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return user ?? null;
}

import type { AppServices } from '#app/platform/app-context.server.ts';
import { checkPassword, type PasswordCheck, placeOfSession } from './check-password.server.ts';
import type { WeakPasswordReason } from './find-weak-password-reasons.ts';
import { judgePassword } from './judge-password.server.ts';
import { mailAccount } from '../people/mail-account.server.ts';
import { keepPassword } from '../people/make-account.server.ts';
import { openSession, type SessionPlace } from '../sessions/open-session.server.ts';
import { hashPassword } from './password-hash.server.ts';
import type { SessionUser } from '../sessions/session-context.server.ts';
import { endSessions } from '../sessions/session-queries.server.ts';
import { findWaysIn } from '../ways-in-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

export type SetPasswordResult =
  | { ok: true; cookie: string }
  | { ok: false; reason: 'weak'; reasons: WeakPasswordReason[] };

export type ChangePasswordResult = SetPasswordResult | Exclude<PasswordCheck, { ok: true }>;

/** Changes the password. Every session ends, and the current one continues under a new token. */
export async function changePassword(
  services: Services,
  user: SessionUser,
  passwords: { current: string; next: string },
  place: SessionPlace,
): Promise<ChangePasswordResult> {
  const from = placeOfSession(user);
  const checked = await checkPassword(services, user.email, passwords.current, from);
  if (!checked.ok) return checked;
  return setPassword(services, user, passwords.next, place);
}

/** Sets the password of an account without one, after the identity check. */
export async function setFirstPassword(
  services: Services,
  user: SessionUser,
  next: string,
  place: SessionPlace,
): Promise<SetPasswordResult | { ok: false; reason: 'has-one' }> {
  const { hasPassword } = await findWaysIn(services.db, user.id);
  if (hasPassword) return { ok: false, reason: 'has-one' };
  return setPassword(services, user, next, place);
}

async function setPassword(
  { db, env, log }: Services,
  user: SessionUser,
  next: string,
  place: SessionPlace,
): Promise<SetPasswordResult> {
  const reasons = await judgePassword({ db, env }, next, user);
  if (reasons.length > 0) return { ok: false, reason: 'weak', reasons };

  const password = await hashPassword(next);
  const cookie = await db.transaction().execute(async (tx) => {
    await keepPassword(tx, user.id, password);
    await endSessions(tx, user.id);
    // Notifies the owner. An unverified address may be a stranger's and gets only the verification
    // email.
    if (user.emailVerified) await mailAccount(tx, 'password-changed', user);
    return openSession(tx, user.id, place, user);
  });
  log.info({ event: 'password-change', userId: user.id }, 'password changed');
  return { ok: true, cookie };
}

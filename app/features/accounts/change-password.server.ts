import type { AppServices } from '#app/platform/app-context.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { authOn } from './auth.server.ts';
import { checkPassword, type PasswordCheck } from './check-password.server.ts';
import { findWeakPasswordReasons, type WeakPasswordReason } from './find-weak-password-reasons.ts';
import { newToken } from './hash-token.server.ts';
import { openSession, type SessionPlace } from './open-session.server.ts';
import { hashPassword } from './password-hash.server.ts';
import type { SessionUser } from './session-context.server.ts';

export type ChangePasswordResult =
  | { ok: true; cookie: string }
  | Exclude<PasswordCheck, { ok: true }>
  | { ok: false; reason: 'weak'; reasons: WeakPasswordReason[] };

/** Every session ends, this one too: it goes on under a new token (R10). */
export async function changePassword(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  user: SessionUser,
  passwords: { current: string; next: string },
  place: SessionPlace,
): Promise<ChangePasswordResult> {
  const { db, env, log } = services;
  const checked = await checkPassword(services, user.email, passwords.current);
  if (!checked.ok) return checked;
  const reasons = findWeakPasswordReasons(passwords.next, {
    minLength: env.passwordMinLength,
    about: [user.email, user.fullName],
  });
  if (reasons.length > 0) return { ok: false, reason: 'weak', reasons };

  const hash = await hashPassword(passwords.next);
  const cookie = await db.transaction().execute(async (tx) => {
    const { store } = await authOn(tx, { origin: env.origin });
    await store.updatePassword(user.id, hash);
    await store.deleteUserSessions(user.id);
    await queueMail(tx, {
      key: `password-changed:${newToken()}`,
      kind: 'password-changed',
      to: user.email,
      userId: user.id,
      props: { fullName: user.fullName },
    });
    return openSession(tx, user.id, place);
  });
  log.info({ event: 'password-change', userId: user.id }, 'password changed');
  return { ok: true, cookie };
}

import type { AppServices } from '#app/platform/app-context.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Tx } from '#database/connect.ts';
import { authOn } from './auth.server.ts';
import { hashToken, newToken } from './hash-token.server.ts';
import { mayMail } from './may-mail.server.ts';

const validForMs = 24 * 3600 * 1000;
const purpose = (token: string) => `verify-email:${token}`;

/** A link that shows the address is the account's own; good for a day and once. */
export async function queueVerification(
  tx: Tx,
  origin: string,
  user: { id: string; email: string },
): Promise<void> {
  const token = newToken();
  const { store } = await authOn(tx, { origin });
  const expiresAt = new Date(Date.now() + validForMs);
  await store.createVerificationValue({ identifier: purpose(token), value: user.id, expiresAt });
  await queueMail(tx, {
    key: `verify-email:${hashToken(token)}`,
    kind: 'verify-email',
    to: user.email,
    userId: user.id,
    props: { path: `/verify-email?token=${token}` },
  });
}

/** Answers whether the link was good. */
export async function verifyEmail(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  token: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { store } = await authOn(tx, { origin: env.origin });
    const found = await store.consumeVerificationValue(purpose(token));
    if (!found) return false;
    await store.updateUser(found.value, { emailVerified: true });
    return true;
  });
}

/** Sends the link again, if there is such an account and it needs one; the answer never says so (R13). */
export async function resendVerification(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  email: string,
  address: string,
): Promise<void> {
  const { db, env } = services;
  if (!(await mayMail(services, email, address))) return;
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .executeTakeFirst();
    if (user) await queueVerification(tx, env.origin, user);
  });
}

import type { AppServices } from '#app/platform/app-context.server.ts';
import type { MailSite, OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Db, Tx } from '#database/connect.ts';
import { authOn } from './auth.server.ts';
import { newToken } from './hash-token.server.ts';
import { mayMail } from './may-mail.server.ts';

const validForMs = 24 * 3600 * 1000;
const purpose = (token: string) => `verify-email:${token}`;

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
  { user_id, recipient }: Pick<OutboxMail, 'user_id' | 'recipient'>,
  { origin }: Pick<MailSite, 'origin'>,
): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('email', '=', recipient)
    .where('email_verified', '=', false)
    .executeTakeFirst();
  if (!user) return null;
  const token = newToken();
  const { store } = await authOn(db, { origin });
  const expiresAt = new Date(Date.now() + validForMs);
  await store.createVerificationValue({ identifier: purpose(token), value: user.id, expiresAt });
  return `/verify-email?token=${token}`;
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

import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import type { SessionUser } from './session-context.server.ts';

export type EraseResult = { ok: true } | { ok: false; reason: 'last-super-admin' };

/**
 * Erases a person: account, sessions, favorites, alerts, notified browsers (they hang on the user's row), subscription, messages to
 * us, the mails to the address. The audit log keeps the id, which names nobody any more (R45).
 */
export async function eraseAccount(
  { db, log }: Pick<AppServices, 'db' | 'log'>,
  user: Pick<SessionUser, 'id' | 'email'>,
): Promise<EraseResult> {
  const result = await db.transaction().execute(async (tx): Promise<EraseResult> => {
    const superAdmins = await lockSuperAdmins(tx);
    if (superAdmins.length === 1 && superAdmins[0] === user.id) {
      return { ok: false, reason: 'last-super-admin' };
    }
    await erasePerson(tx, user);
    await writeAudit(tx, {
      actor: user.id,
      action: 'user.erase',
      entity: 'user',
      entityId: user.id,
    });
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'account-erased', userId: user.id }, 'account erased');
  return result;
}

/** What erasing takes away. Who may ask for it, and that somebody did, is the caller's matter. */
export async function erasePerson(tx: Tx, user: Pick<SessionUser, 'id' | 'email'>): Promise<void> {
  await tx
    .deleteFrom('newsletter_subscriptions')
    .where(sql`lower(email)`, '=', user.email.toLowerCase())
    .execute();
  // Anybody can sign up with the address of somebody who wrote to us: it must have been shown to be theirs.
  await tx
    .deleteFrom('contact_messages')
    .where(sql`lower(email)`, '=', user.email.toLowerCase())
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('users').where('id', '=', user.id).where('email_verified', '=', true)),
    )
    .execute();
  await tx
    .deleteFrom('mail_outbox')
    .where(sql`lower(recipient)`, '=', user.email.toLowerCase())
    .execute();
  await tx.deleteFrom('verifications').where('value', '=', user.id).execute();
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

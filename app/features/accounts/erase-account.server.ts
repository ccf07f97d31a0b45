import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import type { SessionUser } from './session-context.server.ts';

export type EraseResult = { ok: true } | { ok: false; reason: 'last-super-admin' };

/**
 * Erases a person: account, sessions, favorites and alerts (they hang on the user's row), subscription, the mails to
 * the address. The audit log keeps the id, which names nobody any more (R45).
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
    await tx
      .deleteFrom('newsletter_subscriptions')
      .where(sql`lower(email)`, '=', user.email)
      .execute();
    await tx
      .deleteFrom('mail_outbox')
      .where(sql`lower(recipient)`, '=', user.email)
      .execute();
    await tx.deleteFrom('verifications').where('value', '=', user.id).execute();
    await tx.deleteFrom('users').where('id', '=', user.id).execute();
    await tx
      .insertInto('audit_log')
      .values({ actor: user.id, action: 'user.erase', entity: 'user', entity_id: user.id })
      .execute();
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'account-erased', userId: user.id }, 'account erased');
  return result;
}

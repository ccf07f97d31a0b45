import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import type { SessionUser } from './session-context.server.ts';

export type EraseResult = { ok: true } | { ok: false; reason: 'last-super-admin' };

/**
 * Erases a person: account, sessions, favorites, alerts, notified browsers, mails about the account (they hang on the user's
 * row); and of a proved address its subscription, messages to us and other mails. The audit log keeps the id, which
 * names nobody any more (R45).
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
export async function erasePerson(tx: Tx, { id }: Pick<SessionUser, 'id'>): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'email', 'email_verified'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!user) return;
  // Anybody can sign up with anybody's address: what belongs to it goes where it was proved to be theirs (R59).
  if (user.email_verified) {
    for (const [table, column] of [
      ['newsletter_subscriptions', 'email'],
      ['contact_messages', 'email'],
      ['mail_outbox', 'recipient'],
    ] as const) {
      await sql`delete from ${sql.table(table)} where lower(${sql.ref(column)}) = ${user.email}`.execute(
        tx,
      );
    }
  }
  await tx.deleteFrom('verifications').where('value', '=', user.id).execute();
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}
